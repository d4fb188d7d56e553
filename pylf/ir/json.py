"""The IR as plain data, ready for ``json.dumps``, and the way back.

::

    {"version": 1, "form": "set", "outputs": ["x"],
     "types": {"x": {"type": "entity", "unions": [["http://rockets.example/Rocket"]]}},
     "body": [{"node": "triple", "subject": {"var": "x"}, "predicate": {"iri": "http://rockets.example/made_by"},
               "object": {"literal": "Delta", "language": "en"}}]}

A term is ``{"var": …}``, ``{"iri": …}`` or ``{"literal": …}`` with ``datatype`` or ``language`` where it is not a
plain string; where only a variable, a class or a relation may stand it is the bare name or IRI. An expression is a
term or ``{"apply": …, "arguments": […]}``. A body is a list of nodes; each has ``node``, its fields, and ``span``
(``[start, end]``) where it came from a text.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from pylf.errors import InputError, Span
from pylf.ir.expressions import MAX_DEPTH, Apply
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Order,
    Path,
    Project,
    Query,
    Reduction,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import MAX_NESTING
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Iri, Literal, Var
from pylf.ir.types import ANY, RELATION, AnyType, EntityType, LiteralType, RelationType, RowType, SubgraphType

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant, Term
    from pylf.ir.types import Type

#: Raised by one when a reader of the old form would misread the new one.
VERSION = 1


def to_json(query: Query) -> dict[str, object]:
    """The query as dicts, lists, strings, numbers and booleans. ``from_json(to_json(q)) == q``, spans included."""
    data: dict[str, object] = {
        "version": VERSION,
        "form": query.form.value,
        "outputs": [variable.name for variable in query.outputs],
        "types": {name: _write_type(type_) for name, type_ in query.types},
        "body": _write_body(query.body),
    }
    if query.span is not None:
        data["span"] = list(query.span)
    return data


def from_json(data: object, *, check: bool = True) -> Query:
    """The query that plain data says.

    Raises:
        InputError: the data is not in the form that :func:`to_json` writes, down to keys that no node has; says where.
        InvalidIR: the query breaks a rule of :mod:`pylf.ir.verify`; not where ``check`` is off.
    """
    top = _Record(data, "the query")
    version = top.take("version")
    if version != VERSION or isinstance(version, bool):
        _fail(top.place, f"version {_shown(version)} is not known here; this is version {VERSION}")
    form = _read_form(top.take("form"), "form", 0)
    outputs = _read_variables(top.take("outputs"), "outputs")
    types = _Record(top.take("types"), "types").data
    typed = tuple((name, _read_type(types[name], f"types.{name}")) for name in sorted(types))
    body = _read_body(top.take("body"), "body", 0)
    span = _read_span(top.take("span", None), "span")
    top.finish()
    query = Query(form, outputs, body, typed, span)
    if check:
        from pylf.ir.verify import verify

        verify(query)
    return query


# --- nodes: a name, a class, and its fields in the order of the class ---------------------------------------------

_Enum = TypeVar("_Enum", bound=Enum)


_REQUIRED = object()


class _Field(NamedTuple):
    """How one field is written and read. A ``default`` is left out when written."""

    name: str
    write: Callable[[Any], object]
    read: Callable[[object, str, int], object]
    default: object = _REQUIRED


class _Record:
    """A dict being read: every key is taken once, none is left over."""

    __slots__ = ("data", "place")

    def __init__(self, data: object, place: str) -> None:
        if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
            _fail(place, f"an object should stand here, not {_shown(data)}")
        self.data: dict[str, object] = dict(data)
        self.place = place

    def take(self, key: str, default: object = ...) -> object:
        value = self.data.pop(key, default)
        if value is ...:
            _fail(self.place, f"{key!r} is missing")
        return value

    def finish(self) -> None:
        if self.data:
            _fail(self.place, f"{min(self.data)!r} is not known here")


def _write_body(body: Body) -> list[object]:
    return [_write_node(conjunct) for conjunct in body.conjuncts]


def _write_node(conjunct: Conjunct) -> dict[str, object]:
    name, fields = _SHAPES[type(conjunct)]
    data: dict[str, object] = {"node": name}
    for field in fields:
        value = getattr(conjunct, field.name)
        if field.default is _REQUIRED or value != field.default:
            data[field.name] = field.write(value)
    if conjunct.span is not None:
        data["span"] = list(conjunct.span)
    return data


def _read_body(data: object, place: str, depth: int) -> Body:
    if depth > MAX_NESTING:
        _fail(place, f"bodies stand within bodies more than {MAX_NESTING} deep")
    return Body(tuple(_read_node(item, f"{place}[{i}]", depth) for i, item in enumerate(_read_list(data, place))))


def _read_node(data: object, place: str, depth: int) -> Conjunct:
    record = _Record(data, place)
    name = record.take("node")
    shape = _NODES.get(name) if isinstance(name, str) else None
    if shape is None:
        _fail(place, f"{_shown(name)} is not a node; the nodes are {', '.join(_NODES)}")
    build, fields = shape
    values: list[object] = []
    for field in fields:
        given = record.take(field.name, ... if field.default is _REQUIRED else field)
        values.append(field.default if given is field else field.read(given, f"{place}.{field.name}", depth + 1))
    values.append(_read_span(record.take("span", None), f"{place}.span"))
    record.finish()
    return build(*values)


# --- fields -------------------------------------------------------------------------------------------------------


def _write_term(term: Term) -> dict[str, object]:
    match term:
        case Var(name):
            return {"var": name}
        case Iri(value):
            return {"iri": value}
        case Literal(lexical, datatype, language):
            data: dict[str, object] = {"literal": lexical}
            if language is not None:
                data["language"] = language
            if datatype != (XSD_STRING if language is None else RDF_LANG_STRING):
                data["datatype"] = datatype
            return data


def _read_term(data: object, place: str, _depth: int = 0) -> Term:
    record = _Record(data, place)
    term: Term
    if "var" in record.data:
        term = Var(_read_string(record.take("var"), f"{place}.var"))
    elif "iri" in record.data:
        term = Iri(_read_string(record.take("iri"), f"{place}.iri"))
    elif "literal" in record.data:
        lexical = _read_string(record.take("literal"), f"{place}.literal")
        tag = record.take("language", None)
        language = None if tag is None else _read_string(tag, f"{place}.language")
        datatype = record.take("datatype", XSD_STRING if language is None else RDF_LANG_STRING)
        term = Literal(lexical, _read_string(datatype, f"{place}.datatype"), language)
    else:
        _fail(place, "a term has a 'var', an 'iri' or a 'literal'")
    record.finish()
    return term


def _read_constant(data: object, place: str, _depth: int = 0) -> Constant:
    term = _read_term(data, place)
    if isinstance(term, Var):
        _fail(place, "only a constant can stand here, not a variable")
    return term


def _write_expression(expression: Expression) -> dict[str, object]:
    if isinstance(expression, Apply):
        return {"apply": expression.function, "arguments": [_write_expression(a) for a in expression.arguments]}
    return _write_term(expression)


def _read_expression(data: object, place: str, _depth: int = 0, within: int = 0) -> Expression:
    if within > MAX_DEPTH:
        _fail(place, f"expressions stand within expressions more than {MAX_DEPTH} deep")
    if not isinstance(data, dict) or "apply" not in data:
        return _read_term(data, place)
    record = _Record(data, place)
    function = _read_string(record.take("apply"), f"{place}.apply")
    given = _read_list(record.take("arguments"), f"{place}.arguments")
    record.finish()
    arguments = [_read_expression(a, f"{place}.arguments[{i}]", 0, within + 1) for i, a in enumerate(given)]
    return Apply(function, tuple(arguments))


def _write_reduction(reduction: Reduction) -> dict[str, object]:
    data: dict[str, object] = {"function": reduction.function, "result": reduction.result.name}
    if reduction.of is not None:
        data["of"] = _write_expression(reduction.of)
    if reduction.distinct:
        data["distinct"] = True
    if reduction.separator != " ":
        data["separator"] = reduction.separator
    return data


def _read_reduction(data: object, place: str, _depth: int = 0) -> Reduction:
    record = _Record(data, place)
    function = _read_string(record.take("function"), f"{place}.function")
    result = _read_variable(record.take("result"), f"{place}.result")
    given = record.take("of", None)
    of = None if given is None else _read_expression(given, f"{place}.of")
    distinct = _read_truth(record.take("distinct", False), f"{place}.distinct")
    separator = _read_string(record.take("separator", " "), f"{place}.separator")
    record.finish()
    return Reduction(function, result, of, distinct, separator)


def _write_order(order: Order) -> dict[str, object]:
    data: dict[str, object] = {"by": _write_expression(order.expression)}
    return data | {"descending": True} if order.descending else data


def _read_order(data: object, place: str, _depth: int = 0) -> Order:
    record = _Record(data, place)
    expression = _read_expression(record.take("by"), f"{place}.by")
    descending = _read_truth(record.take("descending", False), f"{place}.descending")
    record.finish()
    return Order(expression, descending)


def _write_type(type_: Type) -> dict[str, object]:
    match type_:
        case EntityType(unions):
            return {"type": "entity", "unions": [list(union) for union in unions]} if unions else {"type": "entity"}
        case LiteralType(None):
            return {"type": "literal"}
        case LiteralType(datatype):
            return {"type": "literal", "datatype": datatype}
        case RowType(columns):
            return {"type": "row", "columns": [_write_type(column) for column in columns]}
        case AnyType():
            return {"type": "any"}
        case RelationType():
            return {"type": "relation"}
        case SubgraphType():
            return {"type": "subgraph"}


def _read_type(data: object, place: str, depth: int = 0) -> Type:
    if depth > MAX_NESTING:
        _fail(place, f"rows stand within rows more than {MAX_NESTING} deep")
    record = _Record(data, place)
    type_: Type
    match record.take("type"):
        case "entity":
            unions = _read_list(record.take("unions", []), f"{place}.unions")
            type_ = EntityType(tuple(_read_strings(u, f"{place}.unions[{i}]") for i, u in enumerate(unions)))
        case "literal":
            datatype = record.take("datatype", None)
            type_ = LiteralType(None if datatype is None else _read_string(datatype, f"{place}.datatype"))
        case "row":
            columns = _read_list(record.take("columns"), f"{place}.columns")
            type_ = RowType(tuple(_read_type(c, f"{place}.columns[{i}]", depth + 1) for i, c in enumerate(columns)))
        case "any":
            type_ = ANY
        case "relation":
            type_ = RELATION
        case "subgraph":
            type_ = SubgraphType()
        case other:
            _fail(place, f"{_shown(other)} is not a type; the types are entity, literal, any, relation, row, subgraph")
    record.finish()
    return type_


def _read_string(data: object, place: str, _depth: int = 0) -> str:
    if not isinstance(data, str):
        _fail(place, f"a string should stand here, not {_shown(data)}")
    return data


def _read_number(data: object, place: str, _depth: int = 0) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        _fail(place, f"a whole number should stand here, not {_shown(data)}")
    return data


def _read_truth(data: object, place: str, _depth: int = 0) -> bool:
    if not isinstance(data, bool):
        _fail(place, f"true or false should stand here, not {_shown(data)}")
    return data


def _read_list(data: object, place: str) -> list[object]:
    if not isinstance(data, list):
        _fail(place, f"a list should stand here, not {_shown(data)}")
    return data


def _read_strings(data: object, place: str) -> tuple[str, ...]:
    return tuple(_read_string(item, f"{place}[{i}]") for i, item in enumerate(_read_list(data, place)))


def _read_variable(data: object, place: str, _depth: int = 0) -> Var:
    return Var(_read_string(data, place))


def _read_variables(data: object, place: str, _depth: int = 0) -> tuple[Var, ...]:
    return tuple(map(Var, _read_strings(data, place)))


def _read_iri(data: object, place: str, _depth: int = 0) -> Iri:
    return Iri(_read_string(data, place))


def _read_span(data: object, place: str) -> Span | None:
    if data is None:
        return None
    items = _read_list(data, place)
    if len(items) != 2:
        _fail(place, "a span has a start and an end")
    return Span(*(_read_number(item, place) for item in items))


def _read_enum(cls: type[_Enum]) -> Callable[[object, str, int], _Enum]:
    by_value = {member.value: member for member in cls}

    def read(data: object, place: str, _depth: int = 0) -> _Enum:
        member = by_value.get(data) if isinstance(data, str) else None
        if member is None:
            _fail(place, f"{_shown(data)} is not one of {', '.join(by_value)}")
        return member

    return read


def _each(write: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda items: [write(item) for item in items]


def _all(read: Callable[[object, str, int], object]) -> Callable[[object, str, int], object]:
    def items(data: object, place: str, depth: int) -> object:
        return tuple(read(item, f"{place}[{i}]", depth) for i, item in enumerate(_read_list(data, place)))

    return items


def _as_is(value: object) -> object:
    return value


def _term(name: str) -> _Field:
    return _Field(name, _write_term, _read_term)


def _var(name: str) -> _Field:
    return _Field(name, _name, _read_variable)


def _name(variable: Var) -> str:
    return variable.name


def _value(thing: Any) -> object:
    return thing.value


_read_form = _read_enum(Form)
_VALUES = _Field("values", _each(_write_term), _all(_read_constant))
_CLASSES = _Field("classes", _each(_value), _all(_read_iri))
_OUTPUTS = _Field("outputs", _each(_name), _read_variables)
_GROUP = _Field("group", _each(_name), _read_variables, ())
_OP = _Field("op", _value, _read_enum(Op))
_KIND = _Field("kind", _value, _read_enum(Kind), Kind.ANY)
_DIRECTION = _Field("direction", _value, _read_enum(Direction))
_K = _Field("k", _as_is, _read_number)
_BODY = _Field("body", _write_body, _read_body)
_APART = _Field("apart", _as_is, _read_truth, False)
_ARMS = _Field("arms", _each(_write_body), _all(_read_body))
_TERMS = (
    _Field("nodes", _each(_write_term), _all(_read_term)),
    _Field("relations", _each(_write_term), _all(_read_term)),
)
_FORWARD = _Field("forward", list, _all(_read_truth))
_EXPRESSION = _Field("expression", _write_expression, _read_expression)
_SPO = (_term("subject"), _term("predicate"), _term("object"))

_NODES: dict[str, tuple[Callable[..., Conjunct], tuple[_Field, ...]]] = {
    "triple": (Triple, _SPO),
    "instance-of": (InstanceOf, (_term("term"), _CLASSES)),
    "compare": (Compare, (_OP, _term("left"), _term("right"), _KIND)),
    "member": (Member, (_term("term"), _VALUES)),
    "confidence": (Confidence, (*_SPO, _var("value"))),
    "not": (Not, (_BODY, _APART)),
    "union": (Union, (_ARMS,)),
    "project": (Project, (_OUTPUTS, _BODY)),
    "count": (Count, (_var("result"), _var("of"), _BODY, _GROUP)),
    "extreme": (Extreme, (_DIRECTION, _var("item"), _var("key"), _BODY, _KIND)),
    "top-k": (TopK, (_DIRECTION, _K, _var("item"), _var("key"), _BODY, _KIND)),
    "path": (Path, (*_TERMS, _FORWARD)),
    "closure": (
        Closure,
        (
            _term("subject"),
            _Field("relation", _value, _read_iri),
            _term("object"),
            _Field("minimum", _as_is, _read_number, 1),
        ),
    ),
    "left-join": (LeftJoin, (_BODY,)),
    "condition": (Condition, (_EXPRESSION,)),
    "extend": (Extend, (_var("result"), _EXPRESSION)),
    "aggregate": (Aggregate, (_Field("reductions", _each(_write_reduction), _all(_read_reduction)), _BODY, _GROUP)),
    "slice": (
        Slice,
        (
            _OUTPUTS,
            _BODY,
            _Field("order", _each(_write_order), _all(_read_order), ()),
            _Field("limit", _as_is, _read_number, None),
            _Field("offset", _as_is, _read_number, 0),
            _Field("distinct", _as_is, _read_truth, False),
        ),
    ),
}
_SHAPES: dict[object, tuple[str, tuple[_Field, ...]]] = {
    build: (name, fields) for name, (build, fields) in _NODES.items()
}


def _fail(place: str, sentence: str) -> NoReturn:
    raise InputError(f"the IR's JSON, at {place}: {sentence}")


def _shown(data: object) -> str:
    """A value in few words: short ones as they are, others by their kind."""
    match data:
        case None:
            return "null"
        case bool() | int() | float() if len(shown := str(data)) <= 40:
            return shown.lower()
        case str() if len(data) <= 40:
            return repr(data)
        case str():
            return "a long string"
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a {type(data).__name__}"
