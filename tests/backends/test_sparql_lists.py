"""Lists that meet at one variable and spell one value in two ways: a store of values takes the two for one term."""

from __future__ import annotations

import pytest

from pylf.backends.dialects import NAMES
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.text import parse_query

VOCABULARY = Vocabulary("rdf")
SCHEMA = Schema(MemorySource([], [], {}))
INT, INTEGER = '"2"^^<http://www.w3.org/2001/XMLSchema#int>', '"2"^^<http://www.w3.org/2001/XMLSchema#integer>'
DATE, DAY = (
    '"2001-01-01"^^<http://www.w3.org/2001/XMLSchema#date>',
    '"2001-01-01Z"^^<http://www.w3.org/2001/XMLSchema#date>',
)


def asked(*lines: str):
    return parse_query("set ?x\nwhere\n" + "\n".join(f"  {line}" for line in lines))


MEETING = {
    "beside": (f"?x in ({INT})", f"?x in ({INTEGER})"),
    "dates": (f"?x in ({DATE})", f"?x in ({DAY}, <http://e/a>)"),
    "denied": (f"?x in ({INT}, <http://e/a>)", "not", f"  ?x in ({INTEGER})"),
    "in a projection": ("distinct ?x", f"  ?x in ({INT})", f"?x in ({INTEGER})"),
    "beside an arm": ("either", f"  ?x in ({INT})", "or", "  ?x in (<http://e/a>)", f"?x in ({INTEGER})"),
}


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("lines", MEETING.values(), ids=MEETING)
def test_they_have_no_form(lines: tuple[str, ...], dialect: str):
    with pytest.raises(UnsupportedOperation, match="lists of one variable with"):
        emit(asked(*lines), SCHEMA, VOCABULARY, dialect, 0)


APART = {
    "one list": (f"?x in ({INT}, {INTEGER})",),
    "arms": ("either", f"  ?x in ({INT})", "or", f"  ?x in ({INTEGER})"),
    "two variables": (f"?x in ({INT})", f"?y in ({INTEGER})"),
    "the same list": (f"?x in ({INTEGER})", f"?x in ({INTEGER}, <http://e/a>)"),
}


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("lines", APART.values(), ids=APART)
def test_lists_that_do_not_are_asked_for(lines: tuple[str, ...], level: int):
    query = asked(*lines)
    engine = OxigraphEngine.memory([])
    found = engine.answers(query, emit(query, SCHEMA, VOCABULARY, "oxigraph", level))
    assert found.key() == evaluate(query, MemoryGraph([]), SCHEMA, VOCABULARY).key()
    assert not found.empty
