"""A loopback server that speaks OpenAI's interface, well or badly: each request is answered by the next step given."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Sent(NamedTuple):
    """What a server sends: the body, of which no more than ``first`` bytes come before the connection ends."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    first: int | None = None
    #: seconds between two bytes, and before the first
    drip: float = 0.0
    wait: float = 0.0


def completion(*texts: str | None, usage: dict[str, int] | str | None = "words", **more: Any) -> Sent:
    """A completion with these texts; 10 tokens of prompt and 5 of completion for each, unless stated otherwise."""
    choices = [
        {"index": number, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        for number, text in enumerate(texts)
    ]
    body: dict[str, Any] = {"object": "chat.completion", "model": "faulty-1", "choices": choices} | more
    if usage == "words":
        body["usage"] = {"prompt_tokens": 10, "completion_tokens": 5 * len(texts), "total_tokens": 10 + 5 * len(texts)}
    elif usage is not None:
        body["usage"] = usage
    return Sent(json.dumps(body).encode())


def refusal(status: int, message: str, code: str | None = None, *headers: tuple[str, str]) -> Sent:
    """An error as OpenAI words it."""
    body = {"error": {"message": message, "type": code, "code": code, "param": None}}
    return Sent(json.dumps(body).encode(), status, headers)


class Faulty(NamedTuple):
    """A server that runs: its address, and what was asked, in order."""

    address: str
    asked: list[dict[str, Any]]
    keys: list[str | None]
    #: by request, the headers that begin so
    organizations: list[list[str]]
    #: somebody hung up before the answer was whole
    hung_up: threading.Event


@contextmanager
def faulty(steps: Sequence[Sent] | Callable[[dict[str, Any]], Sent]) -> Iterator[Faulty]:
    """A server that answers each request by the next of these steps, or by what a function makes of it. Behind the last
    step it answers with status 500."""
    asked: list[dict[str, Any]] = []
    keys: list[str | None] = []
    organizations: list[list[str]] = []
    lock = threading.Lock()
    ended, hung_up = threading.Event(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(asked)
                asked.append(request)
                keys.append(self.headers["Authorization"])
                organizations.append([name for name in self.headers if name.lower().startswith("openai-")])
                if callable(steps):
                    sent = steps(request)
                else:
                    sent = steps[number] if number < len(steps) else Sent(b"no more steps", 500)
            try:
                self._send(sent)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
                hung_up.set()

        def _send(self, sent: Sent) -> None:
            if sent.wait:
                ended.wait(sent.wait)
            self.send_response(sent.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent.body)))
            for name, value in sent.headers:
                self.send_header(name, value)
            self.end_headers()
            if sent.drip:
                for byte in sent.body:
                    if ended.wait(sent.drip):
                        return
                    self.wfile.write(bytes([byte]))
                return
            self.wfile.write(sent.body[: sent.first])
            if sent.first is not None:
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield Faulty(f"http://127.0.0.1:{server.server_port}/v1", asked, keys, organizations, hung_up)
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
