"""What is known of the engines, and what an examination makes of an endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.doctor.probe import Use, Verdict
from pylf.doctor.sizes import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.sparql.dialect import Dialect
    from pylf.doctor.probe import Finding

#: By dialect: the probes that its engine does not get right, as they were measured on it (Virtuoso 7.2.5, Jena 4.5.0,
#: Oxigraph 0.5.13, rdflib 7.6.0). Engines that nobody measured have no line. Questions in pylf's own form and limits
#: are left out: the ones depend on the dialect, the others on how a server is set up.
KNOWN: dict[str, frozenset[str]] = {
    "oxigraph": frozenset({"date-spelling", "iri-odd"}),
    "jena": frozenset({"iri-odd", "nan", "not-exists-outer-filter", "tag-case", "zeros"}),
    "rdflib": frozenset(
        (
            *("escaped-u", "exists-arm-filter", "group-of-nothing", "ill-typed-number", "nan", "not-exists-scope"),
            *("optional-not-bound", "optional-values-not-bound", "sub-select-last", "union-arm-filter", "year-less"),
        )
    ),
    "virtuoso": frozenset(
        (
            *("boolean-printed", "date-spelling", "division", "division-by-zero", "double-digits", "early-years"),
            *(
                "ill-typed-kept",
                "ill-typed-number",
                "infinity-spelling",
                "literal-datatype",
                "minus-filter",
                "minus-first",
                "minus-grouped",
            ),
            *("minus-unshared", "minus-values-unshared", "mixed-dates", "nan", "not-exists-grouped"),
            *("not-exists-nested-values", "not-exists-optional", "not-exists-outer-filter", "not-exists-scope"),
            *("number-equal", "path-cycle", "replaced-order", "scalar-under-exists", "tagged-datatype"),
            *("union-arm-filter", "union-data", "values-unbound", "year-less"),
        )
    ),
}


def closest(findings: Iterable[Finding]) -> str:
    """The dialect whose engine is known to get the same probes right and wrong, as far as any is like it; the generic
    one where none agrees better than one that gets everything right.

    Only what the engine does is looked at: see :data:`KNOWN`.
    """
    wrong, right = set(), set()
    for finding in findings:
        if finding.use is Use.EMITTED or finding.group == LIMITS:
            continue
        if finding.verdict in (Verdict.WRONG, Verdict.REFUSED):
            wrong.add(finding.name)
        elif finding.verdict is Verdict.RIGHT:
            right.add(finding.name)
    best, fewest = "sparql11", len(wrong)
    for name, known in KNOWN.items():
        mistaken = len(known & right) + len(wrong - known)
        if mistaken < fewest:
            best, fewest = name, mistaken
    return best


def differences(findings: Iterable[Finding], dialect: Dialect) -> dict[str, bool | int | None]:
    """The fields of the dialect that are otherwise at this engine, by what was found.

    Of two limits on one thing, and of one that is known, the tighter stands: a limit that was not met by the probes is
    no reason to lift one.
    """
    differs: dict[str, bool | int | None] = {}
    for finding in findings:
        field, value = finding.field, finding.value
        if field is None or value is None:
            continue
        known = differs.get(field, getattr(dialect, field))
        if type(value) is int and type(known) is int:
            value = min(value, known)
        if known != value:
            differs[field] = value
    return differs
