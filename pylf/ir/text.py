r"""The printed form of the IR, and the way back.

A header says the form, the outputs and the type of every variable; then comes the body, one conjunct a line, what
stands within a conjunct indented below it. "Rockets lighter than 2,320 that Boeing did not make"::

    set ?rocket
      ?mass: literal <http://www.w3.org/2001/XMLSchema#double>
      ?rocket: entity <http://rockets.example/Rocket>
    where
      ?rocket a <http://rockets.example/Rocket>
      ?rocket <http://rockets.example/mass> ?mass
      ?mass < "2.32e+3"^^<http://www.w3.org/2001/XMLSchema#double> by number
      not
        ?rocket <http://rockets.example/made_by> <http://rockets.example/Boeing>

=====================================  ===============================================================
``?x <p> ?y``                          a triple
``?x a <C> | <D>``                     an instance of C or D
``?v < "5"``, ``?v is ?w by date``     a comparison, of values of one kind (else of any)
``?x in (<a>, "b"@en)``                one of the values
``?x <p> ?y with confidence ?c``       a triple and its confidence
``path ?x -<p>-> ?y <-<q>- ?z``        an ordered walk: p along the edge, q against it
``?x <p>+ ?y``, ``?x <p>* ?y``         one or more, none or more steps
``not``                                the body below has no solution
``either`` … ``or`` …                  one of the bodies below holds
``distinct ?x ?y``                     the distinct rows over the body below
``?n counts ?x per ?g``                the number of values over the body below, for each ?g
``?x with largest ?k by number``       the ?x with the extreme ?k over the body below (or ``smallest``)
``?x with 3 largest ?k``               the top three
``optionally``                         extended by the solutions of the body below, if there are any
``if strlen(str(?x)) > ?n``            a condition
``?z := (?x + ?y) / "2"``              an extension: ?z is the value of the expression
``aggregate ?n := count(*) per ?g``    what reductions make of the body below, for each ?g
``slice ?x by ?k limit 5 offset 9``    the rows of ?x over the body below, in an order, from a place on, so many
``always``, ``never``                  the body without conjuncts, the union without arms
=====================================  ===============================================================

Types are ``entity``, ``entity <A>``, ``entity (<A> | <B>) & <C>``, ``literal``, ``literal <datatype>``, ``relation``
and ``any``. Indentation carries the structure, as in Python; ``#`` begins a comment. Strings escape as in SPARQL,
IRIs as in SPARQL (``\u2028``); whatever a terminal would not show is printed as an escape.

An expression is a term, a function applied (``substr(?x, "2")``, a cast by its datatype: ``<http://…#integer>(?x)``),
``!`` before what it denies, or operands with an operator between blanks. What is an operand of an operator stands in
parentheses where it has an operator itself; ``||`` and ``&&`` take any number of them. Reductions stand apart by commas
and may be of ``distinct`` values: ``aggregate ?n := count(distinct ?x), ?s := group_concat(?y separator "; ")``. So do
the keys of a slice, each perhaps ``descending``; and the slice may be one of ``distinct`` rows:
``slice distinct ?x ?y by descending ?k, ?x``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import ESCAPES, ILLEGAL_IN_IRI, XSD_STRING, Iri, Literal
from pylf.ir.traverse import bodies
from pylf.ir.types import AnyType, EntityType, LiteralType, RelationType, RowType, SubgraphType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Order, Query, Reduction
    from pylf.ir.terms import Term
    from pylf.ir.types import Type

_INDENT = "  "


def print_query(query: Query) -> str:
    """The query as text that :func:`parse_query` reads back, types included, spans not. Ends in a line break."""
    lines = [_words(query.form.value, query.outputs)]
    lines.extend(f"{_INDENT}?{name}: {print_type(type_)}" for name, type_ in query.types)
    lines.append("where")
    _print_body(query.body, _INDENT, lines)
    return "\n".join(lines) + "\n"


def parse_query(text: str, name: str = "<ir>", *, check: bool = True) -> Query:
    """The query that a text says, with spans; ``name`` names the text in diagnostics.

    Variables without a type in the header get what their places tell (:func:`pylf.ir.build.query`).

    Raises:
        CompileError: the text is not in the printed form, or, unless ``check`` is off, the query breaks a rule of
            :mod:`pylf.ir.verify`; the diagnostic has the place and names the rule.
    """
    from pylf.ir.text_reader import read

    return read(text, name, check)


def print_conjunct(conjunct: Conjunct, depth: int = 4) -> str:
    """A conjunct on one line, what stands within it in braces: ``not { ?x <p> ?y; ?y <q> ?z }``; bodies that stand
    more than ``depth`` deep in it are left out."""
    inner = bodies(conjunct)
    if isinstance(conjunct, Union):
        return " or ".join(_braced(arm, depth) for arm in inner) if inner else "never"
    head = _head(conjunct)
    return f"{head} {_braced(inner[0], depth)}" if inner else head


def print_expression(expression: Expression, depth: int = MAX_DEPTH) -> str:
    """An expression; what stands more than ``depth`` deep in it is left out."""
    if not isinstance(expression, Apply):
        return print_term(expression)
    if depth < 0:
        return "…"
    function, arguments = expression.function, expression.arguments
    if function in _INFIX and len(arguments) >= 2 and (function in ("||", "&&") or len(arguments) == 2):
        return f" {function} ".join([_operand(argument, depth - 1) for argument in arguments])
    if function == "!" and len(arguments) == 1:
        return "!" + _operand(arguments[0], depth - 1)
    name = f"<{_escaped_iri(function)}>" if ":" in function else function
    return f"{name}({', '.join([print_expression(argument, depth - 1) for argument in arguments])})"


_INFIX = frozenset(("||", "&&", "=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/"))


def _operand(expression: Expression, depth: int) -> str:
    printed = print_expression(expression, depth)
    return f"({printed})" if isinstance(expression, Apply) and expression.function in _INFIX else printed


def print_type(type_: Type) -> str:
    """A type as the header shows it."""
    match type_:
        case EntityType(()):
            return "entity"
        case EntityType((union,)):
            return "entity " + _iris(union)
        case EntityType(unions):
            return "entity " + " & ".join(_iris(u) if len(u) == 1 else f"({_iris(u)})" for u in unions)
        case LiteralType(datatype):
            return "literal" if datatype is None else f"literal <{_escaped_iri(datatype)}>"
        case AnyType():
            return "any"
        case RelationType():
            return "relation"
        case RowType(columns):
            return f"row ({', '.join(map(print_type, columns))})"
        case SubgraphType():
            return "subgraph"


def print_term(term: Term) -> str:
    """A term: ``?x``, ``<http://…>``, ``"text"@en`` or ``"1"^^<http://…>``."""
    match term:
        case Iri(value):
            return f"<{_escaped_iri(value)}>"
        case Literal(lexical, datatype, language):
            quoted = '"' + (lexical if lexical.isalnum() else _escaped(lexical)) + '"'
            if language is not None:
                return f"{quoted}@{language}"
            return quoted if datatype == XSD_STRING else f"{quoted}^^<{_escaped_iri(datatype)}>"
        case _:
            return str(term)


def _print_body(body: Body, indent: str, lines: list[str]) -> None:
    if not body.conjuncts:
        lines.append(indent + "always")
    for conjunct in body.conjuncts:
        match conjunct:
            case Union((first, *others)):
                lines.append(indent + "either")
                _print_body(first, indent + _INDENT, lines)
                for arm in others:
                    lines.append(indent + "or")
                    _print_body(arm, indent + _INDENT, lines)
            case _:
                lines.append(indent + _head(conjunct))
                for inner in bodies(conjunct):
                    _print_body(inner, indent + _INDENT, lines)


def _head(conjunct: Conjunct) -> str:
    """The line that a conjunct begins with; for an atom, all of it."""
    match conjunct:
        case Triple(subject, predicate, object_):
            return f"{print_term(subject)} {print_term(predicate)} {print_term(object_)}"
        case InstanceOf(term, classes):
            return f"{print_term(term)} a {' | '.join(map(print_term, classes))}"
        case Compare(op, left, right, kind):
            return f"{print_term(left)} {op.value} {print_term(right)}{_by(kind)}"
        case Member(term, values):
            return f"{print_term(term)} in ({', '.join(map(print_term, values))})"
        case Confidence(subject, predicate, object_, value):
            return f"{print_term(subject)} {print_term(predicate)} {print_term(object_)} with confidence {value}"
        case Not(apart=apart):
            return "not apart" if apart else "not"
        case Union():
            return "never"
        case Project(outputs):
            return _words("distinct", outputs)
        case Count(result, of, _, group):
            return f"{result} counts {of}" + (f" {_words('per', group)}" if group else "")
        case Extreme(direction, item, key, _, kind):
            return f"{item} with {_LARGEST[direction]} {key}{_by(kind)}"
        case TopK(direction, k, item, key, _, kind):
            return f"{item} with {k} {_LARGEST[direction]} {key}{_by(kind)}"
        case Path(nodes, relations, forward):
            parts = ["path", *map(print_term, nodes[:1])]
            for node, relation, ahead in zip(nodes[1:], relations, forward, strict=False):
                step = print_term(relation)
                parts += (f"-{step}->" if ahead else f"<-{step}-", print_term(node))
            return " ".join(parts)
        case Closure(subject, relation, object_, minimum):
            return f"{print_term(subject)} {print_term(relation)}{'+' if minimum else '*'} {print_term(object_)}"
        case LeftJoin():
            return "optionally"
        case Condition(expression):
            return f"if {print_expression(expression)}"
        case Extend(result, expression):
            return f"{result} := {print_expression(expression)}"
        case Aggregate(reductions, _, group):
            said = f" {', '.join(map(_reduction, reductions))}" if reductions else ""
            return f"aggregate{said}" + (f" {_words('per', group)}" if group else "")
        case Slice():
            return _slice(conjunct)


def _reduction(reduction: Reduction) -> str:
    of = "*" if reduction.of is None else print_expression(reduction.of)
    distinct = "distinct " if reduction.distinct else ""
    between = f" separator {print_term(Literal(reduction.separator))}" if reduction.separator != " " else ""
    return f"{reduction.result} := {reduction.function}({distinct}{of}{between})"


def _slice(node: Slice) -> str:
    parts = [_words("slice distinct" if node.distinct else "slice", node.outputs)]
    if node.order:
        parts.append(f"by {', '.join(map(_key, node.order))}")
    if node.limit is not None:
        parts.append(f"limit {node.limit}")
    if node.offset:
        parts.append(f"offset {node.offset}")
    return " ".join(parts)


def _key(order: Order) -> str:
    return ("descending " if order.descending else "") + print_expression(order.expression)


_LARGEST = {Direction.MAX: "largest", Direction.MIN: "smallest"}


def _by(kind: Kind) -> str:
    return "" if kind is Kind.ANY else f" by {kind.value}"


def _braced(body: Body, depth: int) -> str:
    if depth == 0:
        return "{ … }"
    return "{ " + ("; ".join(print_conjunct(c, depth - 1) for c in body.conjuncts) or "always") + " }"


def _words(word: str, terms: Iterable[Term]) -> str:
    return " ".join((word, *map(print_term, terms)))


def _iris(values: Iterable[str]) -> str:
    return " | ".join(f"<{_escaped_iri(value)}>" for value in values)


def _escaped_iri(value: str) -> str:
    if value.isprintable() and ILLEGAL_IN_IRI.isdisjoint(value):
        return value
    return "".join(c if c.isprintable() and c not in ILLEGAL_IN_IRI else _code_point(c) for c in value)


def _escaped(lexical: str) -> str:
    return "".join(ESCAPES.get(ord(c)) or (c if c.isprintable() else _code_point(c)) for c in lexical)


def _code_point(char: str) -> str:
    number = ord(char)
    return f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"
