"""Loopback endpoints for tests: one that answers as a function tells it to, and one that cuts another's answers."""

from __future__ import annotations

import json
import threading
import urllib.parse
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pylf.backends.http.endpoint import Endpoint


class Reply(NamedTuple):
    """What an endpoint sends back."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


def rows(variables: Sequence[str], values: Sequence[Sequence[str]]) -> bytes:
    """Results in JSON: IRIs, or strings where they begin with a quotation mark."""
    bindings = [
        {
            name: {"type": "literal", "value": value[1:]} if value.startswith('"') else {"type": "uri", "value": value}
            for name, value in zip(variables, row, strict=True)
        }
        for row in values
    ]
    return json.dumps({"head": {"vars": list(variables)}, "results": {"bindings": bindings}}).encode()


def truth(value: bool) -> bytes:
    """The answer of an ASK in JSON."""
    return json.dumps({"head": {}, "boolean": value}).encode()


@contextmanager
def answering(answer: Callable[[str], Reply]) -> Iterator[str]:
    """The address of an endpoint that sends what ``answer`` makes of the text of a query."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if "form" in self.headers["Content-Type"]:
                text = urllib.parse.parse_qs(text)["query"][0]
            reply = answer(text)
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/sparql-results+json")
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/sparql"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def cutting(
    endpoint: Endpoint, rows: int, told: bool = True, loses: Callable[[str], int] | None = None
) -> Iterator[Endpoint]:
    """An endpoint that passes queries on to another and cuts its answers after so many rows, without a word.

    ``told``: the cap stands in the description. ``loses`` tells how many rows to leave out besides, by the query.
    """

    def answer(text: str) -> Reply:
        fields = [("query", text), *[("default-graph-uri", graph) for graph in endpoint.graphs]]
        request = urllib.request.Request(
            endpoint.url,
            urllib.parse.urlencode(fields).encode(),
            {"Accept": "application/sparql-results+json"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            data = json.loads(response.read(), strict=False)
        if "results" in data:
            found = data["results"]["bindings"][:rows]
            data["results"]["bindings"] = found[loses(text) if loses else 0 :]
        return Reply(json.dumps(data).encode())

    with answering(answer) as url:
        yield replace(endpoint, url=url, row_cap=rows if told else None)
