"""One request to a server on this machine."""

from __future__ import annotations

import http.client
import re

from pylf.errors import EngineError, printable

_QUOTED = 500
_TAG = re.compile("<[^>]*>")


class Reply:
    """A status, the headers (``get(name)``) and the body."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body


def ask(
    port: int, method: str, path: str, body: bytes | None = None, content_type: str = "", seconds: float = 600.0
) -> Reply:
    """Sends a request to a port of 127.0.0.1; no proxy comes between.

    Raises:
        OSError: nobody listens, or the connection broke.
        http.client.HTTPException: what came is no HTTP.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request(method, path, body, {"Content-Type": content_type} if content_type else {})
        answer = connection.getresponse()
        return Reply(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def answers(port: int, path: str) -> bool:
    """Whether a GET gives any reply at all."""
    try:
        ask(port, "GET", path, seconds=5.0)
    except (OSError, http.client.HTTPException):
        return False
    return True


def put(port: int, path: str, body: bytes, content_type: str) -> None:
    """Puts a body there.

    Raises:
        EngineError: it is not taken; says why.
    """
    try:
        reply = ask(port, "PUT", path, body, content_type)
    except (OSError, http.client.HTTPException) as problem:
        raise EngineError(f"the server does not take the graph ({problem})") from problem
    if not 200 <= reply.status < 300:
        text = printable(" ".join(_TAG.sub(" ", reply.body.decode("utf-8", "replace")).split())[:_QUOTED])
        raise EngineError(f"the server does not take the graph: HTTP {reply.status}: {text}")
