"""Plain data in columns, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_XSD = "http://www.w3.org/2001/XMLSchema#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
#: a longer list stands below its name, one item a line
_LINE = 90


def print_fields(data: Mapping[str, object], indent: str = "") -> None:
    """A mapping as aligned lines, nested data indented; what is empty is left out."""
    told = {key.replace("_", " "): value for key, value in data.items() if value not in (None, False, [], {}, ())}
    width = max(map(len, told), default=0)
    for key, value in told.items():
        if isinstance(value, dict):
            print(f"{indent}{key}")
            print_fields(value, indent + "  ")
        elif isinstance(value, list | tuple) and len(value) > 1 and len(words(value)) > _LINE:
            print(f"{indent}{key}")
            for item in value:
                print(f"{indent}  {words(item)}")
        else:
            print(f"{indent}{key.ljust(width)}  {words(value)}")


def print_table(rows: Iterable[Sequence[str]], indent: str = "  ", right: frozenset[int] = frozenset()) -> None:
    """Rows in aligned columns; those that ``right`` numbers end at one line rather than begin there."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        print((indent + "  ".join(cells)).rstrip())


def words(value: object) -> str:
    """A field in one line: classes by label, a conjunction of unions as ``a or b, and c``."""
    if isinstance(value, list | tuple):
        if value and all(isinstance(union, list) for union in value):
            return ", and ".join(" or ".join(map(words, union)) for union in value)
        return ", ".join(map(words, value))
    match value:
        case {"name": name}:
            return str(name)
        case {"label": label}:
            return str(label)
        case "":
            return "(none)"
        case bool():
            return "yes"
        case int():
            return f"{value:,}"
    return datatype(str(value))


def datatype(iri: str) -> str:
    """``xsd:decimal`` for an IRI of XML Schema, ``rdf:langString``; any other text as it is."""
    return iri.replace(_XSD, "xsd:").replace(_RDF, "rdf:")


def counted(number: int, noun: str) -> str:
    """``1 relation``, ``1,248 relations``."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
