"""The probes, a file for each group. All but those over a triple ask nothing of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.doctor.probes import dates, emitted, negation, numbers, scope, texts

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.doctor.probe import Probe


def without_data(dialect: Dialect) -> tuple[Probe, ...]:
    """The probes that bring their own data, as ``VALUES``."""
    return (
        *emitted.over_values(dialect),
        *negation.PROBES,
        *scope.PROBES,
        *numbers.PROBES,
        *dates.PROBES,
        *texts.PROBES,
    )
