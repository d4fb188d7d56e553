"""``python -m pylf.testing.servers NAME [GRAPH_FILE]``: a server to play with, until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from typing import TYPE_CHECKING

from pylf.errors import PylfError
from pylf.testing import servers

if TYPE_CHECKING:
    from collections.abc import Sequence

_GLANCE = 0.2
_AFTERWORD = """\
The server listens on 127.0.0.1 alone, on a free port, in a temporary folder; both are gone when it ends.

  python -m pylf.testing.servers virtuoso graph.ttl
  python -m pylf.testing.servers oxigraph graph.nt.gz --graph http://example.org/films --time-limit 5
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Starts a server and waits for Ctrl-C or SIGTERM. 0 when stopped so, 1 when it could not start or ended by itself,
    2 for wrong arguments."""
    asked = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with servers.start(asked.name, time_limit=asked.time_limit, row_cap=asked.row_cap) as server:
            if asked.file is not None:
                server.load(asked.file, asked.graph)
            _say(f"url      {server.url}")
            if server.reference_url is not None:
                _say(f"         {server.reference_url} (the literal reference engine)")
            if asked.file is not None:
                _say(f"graph    {asked.graph} (to be sent as default-graph-uri)")
            _say(f"version  {server.version}")
            _say(f"pid      {server.pid}")
            _say("Ctrl-C ends it")
            while server.alive:
                time.sleep(_GLANCE)
    except KeyboardInterrupt:
        return 0
    except PylfError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stderr.write(f"the {asked.name} server has ended\n")
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pylf.testing.servers",
        description="Start a SPARQL server on this machine, load a graph into it, and wait for Ctrl-C.",
        epilog=_AFTERWORD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME", choices=servers.NAMES, help=f"one of {', '.join(servers.NAMES)}")
    parser.add_argument(
        "file", metavar="GRAPH_FILE", nargs="?", help="an RDF file: .nt .ttl .n3 .rdf .trig .nq, each also with .gz"
    )
    parser.add_argument(
        "--graph", metavar="IRI", default="urn:g", help="the named graph that the file is loaded into (default: urn:g)"
    )
    parser.add_argument("--time-limit", metavar="S", type=float, help="the longest that a query may take, in seconds")
    parser.add_argument("--row-cap", metavar="N", type=int, help="the most rows of an answer (virtuoso only)")
    return parser


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
