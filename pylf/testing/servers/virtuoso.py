"""Virtuoso 7, of Debian's package ``virtuoso-opensource-7-bin``, in a folder of its own with small buffers.

It keeps values, not literals, whichever way a graph is loaded: ``"01"^^xsd:integer`` comes back as 1, what is no
number as 0, a boolean as 1 or 0, a duration of years as 12 months, the year -1 as 0; and of two literals with equal
values (1 and true; 1.5 as decimal and as double; the year 2001, the date 2001-01-01 and that midnight) a graph keeps
one. IRIs longer than 1,880 bytes it would cut without a word: those are refused here.
A triple that is in two of the graphs asked is found twice.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import quote

from pylf.errors import EngineError, printable
from pylf.testing.servers import web
from pylf.testing.servers.process import free_port
from pylf.testing.servers.program import Options, Program

if TYPE_CHECKING:
    from pathlib import Path

_PROGRAMS = ("virtuoso-t", "isql-vt")
_SETTINGS = "virtuoso.ini"
_LOG = "virtuoso.log"
#: bytes of N-Triples, and of a line of them, up to which a graph goes by HTTP
_SMALL, _LONGEST_LINE = 500_000, 16_000
#: IRIs that can stand in a statement as they are
_PLAIN_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9:/.#_~-]+")
#: TTLP_MT's flag for N-Triples and N-Quads, and its number of threads
_N_TRIPLES, _LOADERS = 512, 2


def _missing() -> str | None:
    absent = [program for program in _PROGRAMS if shutil.which(program) is None]
    if not absent:
        return None
    return (
        f"there is no program {absent[0]!r}; it comes with Debian's package virtuoso-opensource-7-bin "
        "(apt-get install -y --no-install-recommends virtuoso-opensource-7-bin)"
    )


def _command(folder: Path, port: int, options: Options) -> list[str]:
    (folder / _SETTINGS).write_text(_settings(folder, port, free_port(), options), encoding="utf-8")
    program = shutil.which("virtuoso-t")
    assert program is not None
    return [program, "-f", "+configfile", _SETTINGS]


def _settings(folder: Path, port: int, sql_port: int, options: Options) -> str:
    sections: dict[str, dict[str, object]] = {
        "Database": {
            "DatabaseFile": "virtuoso.db",
            "ErrorLogFile": _LOG,
            "LockFile": "virtuoso.lck",
            "TransactionFile": "virtuoso.trx",
            "xa_persistent_file": "virtuoso.pxa",
            "ErrorLogLevel": 7,
            "FileExtend": 200,
        },
        "TempDatabase": {"DatabaseFile": "temporary.db", "TransactionFile": "temporary.trx"},
        # the numbers of threads for one query stay as they are: with a few, counting a million triples never ends
        "Parameters": {
            "ServerPort": f"127.0.0.1:{sql_port}",
            "ServerThreads": 24,
            "CheckpointInterval": 0,
            "NumberOfBuffers": 30_000,  # of 8 KiB
            "MaxDirtyBuffers": 20_000,
            "DirsAllowed": str(folder),
            "AllowOSCalls": 0,
        },
        "HTTPServer": {
            "ServerPort": f"127.0.0.1:{port}",
            "ServerThreads": 16,
            "MaxKeepAlives": 16,
            "KeepAliveTimeout": 60,
        },
        "SPARQL": {"ResultSetMaxRows": options.row_cap or 1_000_000_000},
    }
    if options.time_limit is not None:
        sections["SPARQL"]["MaxQueryExecutionTime"] = max(1, round(options.time_limit))
    return "\n".join(
        f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()) for name, keys in sections.items()
    )


def _ready(folder: Path, port: int) -> bool:
    return "Server online at" in _log(folder)


def _log(folder: Path) -> str:
    try:
        return (folder / _LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _prepare(folder: Path, _: int) -> None:
    """Lets anyone who reaches the endpoint, on this machine, put graphs."""
    _execute(folder, 'GRANT SPARQL_UPDATE TO "SPARQL";')


def _put(folder: Path, port: int, graph: str, n_triples: bytes) -> None:
    # The endpoint takes small graphs in 2 ms and large ones slowly; it takes a graph with a very long line for text.
    small = len(n_triples) <= _SMALL and max(map(len, n_triples.splitlines()), default=0) <= _LONGEST_LINE
    if small or not _PLAIN_IRI.fullmatch(graph):
        web.put(port, f"/sparql-graph-crud?graph-uri={quote(graph, safe='')}", n_triples, "text/turtle")
        return
    file = folder / "loading.nt"
    file.write_bytes(n_triples)
    try:
        _execute(
            folder,
            f"log_enable(2, 1); SPARQL CLEAR GRAPH <{graph}>; "
            f"DB.DBA.TTLP_MT(file_to_string_output('{file}'), '', '{graph}', {_N_TRIPLES}, {_LOADERS}, 0, 0);",
        )
    finally:
        file.unlink()


def _execute(folder: Path, statements: str) -> None:
    """Has the server execute SQL. The statements hold nothing but constants, names of ours and plain IRIs.

    Raises:
        EngineError: it refuses.
    """
    sql_port = _log(folder).rpartition("Server online at 127.0.0.1:")[2].split()[0]
    program = shutil.which("isql-vt")
    assert program is not None
    done = subprocess.run(  # noqa: S603  # see above
        [program, f"127.0.0.1:{sql_port}", "dba", "dba", f"exec={statements}"],
        capture_output=True,
        timeout=600,
        check=False,
        text=True,
        errors="replace",
    )
    said = done.stderr + done.stdout
    if done.returncode or "*** Error" in said:
        raise EngineError(f"the virtuoso server refuses: {printable(said.partition('*** Error')[2].strip() or said)}")


VIRTUOSO = Program(
    name="virtuoso",
    dialect="virtuoso",
    query="/sparql",
    missing=_missing,
    command=_command,
    ready=_ready,
    put=_put,
    prepare=_prepare,
    longest_iri=1_880,
    caps=True,
)
