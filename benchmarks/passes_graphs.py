"""The graphs that the passes are measured on, with the part that each relation plays in the programs.

The same programs serve every graph: they name *roles*, which are relations here and paths there, and entities by rule:
the commonest value of a relation, one with a tenth of its triples, one with a hundredth.
"""

from __future__ import annotations

import contextlib
import gzip
from typing import TYPE_CHECKING

from benchmarks import freebase, synthetic
from pylf.backends.engines import store
from pylf.backends.engines.http import HttpEngine
from pylf.backends.http.endpoint import Limits
from pylf.ir.terms import Iri, Literal
from pylf.records import record
from pylf.testing import servers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from pylf.backends.engines.oxigraph import OxigraphEngine
    from pylf.testing.servers import Server

_GRAPH = "urn:g"
_ANYTHING = "ASK { ?s ?p ?o }"
#: the seconds that a server has for what is not measured, and that no query on it exceeds
_LOADING = 600
_FREEBASE = "http://rdf.freebase.com/ns/"
_NOMINATIONS = "award.award_nominee.award_nominations"
_NOMINATION = "award.award_nomination"
#: What both graphs of FB15k-237 have in common. A step that begins with ``^`` is taken backwards.
_FILMS = {
    "kind": ("film.film.genre",),
    "origin": ("film.film.country",),
    "released": ("film.film.initial_release_date",),
    "from": ("people.person.nationality",),
    "trade": ("people.person.profession",),
    "home": ("people.person.place_of_birth",),
    "born": ("people.person.date_of_birth",),
    "size": ("people.person.height_meters",),
    "within": ("^location.location.contains",),
}
#: The roles that go through a node in between where the graph has Freebase's own shape.
_SHORT = {
    "made": ("film.actor.film..film.performance.film",),
    "prize": (f"{_NOMINATIONS}..{_NOMINATION}.award",),
    "peer": (f"{_NOMINATIONS}..{_NOMINATION}.award_nominee",),
}
_LONG = {
    "made": ("film.actor.film", "film.performance.film"),
    "prize": (_NOMINATIONS, f"{_NOMINATION}.award"),
    "peer": (_NOMINATIONS, f"{_NOMINATION}.award_nominee"),
}
_MADE_UP = {
    "made": ("played_in",),
    "kind": ("genre",),
    "origin": ("origin",),
    "released": ("released",),
    "from": ("nationality",),
    "trade": ("trade",),
    "home": ("birthplace",),
    "born": ("born",),
    "size": ("height",),
    "within": ("within",),
    "prize": ("prize",),
    "peer": ("worked_with",),
}
_VALUES = ("released", "born", "size")
#: of how many triples that the commonest value of a relation has, the others have one
_SHARES = {2: 10, 3: 100}
#: how many of a hundred values lie below
_QUANTILES = (1, 10, 50, 90, 99)


@record
class GraphSource:
    """A graph: its name, the namespace of its names, the steps of each role, and its classes of agents and items."""

    name: str
    namespace: str
    roles: Mapping[str, tuple[str, ...]]
    agents: str
    items: str


GRAPHS = (
    GraphSource("fb15k237_plain", _FREEBASE, {**_FILMS, **_SHORT}, "people.person", "film.film"),
    GraphSource("fb15k237_cvt_inverse", _FREEBASE, {**_FILMS, **_LONG}, "people.person", "film.film"),
    GraphSource("synthetic", synthetic.NAMESPACE, _MADE_UP, "person", "film"),
)


def data(graph: GraphSource, scratch: Path) -> Path | None:
    """The file of a graph's triples; made in ``scratch`` where the graph is made up; None where it is not here."""
    if graph.namespace == synthetic.NAMESPACE:
        made = scratch / f"{graph.name}.nt"
        if not made.is_file():
            synthetic.write(made)
        return made
    shared = freebase.shared()
    file = None if shared is None else shared / f"data/fb15k237/{graph.name}.nt.gz"
    return file if file is not None and file.is_file() else None


def loaded(graph: GraphSource, file: Path, scratch: Path) -> Path:
    """The folder that a graph was loaded into; it is kept as long as ``scratch`` is."""
    folder = scratch / graph.name
    if not folder.exists():
        store.load(file, folder)
    return folder


@contextlib.contextmanager
def served(file: Path) -> Iterator[tuple[Server, HttpEngine]]:
    """Virtuoso with the triples of a file. What it has just taken in is in its memory; to have it count all of them, as
    embedded engines do here, is a risk: on a busy machine one count in some has not ended, with all threads running.

    Raises:
        EngineError: it does not start, does not take them, or has not answered for ten minutes.
    """
    content = file.read_bytes()
    lines = (gzip.decompress(content) if file.suffix == ".gz" else content).decode()
    with servers.start("virtuoso", time_limit=_LOADING) as server:
        server.load_text(lines, _GRAPH)
        engine = HttpEngine(server.endpoint(_GRAPH, limits=Limits(read=_LOADING, total=_LOADING)))
        engine.ask(_ANYTHING, _LOADING)
        try:
            yield server, engine
        finally:
            engine.close()


def words(graph: GraphSource, engine: OxigraphEngine, needed: AbstractSet[str]) -> dict[str, str]:
    """What names in the programs stand for, in PyLF: at least those that are ``needed``.

    ``made`` and ``R_made`` are a relation and its inverse; ``agents`` and ``items`` sets of all of a class; ``kind_1``
    the commonest value of a relation, ``kind_2`` and ``kind_3`` the first with at most a tenth and a hundredth of
    its triples; ``size_99`` the number or date below which 99 of a hundred lie.
    """
    found = {
        "agents": f"START('<{graph.namespace}{graph.agents}>', kind='class')",
        "items": f"START('<{graph.namespace}{graph.items}>', kind='class')",
    }
    for role, steps in graph.roles.items():
        found[role] = _relation(graph, steps)
        found[f"R_{role}"] = _relation(graph, tuple(_turned(step) for step in reversed(steps)))
        if any(name.startswith(f"{role}_") for name in needed):
            found.update(_values(engine, graph, role) if role in _VALUES else _entities(engine, graph, role))
    return found


def _turned(step: str) -> str:
    return step[1:] if step.startswith("^") else f"^{step}"


def _relation(graph: GraphSource, steps: tuple[str, ...]) -> str:
    names = [f"'R_<{graph.namespace}{s[1:]}>'" if s.startswith("^") else f"'<{graph.namespace}{s}>'" for s in steps]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _path(graph: GraphSource, role: str) -> str:
    steps = graph.roles[role]
    return "/".join([f"{'^' * s.startswith('^')}<{graph.namespace}{s.removeprefix('^')}>" for s in steps])


def _entities(engine: OxigraphEngine, graph: GraphSource, role: str) -> Iterator[tuple[str, str]]:
    rows = engine.select(f"SELECT ?o (COUNT(*) AS ?n) WHERE {{ ?s {_path(graph, role)} ?o }} GROUP BY ?o")
    ordered = []
    for row in rows:
        match row["o"], row["n"]:
            case Iri(value=iri), Literal(lexical=count):
                ordered.append((-int(count), iri))
    ordered.sort()
    most = -ordered[0][0]
    yield f"{role}_1", f"'<{ordered[0][1]}>'"
    for rank, share in _SHARES.items():
        iri = next((iri for count, iri in ordered if -count <= most / share), ordered[-1][1])
        yield f"{role}_{rank}", f"'<{iri}>'"


def _values(engine: OxigraphEngine, graph: GraphSource, role: str) -> Iterator[tuple[str, str]]:
    rows = engine.select(f"SELECT ?v WHERE {{ ?s {_path(graph, role)} ?v }}")
    spelled = [value.lexical for row in rows if isinstance(value := row["v"], Literal)]
    numbers = role == "size"
    ordered = sorted(spelled, key=float) if numbers else sorted(spelled)
    for share in _QUANTILES:
        below = ordered[len(ordered) * share // 100]
        yield f"{role}_{share}", repr(float(below)) if numbers else f"'{below}'"
