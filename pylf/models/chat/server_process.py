"""A local model's server in a process of its own, which ends with the one that wanted it.

In this process it would be quicker to start, but llama.cpp does not end a server while another one has been used, and
what it breaks it breaks for all.
"""

from __future__ import annotations

import os
import sys
import threading
import urllib.parse
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import EngineError, InputError, first_line
from pylf.models.chat.background import BACKGROUND
from pylf.models.chat.errors import ChatRefused
from pylf.models.chat.local import Served, checked_serving, named, weights
from pylf.records import replace

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

    from pylf.models.chat.local import Serving
    from pylf.models.chat.protocol import Chat, Completion, Request

#: seconds to load a model in, and to end in
_LOADING, _ENDING = 300.0, 5.0
#: how often it is started again; one that always dies has a reason
_MOST_AGAIN = 5
#: what begins a message of pylf's own; llama.cpp writes some, too
_OURS = "pylf: "


@contextmanager
def served_by_process(how: Serving) -> Iterator[LocalServer]:
    """A model that ``pylf llm serve`` serves as long as the block lasts.

    Raises:
        InputError: something is not installed, or the file holds no model that can be served.
        EngineError: the process did not begin to serve.
    """
    server = LocalServer(how)
    try:
        server.begin()
        yield server
    finally:
        server.finish()


class LocalServer:
    """The process. It serves until its standard input ends, as it does, too, when this process dies. ``served`` is what
    it serves, and where: at the same address, should it be started again."""

    def __init__(self, how: Serving) -> None:
        self._file = weights(checked_serving(how).model)
        self._how = replace(how, model=str(self._file.absolute()))
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._begun = 0
        self._process: asyncio.subprocess.Process | None = None
        self._said: deque[str] = deque(maxlen=20)
        self.served = Served("", named(self._file), self._file)

    @property
    def pid(self) -> int | None:
        """The number of the process; None where there is none."""
        return None if self._process is None else self._process.pid

    def begin(self) -> None:
        """Return when requests are taken.

        Raises:
            InputError: it cannot be served.
            EngineError: it took too long.
        """
        self._begun += 1
        try:
            address = BACKGROUND.run(self._start, _LOADING)
        except TimeoutError:
            raise EngineError(f"the local model was not ready within {_LOADING:.0f} s") from None
        self.served = replace(self.served, address=address)
        self._how = replace(self._how, port=urllib.parse.urlsplit(address).port or 0)

    def uphold(self) -> None:
        """See to it that the process is there: it may have been killed, as a system does that has no memory left.

        Raises:
            ChatError: it cannot be started again, or has been too often.
        """
        if self._owner != os.getpid():  # a forked process leaves its parent's server alone
            return
        with self._lock:
            if self._process is None or self._process.returncode is None:
                return
            if self._begun > _MOST_AGAIN:
                raise ChatRefused(f"the local model's server ended {self._begun} times; it is not started again")
            try:
                self.begin()
            except (InputError, EngineError) as problem:
                raise ChatRefused(f"the local model's server ended, and does not begin again: {problem}") from None

    def finish(self) -> None:
        """End the process, where this is the one that began it."""
        if self._owner == os.getpid():
            BACKGROUND.run(self._end)

    def _arguments(self) -> tuple[str, ...]:
        how = self._how
        numbers = {"port": how.port, "threads": how.threads, "parallel": how.parallel, "context": how.context}
        options = [text for option, number in numbers.items() for text in (f"--{option}", str(number))]
        return ("llm", "serve", "--until-closed", "--host", how.host, *options, "--model", str(how.model))

    async def _start(self) -> str:
        """The address, once requests are taken."""
        import asyncio

        package = str(Path(__file__).resolve().parents[3])
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pylf", *self._arguments()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C at a terminal is for this process, which then ends the other
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        reading = asyncio.create_task(self._listen(self._process.stderr))
        address = (await self._process.stdout.readline()).decode("utf-8", "replace").strip()
        if not address:
            await reading
            told = [line.removeprefix(_OURS) for line in self._said if line.startswith(_OURS)]
            raise InputError(
                first_line(told[-1] if told else "the local model's server ended before it began to serve")
            )
        return address

    async def _end(self) -> None:
        """End the process, gently at first."""
        import asyncio

        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDING):
                await process.wait()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _listen(self, stream: asyncio.StreamReader) -> None:
        """Take what the process complains of, so that it never waits for a reader."""
        while data := await stream.read(65_536):
            self._said.extend(data.decode("utf-8", "replace").splitlines())


class Upheld:
    """A chat whose server is a process of ours, which is there whenever it is asked."""

    def __init__(self, chat: Chat, server: LocalServer) -> None:
        self._chat = chat
        self._server = server
        self.model = chat.model
        self.identity = chat.identity

    def complete(self, request: Request) -> Completion:
        """As the chat within.

        Raises:
            ChatError: also where the server ended, and cannot be started again.
        """
        self._server.uphold()
        return self._chat.complete(request)
