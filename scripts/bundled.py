"""Writes the schema and the vocabulary of the bundled graph as Python, so that a compilation need not read their files.

    python scripts/bundled.py          write pylf/datasets/bundled/ready.py
    python scripts/bundled.py --check  change nothing; exit status 1 where it is not what the files say

To be run after an edit of rockets-schema.ttl or rockets.toml; a test fails until then.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pylf.api import load_schema, load_vocabulary
from pylf.datasets import bundled

TARGET = bundled.path(bundled.SCHEMA).with_name("ready.py")
META = ("source", "vocabulary")
WIDTH = 120

HEAD = '''\
"""The schema and the vocabulary of the bundled graph, as Python.

Written by ``python scripts/bundled.py`` from rockets-schema.ttl and rockets.toml; not to be edited. Reading those takes
three times as long as compiling a program: imports of parsers, for the most part.
"""

from __future__ import annotations

from pylf.ir.schema.model import Class, Relation
from pylf.ir.schema.vocabulary import Vocabulary

N = "{namespace}"

# fmt: off
'''


def main(arguments: list[str]) -> int:
    """Write or check the module; 1 when a check finds a difference."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(__doc__, file=sys.stderr)
        return 2
    text = written()
    if check:
        return int(TARGET.read_text(encoding="utf-8") != text)
    TARGET.write_text(text, encoding="utf-8")
    return 0


def written() -> str:
    """The module's text."""
    vocabulary = load_vocabulary(str(bundled.path(bundled.VOCABULARY)))
    source = load_schema(str(bundled.path(bundled.SCHEMA)), vocabulary).source
    meta = {key: source.meta(key) for key in META}
    parts = [
        HEAD.format(namespace=bundled.NAMESPACE),
        f"VOCABULARY = {call(vocabulary, 0)}\n",
        f"META = {literal(meta)}\n",
    ]
    for name, rows in (("CLASSES", source.all_classes()), ("RELATIONS", source.all_relations())):
        parts.append("".join([f"{name} = (\n", *[f"    {call(row, 4)},\n" for row in rows], ")\n"]))
    return "".join(parts)


def call(made: Any, indent: int) -> str:
    """A record as the call that makes it, over as many lines as it takes; fields at their defaults are left out."""
    kind = type(made)
    first, *others = kind.__match_args__
    plain = kind(getattr(made, first))
    given = [literal(getattr(made, first))]
    given += [f"{n}={literal(getattr(made, n))}" for n in others if getattr(made, n) != getattr(plain, n)]
    lines = [""]
    for piece in f"{kind.__name__}({', '.join(given)})".split(", "):
        if len(lines[-1]) + len(piece) + 1 > WIDTH - indent:
            lines.append("    ")
        lines[-1] += f"{piece}, "
    return f"\n{' ' * indent}".join(map(str.rstrip, lines)).removesuffix(",")


def literal(value: Any) -> str:
    """A value as Python, IRIs of the graph's namespace by their local name."""
    match value:
        case str() if value.startswith(bundled.NAMESPACE):
            return f"N + {quoted(value.removeprefix(bundled.NAMESPACE))}" if value != bundled.NAMESPACE else "N"
        case str():
            return quoted(value)
        case tuple():
            return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
        case dict():
            return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
        case _:
            return repr(value)


def quoted(text: str) -> str:
    """A string as Python, in which a comma is followed by no space: lines are broken there."""
    return json.dumps(text, ensure_ascii=False).replace(", ", ",\\u0020")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
