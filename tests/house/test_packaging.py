"""What is in the checkout is in the source distribution, in the wheel and in an installation; nothing else is.

The distributions are built with the setuptools of this environment, from a copy, without a network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINKS = ("ir", "backends", "reasoners", "grammars", "datasets")
# the safe way to unpack came with a patch release of 3.11
EXTRACT = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")

for tool, oldest in (("setuptools", 77), ("pip", 22)):
    try:
        found = int(version(tool).partition(".")[0])
    except PackageNotFoundError:
        found = 0
    if found < oldest:
        pytest.skip(f"{tool} {oldest} or later is not installed here", allow_module_level=True)


class Built(NamedTuple):
    """A copy of the checkout, and what was built from it: the wheel comes from the unpacked sdist."""

    checkout: Path
    sdist: Path
    unpacked: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("built")
    checkout = folder / "checkout"
    shutil.copytree(ROOT, checkout, symlinks=True, ignore=NOT_COPIED)
    # as after a test run: caches lie about, and must not travel
    (checkout / "pylf" / "__pycache__").mkdir()
    (checkout / "pylf" / "__pycache__" / "stale.cpython-311.pyc").write_bytes(b"")
    sdist = build(checkout, "build_sdist", folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", **EXTRACT)
    (unpacked,) = (folder / "unpacked").iterdir()
    return Built(checkout, sdist, unpacked, build(unpacked, "build_wheel", folder))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site-packages of a plain installation of the wheel."""
    return install(built.wheel, tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def editable(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site-packages of an editable installation of the copied checkout."""
    folder = tmp_path_factory.mktemp("editable")
    return install(build(built.checkout, "build_editable", folder), folder)


def build(source: Path, hook: str, to: Path) -> Path:
    """Run a hook of the build backend, as pip and build do; the file it made."""
    script = f"import sys; from setuptools import build_meta; print(build_meta.{hook}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", script, str(to)], cwd=source, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return to / done.stdout.splitlines()[-1]


def install(wheel: Path, to: Path) -> Path:
    """Install ``wheel`` alone into a new virtual environment in ``to``; the environment's site-packages."""
    environment = to / "venv"
    venv.create(environment, with_pip=False, symlinks=os.name != "nt")
    command = [sys.executable, "-m", "pip", "--python", str(python(environment)), "install", "--quiet", "--no-deps"]
    done = subprocess.run(
        [*command, "--no-index", str(wheel)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment), "platbase": str(environment)}))


def python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def python_beside(site: Path) -> Path:
    return python(next(parent for parent in site.parents if (parent / "pyvenv.cfg").exists()))


def run(interpreter: Path, script: str, cwd: Path, path: list[Path] | None = None) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if path:
        environment["PYTHONPATH"] = os.pathsep.join(map(str, path))
    done = subprocess.run(
        [str(interpreter), "-c", script],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def package_files(root: Path) -> set[str]:
    """The files of the import package below ``root``, caches apart."""
    return {
        path.relative_to(root).as_posix()
        for path in (root / "pylf").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_checkout_sdist_wheel_and_installation_hold_the_same_package(built: Built, installed: Path) -> None:
    checkout = package_files(built.checkout)
    assert package_files(built.unpacked) == checkout
    with zipfile.ZipFile(built.wheel) as archive:
        assert {name for name in archive.namelist() if name.startswith("pylf/")} == checkout
        for name in checkout:
            assert archive.read(name) == (built.checkout / name).read_bytes(), name
    assert package_files(installed) == checkout
    for name in checkout:
        assert (installed / name).read_bytes() == (built.checkout / name).read_bytes(), name


def test_the_package_ships_more_than_code(built: Built) -> None:
    kinds = {Path(name).suffix for name in package_files(built.unpacked)}
    assert {".py", ".lark", ".toml", ".ttl"} <= kinds
    assert "pylf/py.typed" in package_files(built.unpacked)


def test_the_wheel_puts_one_package_into_site_packages(built: Built, installed: Path) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        top = {name.split("/")[0] for name in archive.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == {"pylf"}
    assert [name for name in LINKS if list(installed.glob(f"{name}*"))] == []


def test_the_sdist_holds_what_the_tests_need_and_no_link(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        members = {member.name.partition("/")[2]: member for member in archive.getmembers()}
    assert {"LICENSE", "NOTICE", "README.md", "dev.py", "tests/conftest.py", "docs/onboarding.md"} <= members.keys()
    assert [name for name, member in members.items() if member.issym() or member.islnk()] == []
    assert [name for name in members if name.split("/")[0] in LINKS] == []


def test_the_metadata_says_who_and_what(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode().splitlines()
        (scripts,) = (n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt"))
        assert "pylf = pylf.cli.main:main" in archive.read(scripts).decode().splitlines()
    own = run(Path(sys.executable), "import pylf; print(pylf.__version__)", built.checkout)
    for line in ("Name: pylf-kgqa", f"Version: {own}", "License-Expression: Apache-2.0", "Requires-Python: >=3.11"):
        assert line in metadata
    # a bare installation asks for exactly this; all but the first two are imported only when used
    needed = [line for line in metadata if line.startswith("Requires-Dist: ") and ";" not in line]
    named = {line.removeprefix("Requires-Dist: ").partition(">")[0] for line in needed}
    assert named == {"lark", "pyoxigraph", "rdflib", "SPARQLWrapper", "shtab", "sympy"}


def test_an_installed_package_named_datasets_wins_over_the_root_link(built: Built, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "datasets").mkdir(parents=True)
    (site / "datasets" / "__init__.py").write_text("WHO = 'stand-in'\n", encoding="utf-8")
    script = "import datasets; print(datasets.WHO)"
    # the root first on the path, as for `python -m pytest` in a checkout
    assert run(Path(sys.executable), script, tmp_path, [built.checkout, site]) == "stand-in"


def test_a_plain_installation_is_used_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    assert Path(run(python_beside(installed), "import pylf; print(pylf.__file__)", tmp_path)).is_relative_to(installed)


def test_an_editable_installation_follows_the_checkout(built: Built, editable: Path, tmp_path: Path) -> None:
    where = run(python_beside(editable), "import pylf; print(pylf.__file__)", tmp_path)
    assert Path(where) == built.checkout / "pylf" / "__init__.py"
    for name in ("ir", "datasets"):
        found = run(python_beside(editable), f"import importlib.util as u; print(u.find_spec({name!r}))", tmp_path)
        assert found == "None"


def test_the_package_runs_as_a_module_from_the_root(built: Built) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pylf", "--version"], cwd=built.checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pylf ")
