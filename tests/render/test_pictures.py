"""Pictures: every query can be drawn, what is drawn is well-formed, and nothing lies upon anything else."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

import pylf
from pylf import api
from pylf.errors import InputError
from pylf.ir.text import parse_query
from pylf.render.picture import draw, sketch
from pylf.testing.ir_strategies import queries

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.nodes import Query
    from pylf.render.picture import Box

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>\"'&amp;\\n\\l{|}<br/>]]> %%{init}%% #quot; ```"


def drawn(query: Query, form: str) -> str:
    return draw(query, api.empty_schema(), api.load_vocabulary("rdf"), form)


def sketched(program: str) -> Box:
    query = pylf.compile(program)
    return sketch(query.ir, query.schema, query.vocabulary)


def rectangles(svg: str) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """Nodes and frames of a picture, each as left, top, right, bottom."""
    root = ET.fromstring(svg)

    def sides(rect: ET.Element) -> tuple[float, ...]:
        x, y, width, height = (float(rect.get(name, "0")) for name in ("x", "y", "width", "height"))
        return x, y, x + width, y + height

    nodes = [sides(rect) for group in root.iter(SVG + "g") for rect in group.iter(SVG + "rect")]
    frames = [sides(rect) for rect in root.findall(SVG + "rect") if rect.get("x") is not None]
    return nodes, frames


def apart(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def within(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]


def check_layout(svg: str) -> None:
    root = ET.fromstring(svg)
    size = (0.0, 0.0, float(root.get("width", "0")), float(root.get("height", "0")))
    nodes, frames = rectangles(svg)
    for i, one in enumerate(nodes):
        assert within(one, size)
        assert all(apart(one, other) for other in nodes[i + 1 :])
        assert all(apart(one, frame) or within(one, frame) for frame in frames)
    for i, frame in enumerate(frames):
        assert within(frame, size)
        assert all(apart(frame, other) or within(frame, other) or within(other, frame) for other in frames[i + 1 :])


@given(queries(depth=4))
@settings(max_examples=60)
def test_any_query_is_drawn_without_overlaps(query: Query) -> None:
    check_layout(drawn(query, "svg"))
    for form in ("dot", "mermaid"):
        assert drawn(query, form).isascii() or drawn(query, form)


def test_examples_are_drawn_without_overlaps(root: Path) -> None:
    for path in sorted((root / "examples").glob("*.pylf")):
        query = pylf.compile(path.read_text(encoding="utf-8"))
        check_layout(query.to("svg"))
        assert query.to("svg") == query.to("svg")


def test_lines_pass_no_node_and_no_label() -> None:
    svg = pylf.compile(
        "a = JOIN('spaceflight.rocket.manufacturer', START('Boeing Company'), neg=True)\n"
        "b = OR(a, CMP('!=', 'spaceflight.rocket.mass', 2e5), START('orbital launch vehicle'))\n"
        "e = STOP(ARG('ARGMIN', AND(b, JOIN('spaceflight.rocket.stages', START('x'))), 'spaceflight.rocket.height'))"
    ).to("svg")
    nodes, _ = rectangles(svg)
    for path in ET.fromstring(svg).findall(SVG + "path"):
        steps = (path.get("d") or "").replace("M", " ").replace("L", " ").replace("Q", " ").split()
        for (ax, ay), (bx, by) in pairwise(zip(map(float, steps[::2]), map(float, steps[1::2]), strict=True)):
            # what is left of a stretch without the two ends, where it may touch the nodes that it connects
            line = (min(ax, bx) + 1, min(ay, by) + 0.5, max(ax, bx) - 1, max(ay, by) - 0.5)
            assert all(line[2] < n[0] or n[2] < line[0] or line[3] < n[1] or n[3] < line[1] for n in nodes)


# -- what is drawn


def test_negation_is_a_box_of_its_own() -> None:
    outer = sketched("e = STOP(JOIN('spaceflight.propellant.engines', JOIN('spaceflight.rocket_engine.manufacturer', "
                     "START(':x')), neg=True))")  # fmt: skip
    assert [box.kind for box in outer.walk()] == ["all", "not"]
    assert [dot.lines for dot in outer.dots] == [["?propellant", "a propellant"]]
    inner = sketched("e = STOP(JOIN('spaceflight.propellant.engines', JOIN('spaceflight.rocket_engine.manufacturer', "
                     "START(':x'), neg=True)))")  # fmt: skip
    assert [dot.lines[0] for dot in inner.dots] == ["?propellant", "?rocket_engine"]
    (negated,) = inner.boxes
    assert (negated.kind, [dot.lines for dot in negated.dots]) == ("not", [[":x"]])


def test_a_dashed_frame_says_not_and_a_doubly_negated_one_is_white_again() -> None:
    svg = pylf.compile("e = STOP(TC(START('company'), 'organization.organization.date_founded', '1990'))").to("svg")
    frames = [r for r in ET.fromstring(svg).findall(SVG + "rect") if r.get("stroke") == "#b91c1c"]
    assert [f.get("fill") for f in frames] == ["#fef2f2", "#ffffff"]
    assert all(f.get("stroke-dasharray") for f in frames)


def test_superlatives_counts_and_unions_are_titled() -> None:
    titles = [
        b.title
        for b in sketched("e = STOP(COUNT(ARG('ARGMAX', START('rocket'), 'spaceflight.rocket.mass', k=2)))").walk()
    ]
    assert titles == ["Which number ?count?", "?count = number of ?rocket", "?rocket: 2 with the largest ?mass"]
    titles = [b.title for b in sketched("e = STOP(OR(START('rocket'), START('spacecraft')))").walk()]
    assert titles == ["Which ?x?", "either", "or"]


def test_the_answer_of_a_union_stands_outside_its_arms() -> None:
    root = sketched("e = STOP(OR(JOIN('spaceflight.spacecraft.destinations', ':a'), START('satellite')))")
    assert [dot.kind for dot in root.dots] == ["answer"]
    notes = [dot.lines for box in root.boxes for dot in box.dots if dot.kind == "note"]
    assert notes == [["a satellite"]]


def test_a_label_is_a_line_on_what_bears_it() -> None:
    root = sketched("e = STOP(JOIN('spaceflight.spacecraft.destinations', START('Venus')))")
    assert [dot.lines for dot in root.dots] == [["?spacecraft"], ["?x", "called ‘Venus’"]]


def test_dot_names_no_outer_node_inside_a_cluster() -> None:
    text = pylf.compile("e = STOP(JOIN('spaceflight.rocket.manufacturer', START(':x'), neg=True))").to("dot")
    lines = text.splitlines()
    assert next(i for i, line in enumerate(lines) if " -> " in line) > max(
        i for i, line in enumerate(lines) if line == "  }"
    )
    mermaid = pylf.compile("e = STOP(JOIN('spaceflight.rocket.manufacturer', START(':x'), neg=True))").to("mermaid")
    lines = mermaid.splitlines()
    assert next(i for i, line in enumerate(lines) if "-->" in line) > lines.index("  end")


def test_there_is_no_other_form() -> None:
    query = pylf.compile("e = STOP(START('rocket'))")
    with pytest.raises(InputError, match="dot, mermaid or svg, not 'png'"):
        draw(query.ir, query.schema, query.vocabulary, "png")


# -- hostile text


def hostile() -> Query:
    escaped = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    return parse_query(f'set ?x\n  ?x: any\nwhere\n  ?x <http://x/p> "{escaped}\\u0000\\u001B[31m\\uD7FF\\n"\n')


def test_hostile_text_is_text_in_svg() -> None:
    svg = drawn(hostile(), "svg")
    check_layout(svg)
    root = ET.fromstring(svg)
    assert not list(root.iter(SVG + "script"))
    assert "<script>alert(1)</script>" in "".join(root.itertext())
    assert "\x1b" not in svg
    assert "\x00" not in svg


def test_hostile_text_is_text_in_mermaid() -> None:
    text = drawn(hostile(), "mermaid")
    body = text.partition("classDef")[0]
    assert not set(body) & set("<>&\\`%{}|") - set("->")
    assert "script" in body
    assert '"#' in body or "#60;" in body
    assert body.count('"') % 2 == 0
    assert all(line.count('"') in (0, 2) for line in body.splitlines())


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_every_picture(root: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((root / "examples").glob("*.pylf"))]
    pictures = [drawn(hostile(), "dot"), *(pylf.compile(text).to("dot") for text in texts)]
    done = subprocess.run(["dot", "-Tsvg"], input="\n".join(pictures).encode(), capture_output=True, check=True)
    assert done.stderr == b""
    shown = done.stdout.decode()
    assert shown.count("<svg ") == len(pictures)
    assert "<script>" not in shown
    assert "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in shown


def test_long_and_wide_texts_are_cut_to_measure() -> None:
    long = "漢字" * 400 + " " + "word " * 300 + "x" * 1000
    svg = drawn(parse_query(f'set ?x\n  ?x: any\nwhere\n  ?x <http://x/{"p" * 500}> "{long}"\n'), "svg")
    check_layout(svg)
    assert float(ET.fromstring(svg).get("width", "0")) < 1200
    assert any("word " * 300 in (title.text or "") for title in ET.fromstring(svg).iter(SVG + "title"))


def test_deep_and_wide_queries_are_drawn() -> None:
    chain = "e = START('x')\n" + "e = JOIN('organization.organization.merged_into', e)\n" * 1500 + "e = STOP(e)"
    nots = "e = START('x')\n" + "e = JOIN('organization.organization.merged_into', e, neg=True)\n" * 95 + "e = STOP(e)"
    for program in (chain, nots):
        query = pylf.compile(program)
        for form in ("svg", "dot", "mermaid"):
            assert query.to(form)


def test_cycles_and_loops_are_drawn() -> None:
    body = "?a <http://x/p> ?b\n  ?b <http://x/q> ?a\n  ?a <http://x/r> ?a\n  not\n    ?a <http://x/s> ?b\n"
    query = parse_query(f"rows ?a ?b\n  ?a: any\n  ?b: any\nwhere\n  {body}")
    check_layout(drawn(query, "svg"))
    box = sketch(query, api.empty_schema(), api.load_vocabulary("rdf"))
    assert box.dots[0].lines == ["?a", "is its own <http://x/r>"]
    assert box.boxes[0].dots[0].lines == ["?a <http://x/s> ?b"]
    assert sum(arrow.tie for arrow in box.boxes[0].arrows) == 2
