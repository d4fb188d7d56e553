"""Queries in processes that can be ended: a limit holds, and nothing is left behind."""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest

from pylf.backends.engines import store, worker_main
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.worker import WorkerPool
from pylf.errors import EngineError, EngineTimeout, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(not hasattr(select, "poll"), reason="workers are had on POSIX")
on_linux = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="looks into /proc")

E = "http://e.example/"
SIDE = 24
#: longer than any of these queries takes that ends; only a test that fails waits so long
AMPLE = 60.0
#: walks through a complete graph, more of them than can be counted in an hour
CHAIN = " ".join(f"?x{i} <{E}p> ?x{i + 1} ." for i in range(9))
ENDLESS = f"SELECT (COUNT(*) AS ?n) WHERE {{ {CHAIN} }}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph on disk in which every node leads to every node."""
    place = tmp_path_factory.mktemp("worker")
    edges = (f"<{E}{i}> <{E}p> <{E}{j}> .\n" for i in range(SIDE) for j in range(SIDE))
    (place / "g.nt").write_text("".join(edges))
    store.load(place / "g.nt", place / "kg")
    return place / "kg"


@pytest.fixture
def engine(folder: Path) -> Iterator[OxigraphEngine]:
    opened = OxigraphEngine.open(folder)
    yield opened
    opened.close()


def processes(engine: OxigraphEngine) -> list[int]:
    workers = engine._queries.workers()
    assert workers is not None
    return workers.processes()


def gone(process: int) -> bool:
    """Whether a process has ended, within a while. One that nobody has waited for has ended, too."""
    for _ in range(1000):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        with contextlib.suppress(OSError):
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        time.sleep(0.01)
    return False


def meanwhile(act: Callable[[], object], after: float = 0.2) -> threading.Timer:
    timer = threading.Timer(after, act)
    timer.start()
    return timer


# --- a limit holds ----------------------------------------------------------------------------------------------------


def test_a_time_limit_ends_the_query_and_its_process(engine: OxigraphEngine) -> None:
    assert engine.ask("ASK {}", timeout=AMPLE)
    [process] = processes(engine)
    for _ in range(2):
        with pytest.raises(EngineTimeout, match=r"longer than 0\.2 s and was ended"):
            engine.select(ENDLESS, timeout=0.2)
        assert processes(engine) == []
    with pytest.raises(ProcessLookupError):  # and it has been waited for
        os.kill(process, 0)
    with pytest.raises(ChildProcessError):
        os.waitpid(process, os.WNOHANG)
    assert engine.ask(f"ASK {{ <{E}1> <{E}p> <{E}2> }}", timeout=AMPLE)
    [another] = processes(engine)
    assert another != process


@pytest.fixture
def slow_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes a second to start."""
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nsleep 1\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


@pytest.mark.usefixtures("slow_python")
def test_the_start_of_a_worker_is_not_the_querys_time(engine: OxigraphEngine) -> None:
    assert engine.ask("ASK {}", timeout=0.9)


def test_a_worker_that_does_not_start_is_an_error(engine: OxigraphEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    for python, said in (("/bin/false", "exit status 1"), ("/nowhere/python", "no process can be started")):
        monkeypatch.setattr(sys, "executable", python)
        with pytest.raises(EngineError, match=said):
            engine.ask("ASK {}", timeout=AMPLE)
        assert processes(engine) == []
    monkeypatch.undo()
    assert engine.ask("ASK {}", timeout=AMPLE)


def test_a_worker_serves_one_query_after_another(engine: OxigraphEngine) -> None:
    assert engine.ask("ASK {}", timeout=AMPLE)
    before = processes(engine)
    with pytest.raises(EngineError, match="refuses"):
        engine.select("SELECT", timeout=AMPLE)
    with pytest.raises(EngineError, match="no SELECT"):
        engine.select("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", timeout=AMPLE)
    assert len(engine.select("SELECT * WHERE { ?s ?p ?o }", timeout=AMPLE)) == SIDE * SIDE
    assert processes(engine) == before


def test_without_a_limit_there_is_no_process(engine: OxigraphEngine) -> None:
    assert engine.ask("ASK {}")
    assert engine.ask("ASK {}", timeout=float("inf"))
    assert processes(engine) == []
    with pytest.raises(InputError, match="above 0"):
        engine.ask("ASK {}", timeout=0)


def test_a_graph_in_memory_has_none(folder: Path) -> None:
    engine = OxigraphEngine.open(folder.with_name("g.nt"))
    assert engine.ask("ASK {}", timeout=AMPLE)
    assert engine._queries.workers() is None
    engine.close()


def test_one_can_be_started_with_the_graph(folder: Path) -> None:
    engine = OxigraphEngine.open(folder, limited=True)
    [process] = processes(engine)
    assert engine.ask("ASK {}", timeout=AMPLE)
    assert processes(engine) == [process]
    engine.close()


# --- nothing is left behind -------------------------------------------------------------------------------------------


def test_ctrl_c_ends_the_query_and_its_process(engine: OxigraphEngine) -> None:
    engine.ask("ASK {}", timeout=AMPLE)
    [process] = processes(engine)
    main = threading.main_thread().ident
    assert main is not None
    timer = meanwhile(lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        engine.select(ENDLESS, timeout=AMPLE)
    timer.join()
    assert gone(process)
    assert engine.ask("ASK {}", timeout=AMPLE)


def test_processes_end_with_the_engine(folder: Path) -> None:
    engine = OxigraphEngine.open(folder)
    engine.ask("ASK {}", timeout=AMPLE)
    [first] = processes(engine)
    engine.close()
    assert gone(first)
    engine.ask("ASK {}", timeout=AMPLE)
    [second] = processes(engine)
    del engine
    gc.collect()
    assert gone(second)


def started(folder: Path, statements: str) -> subprocess.Popen[str]:
    """A Python that asks the graph; the first line that it writes is the id of its worker."""
    script = f"""
        import os, sys
        from pylf.backends.engines.oxigraph import OxigraphEngine
        engine = OxigraphEngine.open({str(folder)!r})
        engine.ask("ASK {{}}", timeout=60)
        print(*engine._queries.workers().processes(), flush=True)
        """
    code = textwrap.dedent(script) + textwrap.dedent(statements)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("busy", [False, True])
def test_processes_end_when_the_parent_is_killed(folder: Path, busy: bool) -> None:
    statement = f"engine.select({ENDLESS!r}, timeout=600)" if busy else "sys.stdin.read()"
    with started(folder, statement) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        os.kill(process, 0)
        time.sleep(0.1)  # the query is on its way
        parent.kill()
        parent.wait()
        assert gone(process)


#: a thread that is in the middle of a query when the process ends
DAEMON = f"""
        import threading, time
        threading.Thread(target=engine.select, args=({ENDLESS!r}, 600), daemon=True).start()
        time.sleep(0.2)
        """


@pytest.mark.parametrize("ending", ["", "sys.exit(3)", "raise ValueError", DAEMON])
def test_processes_end_when_the_parent_ends(folder: Path, ending: str) -> None:
    with started(folder, ending) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        parent.wait(AMPLE)
        assert gone(process)


@on_linux
def test_a_worker_inherits_nothing(folder: Path) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    engine = OxigraphEngine.open(folder)
    engine.ask("ASK {}", timeout=AMPLE)
    [process] = processes(engine)
    with contextlib.suppress(FileNotFoundError):  # the folder itself is read with one that is gone then
        held = {str(file.readlink()) for file in Path(f"/proc/{process}/fd").iterdir()}
        assert str(Path(f"/proc/self/fd/{writing}").readlink()) not in held
        assert sum(name.startswith("pipe:") for name in held) == 2
    engine.close()
    os.close(reading)
    os.close(writing)


def test_a_worker_imports_nothing_but_the_engine() -> None:
    script = f"""
        import sys
        sys.path.append({str(Path(worker_main.__file__).parent)!r})
        before = set(sys.modules)
        import worker_main
        sys.path[-1:] = [{str(Path(pyoxigraph.__file__).parents[1])!r}]
        import pyoxigraph
        print(*{{name.partition(".")[0] for name in set(sys.modules) - before}})
        """
    command = [sys.executable, "-I", "-S", "-c", textwrap.dedent(script)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    unwanted = {"pylf", "rdflib", "typing", "re", "threading", "subprocess", "multiprocessing", "pickle", "json"}
    assert "pyoxigraph" in loaded
    assert set(loaded) & unwanted == set()


# --- a worker that dies -----------------------------------------------------------------------------------------------


def test_one_that_died_while_it_waited_is_replaced(engine: OxigraphEngine) -> None:
    for _ in range(20):
        engine.ask("ASK {}", timeout=AMPLE)
        for process in processes(engine):
            os.kill(process, signal.SIGKILL)
        assert engine.ask("ASK {}", timeout=AMPLE) is True


@pytest.mark.parametrize("how", [signal.SIGSEGV, signal.SIGKILL])
def test_a_process_that_dies_is_an_error_that_says_so(engine: OxigraphEngine, how: signal.Signals) -> None:
    engine.ask("ASK {}", timeout=AMPLE)
    [process] = processes(engine)
    timer = meanwhile(lambda: os.kill(process, how))
    with pytest.raises(EngineError, match=rf"kg: the process .* ended before its time \({how.name}: ") as caught:
        engine.select(ENDLESS, timeout=AMPLE)
    timer.join()
    assert not isinstance(caught.value, EngineTimeout)
    assert engine.ask("ASK {}", timeout=AMPLE)


def test_a_process_that_died_while_idle_is_replaced(engine: OxigraphEngine) -> None:
    engine.ask("ASK {}", timeout=AMPLE)
    [process] = processes(engine)
    os.kill(process, signal.SIGKILL)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    assert engine.ask("ASK {}", timeout=AMPLE)
    assert len(processes(engine)) == 1
    assert processes(engine) != [process]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited")
def test_a_limit_on_memory_ends_the_process_alone(folder: Path) -> None:
    engine = OxigraphEngine.open(folder, memory=200_000_000)
    greedy = f"SELECT ?x0 ?x5 WHERE {{ {CHAIN} }} ORDER BY ?x9"
    with pytest.raises(EngineError, match="ended before its time") as caught:
        engine.select(greedy, timeout=AMPLE)
    assert not isinstance(caught.value, EngineTimeout)
    deep = "ASK { FILTER(" + "!" * 3000 + "true) }"  # its stack does not count
    assert engine.ask(deep, timeout=AMPLE)
    engine.close()


def test_deep_queries_have_the_stack_they_need(engine: OxigraphEngine) -> None:
    for levels in (3_000, 39_000, 90_000):
        assert engine.ask("ASK { FILTER(" + "!" * levels + "true) }")
        assert engine.ask("ASK { FILTER(" + "!" * levels + "true) }", timeout=AMPLE)
    assert len(processes(engine)) == 1
    with pytest.raises(EngineError, match="too large"):
        engine.ask("ASK { FILTER(" + "!" * 200_000 + "true) }", timeout=AMPLE)


def test_a_graph_in_memory_is_as_safe_from_deep_queries() -> None:
    engine = OxigraphEngine.memory()
    assert engine.ask("ASK { FILTER(" + "!" * 90_000 + "true) }")
    assert engine.ask(f"ASK {{ VALUES ?x {{ {f'<{E}a-b/c-d/e-f>' * 20_000} 'a+b' }} }}")
    with pytest.raises(EngineError, match="too large"):
        engine.ask("ASK { FILTER(1" + "+1" * 200_000 + ") }")


def test_a_store_that_is_gone_is_an_error_that_says_so(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "kg"
    store.load(folder.with_name("g.nt"), place, infer=False)
    engine = OxigraphEngine.open(place)
    (tmp_path / "h.nt").write_text(f"<{E}a> <{E}q> <{E}b> .\n")
    store.load(tmp_path / "h.nt", place, infer=False, replace=True)
    with pytest.raises(EngineError, match=r"kg: the store cannot be opened a second time .*open the graph again"):
        engine.ask(f"ASK {{ ?x <{E}q> ?y }}", timeout=AMPLE)
    assert processes(engine) == []
    assert OxigraphEngine.open(place).ask(f"ASK {{ ?x <{E}q> ?y }}", timeout=AMPLE)


# --- several at a time ------------------------------------------------------------------------------------------------


def test_threads_share_a_pool(folder: Path) -> None:
    pool = WorkerPool(OxigraphEngine.open(folder)._queries.files or folder, "kg", size=2)
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        solutions = pool.ask(f"SELECT ?o WHERE {{ <{E}{number}> <{E}p> ?o FILTER(?o = <{E}{number}>) }}", 0, 0, AMPLE)
        found[number] = str(solutions.rows[0][0])  # type: ignore[union-attr]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(SIDE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: f"<{E}{number}>" for number in range(SIDE)}
    assert 1 <= len(pool.processes()) <= 2
    pool.close()
    assert pool.processes() == []


def test_a_busy_pool_is_waited_for_within_the_limit(folder: Path) -> None:
    pool = WorkerPool(OxigraphEngine.open(folder)._queries.files or folder, "kg", size=1)
    ends: list[type[BaseException]] = []

    def occupy() -> None:
        try:
            pool.ask(ENDLESS, False, False, 1.0)
        except EngineError as error:
            ends.append(type(error))

    thread = threading.Thread(target=occupy)
    thread.start()
    while not pool.processes():
        time.sleep(0.001)
    with pytest.raises(EngineTimeout, match="waited for its turn"):
        pool.ask("ASK {}", False, False, 0.05)
    assert pool.ask("ASK {}", False, False, AMPLE) is True  # when the other is at its end
    thread.join()
    assert ends == [EngineTimeout]
    assert len(pool.processes()) == 1
    pool.close()


def test_a_forked_process_has_workers_of_its_own(engine: OxigraphEngine) -> None:
    engine.ask("ASK {}", timeout=AMPLE)
    before = processes(engine)
    child = os.fork()
    if not child:
        status = 1
        try:
            inherited = processes(engine)
            right = engine.ask(f"ASK {{ <{E}1> <{E}p> <{E}2> }}", timeout=AMPLE)
            status = 0 if right and not inherited and processes(engine) != before else 2
            engine.close()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert engine.ask("ASK {}", timeout=AMPLE)
    assert processes(engine) == before


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def command(folder: Path, tmp_path: Path) -> list[str]:
    """``pylf run`` of a question whose answers are looked for in more walks than can be counted in an hour."""
    hops = f"x = START('<{E}1>')\n" + "x = JOIN('R_p', x)\n" * 9 + "x = STOP(x)\n"
    (tmp_path / "q.pylf").write_text(hops)
    return [sys.executable, "-m", "pylf", "run", str(tmp_path / "q.pylf"), "--kg", str(folder), "-O", "0"]


def workers_on(folder: Path) -> list[int]:
    """The ids of all processes, anybody's, that serve the graph."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (entry / "cmdline").read_bytes()
            if b"worker_main" in arguments and bytes(folder) in arguments:
                found.append(int(entry.name))
    return found


@on_linux
def test_the_command_ends_by_itself_and_leaves_no_process(folder: Path, command: list[str]) -> None:
    run = subprocess.run(
        [*command, "--timeout", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=AMPLE,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 4
    assert run.stderr.endswith("pylf: the query took longer than 1 s and was ended\n")
    assert run.stdout == ""
    assert workers_on(folder) == []


@on_linux
def test_ctrl_c_ends_the_command_and_its_process(folder: Path, command: list[str]) -> None:
    with subprocess.Popen([*command, "--timeout", "600"], stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None and not workers_on(folder):
            time.sleep(0.01)
        time.sleep(0.2)  # the query is on its way
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=AMPLE)
        assert run.returncode not in (0, 4)
    assert "Traceback" not in said
    assert workers_on(folder) == []
