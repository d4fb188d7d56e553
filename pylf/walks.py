"""Paths of a graph: those between two sets of nodes, those from a set of nodes, and which of many paths there are.

>>> import pylf.walks
>>> found = pylf.walks.paths_between("bundled", ["Saturn V"], ["Falcon 9"], hops=2, either=True)
>>> [found.written(path) for path in found.paths][:1]      # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.many import Asking
from pylf.errors import CompileError, Diagnostic, InputError
from pylf.frontends.path.between import Bounds, Walks, find_paths
from pylf.frontends.path.check import Status, Verdict, check_paths, counts
from pylf.frontends.path.parser import parse
from pylf.frontends.path.printer import print_path
from pylf.frontends.path.reading import Reading, read_paths
from pylf.frontends.path.walked import WalkedPath
from pylf.graphs import KnowledgeGraph, open_kg
from pylf.ir.terms import Blank, Iri, Literal
from pylf.language import syntax, typed
from pylf.language.context import Context
from pylf.language.names import Names
from pylf.language.refused import Refused
from pylf.language.spelling import Spelling

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from pylf.frontends.path.tree import PathTree
    from pylf.ir.terms import Node

__all__ = [
    "Reading",
    "Status",
    "Verdict",
    "WalkedPath",
    "Walks",
    "counts",
    "paths_between",
    "read_paths",
    "verify_paths",
    "write_paths",
]


def paths_between(
    kg: KnowledgeGraph | str | os.PathLike[str],
    sources: Iterable[Node | str],
    targets: Iterable[Node | str] | None = None,
    hops: int = 2,
    *,
    at_least: int = 1,
    either: bool = False,
    simple: bool = True,
    relations: Iterable[Iri | str] = (),
    without: Iterable[Iri | str] = (),
    limit: int | None = None,
    timeout: float | None = None,
    allow_partial: bool = False,
) -> Walks:
    """All paths of a graph from one of ``sources`` to one of ``targets``, or to anything.

    Args:
        kg: the graph, or what :func:`pylf.open_kg` opens.
        sources: nodes, or names as PyLF looks them up: an id, or a label, which stands for all that bear it.
        targets: the same, or None for anything; of an empty list there is no path.
        hops: how many hops a path has at most.
        at_least: how many it has at least, 1 or more.
        either: whether edges are walked against their direction too; ``forward`` of a path tells.
        simple: whether paths that come to a node twice are left out.
        relations: relations that may be walked; none given, all may.
        without: relations that may not: those of types and labels lead from anything to anything of a kind.
        limit: how many paths are wanted at most; of more, the shortest are kept, and ``more`` says so.
        timeout: seconds for each query that is sent.
        allow_partial: whether paths are given where others could not be asked for: ``failures`` tells.

    Raises:
        EngineError: some paths could not be asked for.
        CompileError: nothing answers to a name.
        InputError: there is no such graph, a node is blank, or the bounds allow nothing, or too much.
    """
    graph = _opened(kg)
    names = Names(Context(graph.schema, graph.vocabulary), [])
    allowed, barred = (tuple([_relation(names, one) for one in some]) for some in (relations, without))
    bounds = Bounds(hops, at_least, either, simple, allowed, barred, limit)
    ends = None if targets is None else _nodes(graph, targets)
    found = find_paths(_asking(graph, timeout), _nodes(graph, sources), ends, bounds)
    if found.failures and not allow_partial:
        raise found.failures[0].failure()
    return found


def verify_paths(
    kg: KnowledgeGraph | str | os.PathLike[str],
    paths: Iterable[PathTree | WalkedPath | str],
    *,
    timeout: float | None = None,
) -> list[Verdict]:
    """Which of many paths a graph has, in order: trees, paths that were walked, or text, one path each.
    :func:`counts` counts the verdicts.

    Raises:
        EngineError: labels could not be looked up. (A path that could not be asked for is ``undecided``.)
        InputError: there is no such graph.
    """
    graph = _opened(kg)
    found: dict[int, Verdict] = {}
    trees: dict[int, PathTree] = {}
    for place, path in enumerate(paths):
        try:
            match path:
                case str():
                    trees[place] = parse(path)
                case WalkedPath():
                    trees[place] = path.tree()
                case _:
                    trees[place] = path
        except CompileError as error:
            found[place] = Verdict(Status.UNREADABLE, None, error.diagnostics[0])
    found |= zip(trees, check_paths(_asking(graph, timeout), list(trees.values())), strict=True)
    return [found[place] for place in range(len(found))]


def write_paths(
    kg: KnowledgeGraph, paths: Iterable[WalkedPath], *, labels: bool = True, tags: bool = False, arrows: str = "ascii"
) -> list[str]:
    """Paths as text, one line each: nodes by their ``labels``, as GCR has them, or by their ids; see
    :func:`pylf.frontends.path.printer.print_path`."""
    walked = list(paths)
    spelling = Spelling(kg.schema, kg.vocabulary)
    nodes = tuple(dict.fromkeys(node for path in walked for node in path.nodes if isinstance(node, Iri)))
    called = kg.labels(nodes) if labels else {}
    return [print_path(path.tree(spelling, called), tags, arrows) for path in walked]


def _opened(kg: KnowledgeGraph | str | os.PathLike[str]) -> KnowledgeGraph:
    return kg if isinstance(kg, KnowledgeGraph) else open_kg(kg)


def _asking(graph: KnowledgeGraph, timeout: float | None) -> Asking:
    return Asking(graph.engine, graph.schema, graph.vocabulary, timeout=timeout, cache=graph.cache)


def _relation(names: Names, given: Iri | str) -> Iri:
    if isinstance(given, Iri):
        return given
    try:
        return Iri(names.step(syntax.Name(given)).iri)
    except Refused as refused:
        raise CompileError([refused.diagnostic]) from None


def _nodes(graph: KnowledgeGraph, given: Iterable[Node | str]) -> list[Node]:
    """The nodes that are meant, each once.

    Raises:
        CompileError: nothing answers to a name.
    """
    if isinstance(given, str):
        raise InputError(f"a list of nodes is asked for, not {given!r}")
    found: dict[Node, None] = {}
    for one in given:
        found |= dict.fromkeys([one] if isinstance(one, Iri | Literal | Blank) else _called(graph, one))
    return list(found)


def _called(graph: KnowledgeGraph, name: str) -> tuple[Node, ...]:
    names = Names(Context(graph.schema, graph.vocabulary), [])
    try:
        meant = names.start(syntax.Start(syntax.Text(name)))
    except Refused as refused:
        raise CompileError([refused.diagnostic]) from None
    match meant:
        case typed.Known(terms=terms):
            return terms
        case typed.Instances(class_iri=iri):
            return (Iri(iri),)
    bearers = names.entities_labelled(graph.engine, name, None)
    if not bearers:
        message = f"no entity of the graph is labelled {name!r}"
        raise CompileError([Diagnostic("unknown-label", message, name=name)])
    return bearers
