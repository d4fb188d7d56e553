"""Counts taken from an Oxigraph store, and from the files that were loaded into it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.oxigraph_statistics import count_files, scan
from pylf.ir.schema.statistics import Tally, tally
from pylf.ir.terms import XSD, Iri, Literal, tagged

if TYPE_CHECKING:
    from pylf.ir.terms import Node

E = "http://e.example/"


def counts(counted: Tally) -> list[object]:
    """Everything that inference asks; which name a blank node has plays no part."""
    return [
        sorted(counted.relation_counts()),
        sorted((nameless(k), c) for k, c in counted.type_pairs((E + "p",))),
        sorted((r, nameless(k)) for r, k in counted.subject_pairs()),
        sorted((r, nameless(k)) for r, k in counted.object_pairs()),
        sorted(counted.literals()),
        sorted(counted.reversed_pairs()),
    ]


def nameless(key: str) -> str:
    return "_:" if key.startswith("_:") else key


names = st.sampled_from([f"<{E}a>", f"<{E}b>", f"<{E}c>", "_:x", "_:y"])
relations = st.sampled_from([f"<{E}p>", f"<{E}q>", f"<{E}r>"])
literals: st.SearchStrategy[Node] = st.one_of(
    st.builds(
        Literal,
        st.sampled_from(["1", "01", "1.0", "1.50", "x", "true", "2001", "2001-01-01T24:00:00", "1e3", "NaN"]),
        st.sampled_from(
            [XSD + n for n in ("integer", "int", "decimal", "double", "boolean", "gYear", "dateTime", "string")]
        ),
    ),
    st.builds(tagged, st.sampled_from(["1", "x"]), st.sampled_from(["en", "de"])),
)
lines = st.builds(lambda s, p, o: f"{s} {p} {o} .\n", names, relations, st.one_of(names, literals.map(str)))


@given(st.lists(lines, max_size=14), st.booleans())
@settings(max_examples=80)
def test_scan_files_and_plain_tally_count_the_same(text: list[str], twice: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "g.nt"
        source.write_text("".join(text + text[:1] * twice))
        engine = OxigraphEngine.open(source)
        scanned, skipped = scan(engine.store)
        assert skipped == 0
        assert counts(scanned) == counts(tally(engine))
        counted = count_files([source], None, engine.count())
        if counted is None:
            assert engine.count() < len(text) + twice
        else:
            assert counts(counted[0]) == counts(scanned)


def test_named_graphs_and_triple_terms(tmp_path: Path) -> None:
    source = tmp_path / "g.nq"
    line = f"<{E}a> <{E}p> <{E}b>"
    source.write_text(f"{line} <{E}g1> .\n{line} <{E}g2> .\n<{E}r> <{E}q> <<( {line} )>> .\n")
    engine = OxigraphEngine.open(source)
    counted, skipped = scan(engine.store)
    assert sorted(counted.relation_counts()) == [(E + "p", 1, 1, 1)]
    assert skipped == 1


def test_inference_takes_the_engines_counts(tmp_path: Path) -> None:
    from pylf.ir.schema.infer import infer_schema
    from pylf.ir.schema.vocabulary import Vocabulary

    engine = OxigraphEngine.memory([(Iri(E + "a"), Iri(E + "p"), Literal("1", XSD + "int"))])
    schema = infer_schema(engine, Vocabulary("rdf"), statistics=engine.statistics())
    relation = schema.relation(E + "p")
    assert relation is not None
    assert relation.datatypes == (XSD + "integer",)
