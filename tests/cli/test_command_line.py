"""What holds of every command: help, versions, names that are not known, pipes, exit statuses, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pylf.cli.dispatch import COMMANDS

if TYPE_CHECKING:
    from tests.cli.conftest import Command

PYLF = [sys.executable, "-m", "pylf"]


def test_help_names_every_command_on_any_terminal(process: Command, env: dict[str, str]) -> None:
    for columns in ("20", "80", "0", "many", "-5"):
        done = subprocess.run([*PYLF, "--help"], capture_output=True, env=env | {"COLUMNS": columns}, check=False)
        assert done.returncode == 0
        assert not done.stderr
        for command in COMMANDS:
            assert command in done.stdout.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(pylf: Command, command: str) -> None:
    status, out, err = pylf(command, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: pylf {command}")


def test_no_command_is_told_what_there_is(pylf: Command) -> None:
    status, out, _ = pylf()
    assert status == 2
    assert "compile" in out


def test_version(pylf: Command) -> None:
    import pylf as package

    assert pylf("--version") == (0, f"pylf {package.__version__}\n", "")
    status, out, err = pylf("--version", "-v")
    assert (status, err) == (0, "")
    assert "pyoxigraph" in out
    assert "Python 3." in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["compil", "x"], "no command 'compil'; was compile meant?"),
        (["zzz"], "no command 'zzz'; there are compile, check"),
        (["schema", "inferr"], "no command 'inferr'; was infer meant?"),
        (["compile", "--schem", "x", "y"], "no option --schem; was --schema meant?"),
        (["compile", "--schem=x", "y"], "no option --schem; was --schema meant?"),
        (["--versio"], "no option --versio; was --version meant?"),
        (["compile", "a", "b"], "'b' is one argument too many"),
        (["compile", "a", "--to", "sparkl"], "--to: 'sparkl' is not known; was sparql meant?"),
        (["compile", "a", "-O7"], "-O: 7 is not known; it can be 0, 1"),
        (["compile"], "required: FILE"),
        (["kg", "load", "a.ttl"], "required: --into"),
        (["run", "a", "--limit", "0"], "'0' is not a whole number above 0"),
        (["run", "a", "--timeout", "nan"], "'nan' is not a number of seconds above 0"),
        (["completion", "tcsh"], "'tcsh' is not known; it can be bash, zsh, fish"),
    ],
)
def test_what_is_not_known_is_named_with_the_nearest(pylf: Command, arguments: list[str], told: str) -> None:
    status, out, err = pylf(*arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert "--help" in err


def test_options_are_not_abbreviated(pylf: Command, example: Path) -> None:
    assert pylf("compile", example, "--lenien").status == 2


# -- reading


@pytest.mark.parametrize("command", ["compile", "check", "fmt", "run"])
def test_files_that_cannot_be_read(pylf: Command, here: Path, command: str) -> None:
    (here / "binary").write_bytes(b"\x80\x81\x00")
    (here / "utf16").write_bytes("e = STOP(START('a'))".encode("utf-16"))
    with (here / "huge").open("wb") as huge:
        huge.truncate(10_000_001)
    for name, told in [
        ("missing.pylf", "missing.pylf: no such file or directory"),
        (".", ".: is a directory"),
        ("binary", "binary: not UTF-8 text (byte 0)"),
        ("utf16", "utf16: not UTF-8 text"),
        ("huge", "huge: larger than 10,000,000 bytes"),
    ]:
        status, out, err = pylf(command, name)
        assert status == 2
        assert "ok" not in out
        assert told in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_that_may_not_be_read(pylf: Command, here: Path) -> None:
    (here / "secret").write_text("")
    (here / "secret").chmod(0)
    assert "secret: permission denied" in pylf("compile", "secret").err


@pytest.mark.parametrize("stdin", [b"", b"\n", b"\xef\xbb\xbf", b"# only a comment\n"])
@pytest.mark.parametrize("command", ["compile", "check", "run"])
def test_empty_programs_are_diagnosed(pylf: Command, command: str, stdin: bytes) -> None:
    status, out, err = pylf(command, "-", stdin=stdin)
    assert status == (1 if command == "check" else 2)
    assert "error[" in (out if command == "check" else err)


def test_standard_input_is_a_program(pylf: Command, example: Path) -> None:
    from_file = pylf("compile", example)
    from_stdin = pylf("compile", "-", stdin=example.read_text(encoding="utf-8"))
    assert from_stdin.out == from_file.out
    with_mark = pylf("compile", "-", stdin=b"\xef\xbb\xbf" + example.read_bytes())
    assert with_mark.out == from_file.out


def test_errors_of_standard_input_name_it(pylf: Command) -> None:
    assert "<stdin>:1:" in pylf("compile", "-", stdin="e = STOP(JOIN(").err


@pytest.mark.parametrize("to", ["sparql", "english", "svg", "pylf"])
def test_deep_input_is_no_traceback(pylf: Command, to: str) -> None:
    deep = "e = STOP(" + "JOIN('organization.organization.merged_into', " * 5000 + "START('x')" + ")" * 5001
    assert pylf("compile", "-", "--to", to, stdin=deep).status in (0, 2)
    long = (
        "e = START('x')\n" + "e = JOIN('organization.organization.merged_into', e, neg=True)\n" * 3000 + "e = STOP(e)"
    )
    assert pylf("compile", "-", "--to", to, stdin=long).status in (0, 2)
    assert pylf("compile", "-", "--from", "json", "--to", to, stdin="[" * 100_000).status == 2
    assert pylf("compile", "-", "--from", "ir", "--to", to, stdin="not\n" * 5_000).status == 2


# -- writing


def test_results_are_apart_from_remarks(pylf: Command, example: Path) -> None:
    status, out, err = pylf("compile", example)
    assert status == 0
    assert out.startswith("SELECT")
    assert "bundled graph" in err
    assert "bundled" not in out


def test_a_reader_that_goes_away_is_no_error(here: Path, example: Path, env: dict[str, str]) -> None:
    for arguments in (["compile", str(example), "--to", "svg"], ["--help"], ["schema", "show"]):
        process = subprocess.Popen([*PYLF, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        assert process.stdout is not None
        process.stdout.close()
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0
        assert b"Traceback" not in err
        assert b"BrokenPipe" not in err


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_is_told(here: Path, example: Path, env: dict[str, str]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*PYLF, "compile", str(example)], stdout=full, stderr=subprocess.PIPE, env=env, check=False
        )
    assert done.returncode == 2
    assert b"the output cannot be written: no space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_closed_streams_are_no_traceback(here: Path, example: Path, env: dict[str, str]) -> None:
    command = " ".join(map(str, [*PYLF, "compile", example]))
    assert subprocess.run(["sh", "-c", f"{command} >&-"], env=env, capture_output=True, check=False).returncode in (
        0,
        2,
    )
    assert subprocess.run(["sh", "-c", f"{command} 2>&-"], env=env, capture_output=True, check=False).returncode == 0
    closed = subprocess.run(["sh", "-c", f"{PYLF[0]} -m pylf compile - <&-"], env=env, capture_output=True, check=False)
    assert closed.returncode == 2
    assert b"Traceback" not in closed.stderr


def test_output_is_utf8_under_any_locale(here: Path, example: Path, env: dict[str, str]) -> None:
    done = subprocess.run(
        [*PYLF, "compile", str(example), "--to", "english"],
        env=env | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert "‘Boeing Company’" in done.stdout.decode("utf-8")


def test_ctrl_c_is_130(here: Path, env: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*PYLF, "compile", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert process.stdin is not None
    process.stdin.write(b"#")
    process.stdin.flush()
    _until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err.endswith(b"pylf: interrupted\n")
    assert b"Traceback" not in err


INTERRUPTED_WHILE_IMPORTING = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = ["compile", {program!r}]
runpy.run_module("pylf", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["argparse", "pylf.errors", "pylf.cli.dispatch", "pylf.cli.compile", "pylf.api"])
def test_ctrl_c_while_modules_are_imported_is_130(here: Path, env: dict[str, str], example: Path, module: str) -> None:
    script = INTERRUPTED_WHILE_IMPORTING.format(module=module, program=str(example))
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.endswith(b"pylf: interrupted\n")
    assert b"Traceback" not in done.stderr


def _until_it_reads(pid: int) -> None:
    """Waits until a process waits for its standard input (where the system tells), or a while."""
    import time

    for _ in range(100):
        time.sleep(0.05)
        try:
            if Path(f"/proc/{pid}/wchan").read_text() in ("pipe_read", "anon_pipe_read"):
                return
        except OSError:
            break
    time.sleep(0.5)


def test_a_package_that_is_not_there_is_named(pylf: Command, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, out, err = pylf("completion", "bash")
    assert (status, out) == (2, "")
    assert "'shtab' is needed for this and is not installed" in err


def test_each_command_imports_no_other(env: dict[str, str], here: Path, example: Path) -> None:
    code = (
        "import sys; from pylf.cli.main import main; main(sys.argv[1:]);"
        "print(*(m for m in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "compile", str(example)], env=env, capture_output=True, check=True
    )
    loaded = set(done.stderr.decode().split())
    assert not loaded & {"rdflib", "sympy", "SPARQLWrapper", "shtab", "tomllib", "difflib", "dataclasses"}
    assert not {m for m in loaded if m.startswith("pylf.cli.")} - {
        "pylf.cli.main",
        "pylf.cli.dispatch",
        "pylf.cli.compile",
        "pylf.cli.options",
    }
    assert not any(m.startswith("pylf.render") for m in loaded)
    done = subprocess.run([sys.executable, "-c", code, "--help"], env=env, capture_output=True, check=True)
    assert {m for m in done.stderr.decode().split() if m.startswith("pylf")} <= {
        "pylf",
        "pylf.cli",
        "pylf.cli.main",
        "pylf.cli.dispatch",
        "pylf.errors",
    }
