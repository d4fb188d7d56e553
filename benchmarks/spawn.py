"""Runs commands in turn and times them; reads and writes JSON. A process of its own, because Linux counts the memory
of the process that starts a command among that command's: this one is as small as Python gets."""

from __future__ import annotations

import json
import os
import sys
import time


def main() -> None:
    """Reads ``{"commands": [[…], …], "rounds": n, "folder": …, "environment": {…}}``; writes, for each command, a list
    of ``[wall, processor time, resident memory]`` in milliseconds and MiB, the first round left out."""
    job = json.load(sys.stdin)
    os.chdir(job["folder"])
    null = os.open(os.devnull, os.O_RDWR)
    streams = [(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)]
    found: list[list[tuple[float, float, float]]] = [[] for _ in job["commands"]]
    for turn in range(job["rounds"] + 1):
        for place, command in enumerate(job["commands"]):
            start = time.perf_counter()
            child = os.posix_spawn(command[0], command, job["environment"], file_actions=streams)
            _, status, usage = os.wait4(child, 0)
            wall = time.perf_counter() - start
            if status:
                sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
            if turn:
                found[place].append((wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
