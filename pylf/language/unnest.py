"""A nested expression as a program in the paper's style: one call a line, a variable for each branch."""

from __future__ import annotations

from pylf.language import syntax


def in_lines(expression: syntax.Expression) -> syntax.Program:
    """The program that answers with the expression: ``expression1``, ``expression2``, … are its branches, each assigned
    anew with every call along it, and ``expression`` is the answer."""
    assignments: list[syntax.Assignment] = []
    branches = 0

    def write(node: syntax.Expression) -> syntax.Reference:
        nonlocal branches
        match node:
            case syntax.Reference():
                return node
            case syntax.Join(relation=relation, of=of, negated=negated):
                at = write(of)
                node = syntax.Join(relation, at, negated)
            case syntax.And(sets=sets):
                places = tuple(write(s) for s in sets)
                at, node = places[0], syntax.And(places)
            case syntax.Or(sets=sets):
                places = tuple(write(s) for s in sets)
                at, node = places[0], syntax.Or(places)
            case syntax.Minus(left=left, right=right):
                at = write(left)
                node = syntax.Minus(at, write(right))
            case syntax.CountOf(of=of):
                at = write(of)
                node = syntax.CountOf(at)
            case syntax.Ask(of=of):
                at = write(of)
                node = syntax.Ask(at)
            case syntax.Arg(of=of):
                at = write(of)
                node = syntax.Arg(node.mode, at, node.relation, node.k, node.counted)
            case syntax.TimeConstraint(of=of):
                at = write(of)
                node = syntax.TimeConstraint(at, node.relation, node.value, node.until)
            case _:
                branches += 1
                at = syntax.Reference(f"expression{branches}")
        assignments.append(syntax.Assignment(at.name, node))
        return at

    last = write(expression)
    assignments.append(syntax.Assignment("expression", syntax.Stop(last)))
    return syntax.Program(tuple(assignments))
