"""Imports run one way, and what is costly to import is imported only when it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pylf"

# room -> the rooms it may import. A room is a module or package directly below pylf; "pylf" is pylf/__init__.py, and
# the bundled graph is a room of its own: files that the api opens, below datasets, whose builders use the api.
#
#   cli → {api, reasoners, datasets, evaluation} → {language, frontends, models, render} → {backends, ir}
#       → {errors, records}
#
# narrower where a room needs less: the language knows no backend, and neither language nor ir knows the other side.
LOW = {"errors", "records"}
MIDDLE = LOW | {"ir", "backends"}
UPPER = MIDDLE | {"language", "frontends", "models", "render"}
ARROWS: dict[str, set[str]] = {
    "errors": set(),
    "records": set(),
    "forms": set(),
    "files": {"errors"},
    "progress": set(),
    "ir": LOW,
    "backends": LOW | {"ir"},
    "language": LOW | {"ir"},
    "equivalence": LOW | {"ir"},
    "frontends": MIDDLE | {"language"},
    "models": MIDDLE | {"progress"},
    "grammars": LOW | {"ir"},
    "bundled": LOW | {"ir"},
    "config": LOW | {"backends"},
    "render": LOW | {"ir", "language"},
    "graphs": UPPER | {"bundled"},
    "explained": MIDDLE,
    "surroundings": UPPER | {"graphs"},
    "result": UPPER | {"graphs"},
    "reading": LOW | {"ir", "language", "frontends"},
    "walks": UPPER | {"graphs"},
    "settings": MIDDLE | {"language", "forms", "reading"},
    "api": UPPER | {"bundled", "explained", "forms", "graphs", "reading", "result", "settings", "surroundings"},
    "batch": UPPER | {"api", "files", "forms"},
    "doctor": UPPER | {"api", "batch", "graphs"},
    "datasets": UPPER | {"api", "batch"},
    "evaluation": UPPER | {"api", "datasets", "equivalence", "files", "forms", "progress"},
    "reasoners": UPPER | {"api", "datasets", "evaluation", "graphs", "progress"},
    "testing": UPPER | {"pylf", "api", "batch", "equivalence", "graphs", "progress"},
    "pylf": LOW | {"api", "backends"},
    "cli": UPPER
    | {"pylf", "api", "batch", "bundled", "forms", "config", "datasets", "evaluation", "grammars", "reasoners"}
    | {"doctor", "equivalence", "explained", "files", "graphs", "progress"},
    "__main__": {"cli"},
}

# what a room may know of another by type alone, under TYPE_CHECKING: a notebook shows what the api hands out, and a
# result holds the query that it is one of, and an explanation is of a query
BY_TYPE = {("explained", "api"), ("render", "api"), ("result", "api")}

HEAVY = {
    *("SPARQLWrapper", "lark", "mpmath", "pyoxigraph", "rdflib", "sympy"),
    *("faiss", "numpy", "openai", "safetensors", "sentence_transformers", "simcse", "tokenizers", "torch"),
    *("transformers", "xllamacpp"),
}
# not heavy, but each takes as long as a stage of a compilation, and none is needed for one
SLOW = {"dataclasses", "difflib", "inspect", "json", "pathlib", "shutil", "sqlite3", "tomllib", "urllib"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE).with_suffix("")
    return _room(".".join(("pylf", *relative.parts)).removesuffix(".__init__"))


def imported_rooms(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and room of every import of the package, those inside functions and for types alone included.

    The version is everybody's.
    """
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [(node.lineno, _room(n.name)) for n in names if n.name.split(".")[0] == "pylf"]
            case ast.ImportFrom(level=0, module="pylf", names=[ast.alias(name="__version__")]):
                pass
            case ast.ImportFrom(level=0, module=str(name), names=names) if name.split(".")[0] == "pylf":
                found += [(node.lineno, _room(f"{name}.{n.name}")) for n in names]
    return found


def _room(dotted: str) -> str:
    """The room that a module, or a name imported from one, belongs to."""
    match dotted.split("."):
        case ["pylf", "datasets", "bundled", *_]:
            return "bundled"
        case ["pylf", name, *_] if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file():
            return name
    return "pylf"


def type_only_lines(tree: ast.AST) -> set[int]:
    """The lines of every ``if TYPE_CHECKING:``."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    }


def forbidden(path: Path) -> list[str]:
    room = room_of(path)
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    by_type = type_only_lines(tree)
    return [
        f"{path.relative_to(ROOT)}:{line}: {room} may not import {other}"
        for line, other in imported_rooms(tree)
        if other not in ARROWS.get(room, set()) | {room}
        if not (line in by_type and (room, other) in BY_TYPE)
    ]


def test_every_room_has_a_line_in_the_table() -> None:
    rooms = {room_of(path) for path in modules()}
    assert sorted(rooms - ARROWS.keys()) == []


def test_the_table_itself_runs_one_way() -> None:
    left = dict(ARROWS)
    while left:
        free = {room for room, targets in left.items() if not targets & left.keys()}
        assert free, f"rooms that import each other in a circle: {sorted(left)}"
        left = {room: targets for room, targets in left.items() if room not in free}


def test_no_import_runs_against_the_arrows() -> None:
    assert [line for path in modules() for line in forbidden(path)] == []


def test_the_check_sees_every_form_of_import() -> None:
    forms = {
        "import pylf": "pylf",
        "from pylf import compile": "pylf",
        "import pylf.cli.main as m": "cli",
        "from pylf import errors": "errors",
        "from pylf.errors import Span": "errors",
        "def f():\n    from pylf.backends.sparql import emit": "backends",
        "if TYPE_CHECKING:\n    from pylf.ir import nodes": "ir",
        "from pylf.datasets import bundled": "bundled",
        "from pylf.datasets.nestkgqa import build": "datasets",
    }
    seen = {text: [room for _, room in imported_rooms(ast.parse(text))] for text in forms}
    assert seen == {text: [room] for text, room in forms.items()}


def test_imports_are_absolute() -> None:
    relative = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@pytest.mark.parametrize(
    "statement",
    [
        "import pylf",
        "import pylf; pylf.compile",
        "import pylf.cli.main",
        "import pylf.errors, pylf.ir.nodes, pylf.language.syntax",
    ],
)
def test_nothing_costly_is_imported(statement: str) -> None:
    assert _loaded_by(statement) & HEAVY == set()


def test_compiling_imports_nothing_costly(tmp_path: Path) -> None:
    program = tmp_path / "program.pylf"
    program.write_text("x = START('Delta II')\nx = STOP(x)\n", encoding="utf-8")
    statement = f"from pylf.cli.main import main; assert not main(['compile', {str(program)!r}, '--to', 'sparql'])"
    assert _loaded_by(statement) & (HEAVY | SLOW) == set()


def test_help_imports_nothing_costly() -> None:
    assert _loaded_by("from pylf.cli.main import main; assert not main(['--help'])") & (HEAVY | SLOW) == set()


def _loaded_by(statement: str) -> set[str]:
    """The top-level names of every module that ``statement`` makes a new interpreter load."""
    script = (
        "import sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print('loaded', *{name.partition('.')[0] for name in sys.modules.keys() - before})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split()[1:])
