"""Words that diagnostics on PyLF's form share: nearest names, shortened quotations, Python's constructs by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PARSED_NEVER_RUN = "programs are parsed, never run"

#: Python's reserved words, and the construct each belongs to.
CONSTRUCTS = {
    "and": "the operator 'and'",
    "as": "the word 'as'",
    "assert": "an assertion",
    "async": "asynchronous code",
    "await": "an 'await'",
    "break": "a 'break'",
    "class": "a class",
    "continue": "a 'continue'",
    "def": "a function definition",
    "del": "a deletion",
    "elif": "a condition",
    "else": "a condition",
    "except": "exception handling",
    "finally": "exception handling",
    "for": "a loop",
    "from": "an import",
    "global": "a global declaration",
    "if": "a condition",
    "import": "an import",
    "in": "the operator 'in'",
    "is": "the operator 'is'",
    "lambda": "a lambda",
    "nonlocal": "a nonlocal declaration",
    "not": "the operator 'not'",
    "or": "the operator 'or'",
    "pass": "a 'pass'",
    "raise": "a raised exception",
    "return": "a 'return'",
    "try": "exception handling",
    "while": "a loop",
    "with": "a 'with' block",
    "yield": "a 'yield'",
}

#: How PyLF says what a construct is for.
REMEDIES = {
    "and": "for what is in both sets, write AND(X, Y)",
    "or": "for what is in either set, write OR(X, Y)",
    "not": "to negate, write JOIN('relation', X, neg=True)",
    "return": "the answer is what STOP is given: expression = STOP(X)",
}

_LONGEST_SHOWN = 40
_LONGEST_COMPARED = 64
_MOST_COMPARED = 200


def shown(text: str) -> str:
    """``text`` in quotes as a message shows it, cut where it is long."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names as a sentence lists them: ``a, b and c``."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final


def nearest(word: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """A hint that gives up to ``most`` of ``names``, spelled like ``word``; or no hint.

    Of very many names the last ones are looked at, so that the time is bounded.
    """
    import difflib

    candidates = {name.lower(): name for name in list(names)[-_MOST_COMPARED:]}
    close = difflib.get_close_matches(word[:_LONGEST_COMPARED].lower(), candidates, n=most, cutoff=0.6)
    if not close:
        return ()
    return (named([candidates[name] for name in close]),)


def named(close: Sequence[str], what: str = "name") -> str:
    """``the nearest name is 'a'``, ``the nearest names are 'a', 'b'``."""
    found = ", ".join(map(shown, close))
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"the nearest {what} is {found}" if len(close) == 1 else f"the nearest {plural} are {found}"
