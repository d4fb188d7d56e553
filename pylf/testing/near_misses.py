"""Near misses of any program: one thing changed, so that it mostly means something else.

:mod:`pylf.testing.variants` knows which things may be changed (a negation dropped or moved inwards, AND for OR, an
operator, a set added), and writes what is new in the words of a world of its own. Here those are exchanged for words
that the program has anyway, or that a schema has; and a word may be all that changes: another relation, or the same
one in the other direction; another value of a comparison; another entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.schema.names import class_name, relation_name
from pylf.language import syntax
from pylf.language.names import INVERSE
from pylf.records import replace
from pylf.testing.any_schema import part_of
from pylf.testing.leaves import leaves, mapped
from pylf.testing.variants import variant

if TYPE_CHECKING:
    from random import Random

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.testing.leaves import Leaf

#: so many times a change is looked for that changes anything
_TRIES = 10


class Words(NamedTuple):
    """Words that may stand in the place of others."""

    relations: tuple[syntax.Name, ...]
    starts: tuple[syntax.Start, ...]
    values: tuple[syntax.Text | syntax.Number, ...]


def words_of(
    program: syntax.Program, random: Random, schema: Schema | None = None, vocabulary: Vocabulary | None = None
) -> Words:
    """The words of a program, and some of a schema's where there is one."""
    own = list(leaves(program))
    relations = [leaf for leaf in own if isinstance(leaf, syntax.Name)]
    starts = [leaf for leaf in own if isinstance(leaf, syntax.Start)]
    values = [leaf for leaf in own if isinstance(leaf, syntax.Text | syntax.Number)]
    values += [start.value for start in starts if start.implicit]
    if schema is not None and vocabulary is not None:
        part = part_of(schema, random)
        relations += [syntax.Name(relation_name(row.iri, schema, vocabulary)) for row in part.relations]
        starts += [syntax.Start(syntax.Text(class_name(row.iri, schema, vocabulary))) for row in part.classes]
    return Words(tuple(relations), tuple(starts), tuple(values))


def near_miss(program: syntax.Program, random: Random, words: Words) -> syntax.Program | None:
    """A program with one thing changed; None where nothing was found that changes it. It may not compile."""
    for _ in range(_TRIES):
        place = random.randrange(len(program.assignments)) - 1
        old = program.assignments[place]
        stop = isinstance(old.value, syntax.Stop)
        expression = old.value.of if isinstance(old.value, syntax.Stop) else old.value
        changed = _changed(expression, random, words)
        if changed != expression:
            new = replace(old, value=syntax.Stop(changed) if stop else changed)
            assignments = list(program.assignments)
            assignments[place] = new
            return syntax.Program(tuple(assignments), program.question_info)
    return None


def _changed(expression: syntax.Expression, random: Random, words: Words) -> syntax.Expression:
    own = list(leaves(expression))
    if own and random.random() < 0.4:
        gone = random.choice(own)
        return mapped(expression, lambda leaf: _other(leaf, random, words) if leaf is gone else leaf)
    known = set(map(id, own))
    known.update(id(leaf.value) for leaf in own if isinstance(leaf, syntax.Start))

    def worded(leaf: Leaf) -> Leaf:
        value = leaf.value if isinstance(leaf, syntax.Start) and leaf.implicit else leaf
        return leaf if id(leaf) in known or id(value) in known else _another(leaf, random, words)

    return mapped(variant(expression, random), worded)


def _another(leaf: Leaf, random: Random, words: Words) -> Leaf:
    """Any word of that sort; the word itself where there is none."""
    match leaf:
        case syntax.Name():
            return random.choice(words.relations or (leaf,))
        case syntax.Start():
            return random.choice(words.starts or (leaf,))
        case _:
            return random.choice(words.values or (leaf,))


def _other(leaf: Leaf, random: Random, words: Words) -> Leaf:
    """A word that is not the same, or not read the same."""
    match leaf:
        case syntax.Name(text) if random.random() < 0.5:
            return syntax.Name(text.removeprefix(INVERSE) if text.startswith(INVERSE) else INVERSE + text)
        case syntax.Number(text) if random.random() < 0.7:
            return syntax.Number(
                random.choice(("0", "-" + text.lstrip("+-"), text.lstrip("+-"), "1" + text.lstrip("+-")))
            )
        case syntax.Start(syntax.Number() as number, kind, implicit) if random.random() < 0.7:
            value = _other(number, random, words)
            assert isinstance(value, syntax.Number | syntax.Text)
            return syntax.Start(value, kind, implicit)
        case syntax.Start(value, kind, implicit) if not implicit and random.random() < 0.2:
            return syntax.Start(value, random.choice(("class", "entity", "literal", None)), implicit)
        case _:
            return _another(leaf, random, words)
