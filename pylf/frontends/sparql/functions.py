"""The functions that SPARQL names by a word (section 17.4), and its aggregates (section 11.2)."""

from __future__ import annotations

from pylf.ir.expressions import FUNCTIONS as EVALUATED

#: Other spellings of a name.
SAME = {"uri": "iri", "isuri": "isiri"}

#: By name in lower case, the least and the greatest number of arguments; None: any number.
FUNCTIONS: dict[str, tuple[int, int | None]] = {
    **{
        name: arity
        for name, arity in EVALUATED.items()
        if name.isidentifier() and name not in {"negative", "in", "canonical"}
    },
    **dict.fromkeys(("rand", "now", "uuid", "struuid"), (0, 0)),
    **dict.fromkeys(("uri", "isuri", "md5", "sha1", "sha256", "sha384", "sha512"), (1, 1)),
    "bnode": (0, 1),
}

AGGREGATES = ("count", "sum", "avg", "min", "max", "sample", "group_concat")
