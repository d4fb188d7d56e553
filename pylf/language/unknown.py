"""What to say of a function or a variable that there is none of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.language.functions import FUNCTIONS, HABITS
from pylf.language.hints import CONSTRUCTS, PARSED_NEVER_RUN, listed, nearest, shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from pylf.errors import Span
    from pylf.language.findings import Findings

_ALL = f"the functions are {listed(FUNCTIONS)}"


def report_function(findings: Findings, name: str, span: Span, variables: Collection[str]) -> None:
    """Report a call of a function that PyLF does not have."""
    import builtins

    upper = name.upper()
    message = f"PyLF has no function {shown(name)}"
    if name in variables:
        findings.report("unknown-function", f"{shown(name)} is a variable, which cannot be called", span)
    elif upper in FUNCTIONS:
        findings.report("unknown-function", message, span, f"in capitals: {upper}")
    elif upper in HABITS:
        findings.report("unknown-function", message, span, f"that is written {HABITS[upper]}")
    elif name in CONSTRUCTS:
        findings.not_allowed(name, span)
    elif name.startswith("__") or hasattr(builtins, name):
        message = f"a call of Python's {shown(name)} cannot stand in a program"
        findings.report("not-allowed", message, span, PARSED_NEVER_RUN, _ALL)
    else:
        findings.report("unknown-function", message, span, *(nearest(name, FUNCTIONS) or (_ALL,)))


def report_variable(findings: Findings, name: str, span: Span, before: Collection[str], after: dict[str, Span]) -> None:
    """Report a variable that is not assigned ``before`` it is used, though perhaps ``after``."""
    if name in {"True", "False", "None"}:
        hint = "True and False stand after neg= and until= only"
        findings.report("wrong-argument", f"{name} is not a set", span, hint)
    elif name in CONSTRUCTS:
        findings.not_allowed(name, span)
    elif name in FUNCTIONS:
        hint = f"call it: {FUNCTIONS[name].usage}"
        findings.report("undefined-name", f"{name} is a function, not a variable", span, hint)
    else:
        hints = nearest(name, before) or (f"the name of something in the graph is a string: {shown(name)}",)
        if name in after:
            line, _ = findings.source.position(after[name].start)
            hints = (f"it is assigned on line {line}; a variable holds from the next line on",)
        findings.report("undefined-name", f"no variable {shown(name)} is assigned before this", span, *hints)
