"""From the tree of a chain to text: one line, which parses back to an equal tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.chain import tree
from pylf.frontends.chain.parser import MAX_DEPTH, MAX_K
from pylf.frontends.chain.words import COMPARISONS, KINDS, is_bare, is_date, number
from pylf.language.hints import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLOSURES = {None: "", 1: "+", 0: "*"}


def print_chain(chain: tree.Chain) -> str:
    """The chain on one line, for example ``:boeing -> ~rocket.manufacturer [-> rocket.mass < 5]``; no line break.

    Raises:
        CompileError: it nests too deeply to be read again ('too-deep'), or is no chain that a text can hold
            ('unwritable'): half of a character, an unknown comparison, a constraint without a relation.
    """
    return _sets(chain, 0)


def _sets(chain: tree.Chain, depth: int) -> str:
    """A chain where several may stand."""
    if isinstance(chain.start, tree.Union) and not chain.steps:
        return _union(chain.start, depth)
    return _chain(chain, depth)


def _union(union: tree.Union, depth: int) -> str:
    if len(union.chains) < 2:
        _refuse("a union is of two sets or more", "one set stands for itself")
    return " | ".join([_chain(one, depth) for one in union.chains])


def _chain(chain: tree.Chain, depth: int) -> str:
    return " ".join([_start(chain.start, depth), *[_step(step, depth) for step in chain.steps]])


def _start(start: tree.Start, depth: int) -> str:
    match start:
        case tree.Union():
            return f"({_union(start, _deeper(depth))})"
        case tree.Anything():
            return "?"
        case tree.Atom():
            return _atom(start)


def _step(step: tree.Step, depth: int) -> str:
    if isinstance(step, tree.Hop):
        return _hop(step, depth)
    inner = _deeper(depth)
    match step:
        case tree.Except(constraint=constraint):
            text = f"except {_filter(constraint, inner)}"
        case tree.Best(largest=largest, path=path, k=k, counted=counted):
            if k is not None and not 1 <= k <= MAX_K:
                _refuse(
                    f"how many is a whole number from 1 to {MAX_K:,}, not {k}", "without it there is one, with ties"
                )
            parts = ("largest" if largest else "smallest", *([str(k)] if k is not None else []))
            text = " ".join([*parts, *(["count"] if counted else []), _path(path)])
        case tree.Count():
            text = "count"
        case tree.Exists():
            text = "any"
        case _:
            text = _filter(step, inner)
    return f"[{text}]"


def _filter(step: tree.Along | tree.Compare | tree.In, depth: int) -> str:
    match step:
        case tree.Along(hops=hops, end=end):
            if not hops:
                _refuse("a constraint chain has a relation", "what is in a set, too, is [X]")
            return f"{' '.join([_hop(hop, depth) for hop in hops])} -> {_end(end, depth)}"
        case tree.Compare(path=path, op=op, value=value, or_none=or_none):
            if op not in (("<=", ">=") if or_none else COMPARISONS) or value.kind is not None:
                _refuse(f"{shown(op)} is no comparison that a chain can hold here", "as in [-> r <= 5]")
            return f"{_path(path)} {op} {_atom(value)}{' or none' if or_none else ''}"
        case tree.In(chain=chain):
            return _sets(chain, depth)


def _end(end: tree.Chain, depth: int) -> str:
    if isinstance(end.start, tree.Atom) and not end.steps:
        return _atom(end.start)
    return f"({_sets(end, _deeper(depth))})"


def _path(path: Iterable[tree.Relation]) -> str:
    text = " ".join([_hop(tree.Hop(relation)) for relation in path])
    return text or _refuse("a value is reached by a relation", "as in [-> r < 5]")


def _hop(hop: tree.Hop, depth: int = 0) -> str:
    first = _relation(hop.relation)
    if not hop.further:
        return f"-> {'not ' if hop.negated else ''}{first}"
    if not hop.negated:
        _refuse("a hop along several relations is negated", "what is walked one by one are several hops: -> r -> s")
    _deeper(depth)
    return f"-> not ({' -> '.join([first, *map(_relation, hop.further)])})"


def _relation(relation: tree.Relation) -> str:
    name = relation.name if is_bare(relation.name) else _quoted(relation.name)
    return f"{'~' if relation.back else ''}{name}{_CLOSURES[relation.closure]}"


def _atom(atom: tree.Atom) -> str:
    text = atom.text
    if atom.number:
        if number(text) != text or atom.kind in ("class", "entity"):
            _refuse(f"{shown(text)} is no number that a chain can hold", "as in 5, -0.5 and 2.3e+5")
    elif not (is_bare(text) or is_date(text)):
        text = _quoted(text)
    if atom.kind is None:
        return text
    if atom.kind not in KINDS:
        _refuse(f"{shown(atom.kind)} is no kind of a name", "the kinds are class, entity and literal")
    return f"{atom.kind} {text}"


def _quoted(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        _refuse(f"U+{ord(text[error.start]):04X} is not a character of a text", "it is half of one")
    return repr(text)


def _deeper(depth: int) -> int:
    if depth >= MAX_DEPTH:
        message = f"the chain nests too deeply to be written: {MAX_DEPTH} levels are read"
        raise CompileError([Diagnostic("too-deep", message)])
    return depth + 1


def _refuse(message: str, hint: str) -> NoReturn:
    raise CompileError([Diagnostic("unwritable", message, hints=(hint,))])
