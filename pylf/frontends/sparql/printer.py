"""From the tree of a SPARQL query to text: standard SPARQL 1.1 with full IRIs, which parses back to an equal tree.

Nothing is left to precedence, to prefixes or to what only spares writing, so that every engine reads the text alike.
"""

from __future__ import annotations

import re

from pylf.frontends.sparql.syntax import (
    Alternative,
    Ask,
    At,
    Bind,
    Call,
    Column,
    Data,
    Except,
    Exists,
    Expression,
    Filter,
    Graph,
    Group,
    Inverse,
    Key,
    Minus,
    Optional,
    Path,
    Pattern,
    Reduce,
    Repeated,
    Select,
    Sequence,
    Service,
    Text,
    Triple,
    Union,
)
from pylf.ir.terms import XSD_BOOLEAN, XSD_DECIMAL, XSD_INTEGER, Iri, Literal, Var

_PLAIN = {
    XSD_BOOLEAN: re.compile(r"true|false"),
    XSD_INTEGER: re.compile(r"[0-9]+"),
    XSD_DECIMAL: re.compile(r"[0-9]+\.[0-9]+"),
}
_INDENT = "  "


def print_text(text: Text) -> str:
    """The query of a text, with the graphs that it names; ends with a line break."""
    graphs = [f"FROM {_term(name)}" for name in text.graphs]
    graphs += [f"FROM NAMED {_term(name)}" for name in text.named_graphs]
    return _query(text.query, graphs)


def print_query(query: Select | Ask) -> str:
    """A query; ends with a line break."""
    return _query(query, [])


def _query(query: Select | Ask, graphs: list[str]) -> str:
    if isinstance(query, Select):
        lines = _select(query, "", graphs)
    else:
        lines = [" ".join(("ASK", *graphs, "{")), *_parts(query.where, _INDENT), "}"]
        if query.values is not None:
            lines += _data(query.values, "")
    return "\n".join(lines) + "\n"


def _select(query: Select, indent: str, graphs: list[str]) -> list[str]:
    words = ["SELECT DISTINCT" if query.distinct else "SELECT"]
    words += ["*"] if query.columns is None else map(_column, query.columns)
    lines = [" ".join((indent + words[0], *words[1:], *graphs, "WHERE {"))]
    lines += _parts(query.where, indent + _INDENT)
    lines.append(indent + "}")
    if query.group_by:
        lines.append(f"{indent}GROUP BY {' '.join(map(_column, query.group_by))}")
    if query.having:
        lines.append(f"{indent}HAVING {' '.join(map(_in_brackets, query.having))}")
    if query.order_by:
        lines.append(f"{indent}ORDER BY {' '.join(map(_key, query.order_by))}")
    if query.limit is not None:
        lines.append(f"{indent}LIMIT {query.limit}")
    if query.offset:
        lines.append(f"{indent}OFFSET {query.offset}")
    if query.values is not None:
        lines += _data(query.values, indent)
    return lines


def _column(column: Column) -> str:
    value = _expression(column.value)
    if column.name is not None:
        return f"({value} AS {_term(column.name)})"
    return value if isinstance(column.value, At) and isinstance(column.value.term, Var) else f"({value})"


def _key(key: Key) -> str:
    return f"{'DESC' if key.descending else 'ASC'}{_in_brackets(key.value)}"


# --- patterns -----------------------------------------------------------------------------------------------------


def _parts(group: Group, indent: str) -> list[str]:
    """The lines of what stands in a group."""
    match group.parts:
        case (Select() as select,):
            return _select(select, indent, [])
    lines: list[str] = []
    for part in group.parts:
        lines += _pattern(part, indent)
    return lines


def _braced(words: str, group: Group, indent: str) -> list[str]:
    return [f"{indent}{words}{{", *_parts(group, indent + _INDENT), indent + "}"]


def _pattern(pattern: Pattern, indent: str) -> list[str]:
    match pattern:
        case Triple(subject=subject, path=path, object=found):
            return [f"{indent}{_term(subject)} {_path(path)} {_term(found)} ."]
        case Filter(condition=Exists(group=group, negated=negated)):
            return _braced("FILTER NOT EXISTS " if negated else "FILTER EXISTS ", group, indent)
        case Filter(condition=condition):
            return [f"{indent}FILTER {_in_brackets(condition)}"]
        case Bind(value=value, variable=variable):
            return [f"{indent}BIND ({_expression(value)} AS {_term(variable)})"]
        case Data():
            return _data(pattern, indent)
        case Optional(group=group):
            return _braced("OPTIONAL ", group, indent)
        case Minus(group=group):
            return _braced("MINUS ", group, indent)
        case Union(arms=arms):
            lines = _braced("", arms[0], indent)
            for arm in arms[1:]:
                lines += _braced("UNION ", arm, indent)
            return lines
        case Graph(name=name, group=group):
            return _braced(f"GRAPH {_term(name)} ", group, indent)
        case Service(name=name, group=group, silent=silent):
            return _braced(f"SERVICE {'SILENT ' if silent else ''}{_term(name)} ", group, indent)
        case Group():
            return _braced("", pattern, indent)
        case Select():
            return [indent + "{", *_select(pattern, indent + _INDENT, []), indent + "}"]


def _data(data: Data, indent: str) -> list[str]:
    variables = " ".join(map(_term, data.variables))
    lines = [f"{indent}VALUES ({variables}) {{"]
    for row in data.rows:
        values = " ".join(["UNDEF" if value is None else _term(value) for value in row])
        lines.append(f"{indent}{_INDENT}({values})")
    lines.append(indent + "}")
    return lines


# --- paths --------------------------------------------------------------------------------------------------------


def _path(path: Path) -> str:
    match path:
        case At():
            return _term(path)
        case Sequence(parts=parts):
            return "/".join([_bracketed(part, (Alternative, Sequence)) for part in parts])
        case Alternative(parts=parts):
            return "|".join([_bracketed(part, (Alternative,)) for part in parts])
        case Inverse(path=within):
            return "^" + _bracketed(within, (Alternative, Sequence, Inverse))
        case Repeated(path=within, least=least, most=most):
            return _bracketed(within, (Alternative, Sequence, Inverse, Repeated)) + _times(least, most)
        case Except(forward=forward, backward=backward):
            return f"!({'|'.join([*map(str, forward), *[f'^{one}' for one in backward]])})"


def _bracketed(path: Path, loose: tuple[type, ...]) -> str:
    return f"({_path(path)})" if isinstance(path, loose) else _path(path)


def _times(least: int, most: int | None) -> str:
    signs = {(0, None): "*", (1, None): "+", (0, 1): "?"}
    return signs[least, most]


# --- expressions --------------------------------------------------------------------------------------------------


def _expression(expression: Expression) -> str:
    """An expression that can stand anywhere: operators have brackets around them."""
    match expression:
        case At():
            return _term(expression)
        case Exists(group=group, negated=negated):
            lines = _braced("NOT EXISTS " if negated else "EXISTS ", group, "")
            return " ".join([line.strip() for line in lines])
        case Reduce(function=function, of=of, distinct=distinct, separator=separator):
            what = "*" if of is None else _expression(of)
            ending = f"; SEPARATOR = {Literal(separator)}" if function == "group_concat" else ""
            return f"{function.upper()}({'DISTINCT ' if distinct else ''}{what}{ending})"
        case Call(function=Iri() as function, arguments=arguments):
            return f"{function}({_listed(arguments)})"
        case Call(function="!", arguments=(value,)):
            return f"(! {_expression(value)})"
        case Call(function="negative", arguments=(value,)):
            return f"(- {_expression(value)})"
        case Call(function="in", arguments=(value, *among)):
            return f"({_expression(value)} IN ({_listed(among)}))"
        case Call(function=str() as function, arguments=arguments) if not function.isidentifier():
            return f"({f' {function} '.join(map(_expression, arguments))})"
        case Call(function=function, arguments=arguments):
            return f"{str(function).upper()}({_listed(arguments)})"


def _in_brackets(expression: Expression) -> str:
    written = _expression(expression)
    return written if written.startswith("(") else f"({written})"


def _listed(expressions: tuple[Expression, ...] | list[Expression]) -> str:
    return ", ".join(map(_expression, expressions))


def _term(at: At) -> str:
    term = at.term
    if isinstance(term, Literal):
        plain = _PLAIN.get(term.datatype)
        if plain is not None and plain.fullmatch(term.lexical):
            return term.lexical
    return str(term)
