"""Child processes that do not outlive us: started with a log file, stopped politely and then firmly."""

from __future__ import annotations

import ctypes
import os
import pathlib
import select
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence

PR_SET_PDEATHSIG = 1
PATIENCE = 10.0
"""Seconds between asking a process to end and killing it."""

_libc = ctypes.CDLL(None)


class PeerError(Exception):
    """A peer did not start, did not answer, or refused. `what` is the reason in one line; the text adds the end of its log."""

    def __init__(self, what: str, log: pathlib.Path | None = None) -> None:
        super().__init__(what if log is None else f"{what}. The end of {log}:\n{tail(log)}")
        self.what = what


def _end_with_parent() -> None:
    """Runs in the child: be killed when the thread that started us is gone (Linux), however it went."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def spawn(
    command: Sequence[str],
    *,
    log: pathlib.Path,
    cwd: pathlib.Path | None = None,
    env: Mapping[str, str] | None = None,
    piped: bool = False,
    fed: bool = False,
) -> subprocess.Popen[bytes]:
    """Starts a process in a session of its own, so that Ctrl-C reaches us alone and we end it in our own order.

    Its errors go to `log`, and so does its output unless it is `piped` to us; its input is empty unless `fed` by us.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab") as file:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE if fed else subprocess.DEVNULL,
            stdout=subprocess.PIPE if piped else file,
            stderr=file,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )


def first_line(process: subprocess.Popen[bytes] | None, timeout: float) -> bytes:
    """The line that a piped process prints when it is ready; a part of it if the time is over or the process ends."""
    if process is None or process.stdout is None:
        return b""
    line, end = b"", time.monotonic() + timeout
    descriptor = process.stdout.fileno()
    while not line.endswith(b"\n") and (left := end - time.monotonic()) > 0:
        if select.select([descriptor], [], [], left)[0]:
            if not (piece := os.read(descriptor, 4096)):
                break
            line += piece
    return line


def stop(process: subprocess.Popen[bytes] | None) -> None:
    """Ends a process: SIGTERM, and SIGKILL if it is still there after ten seconds. Nothing happens twice."""
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: subprocess.Popen[bytes] | None) -> None:
    """Ends a process at once, as a crash or a power failure would."""
    if process is None or process.poll() is not None:
        return
    process.kill()
    process.wait()


def close_pipes(process: subprocess.Popen[bytes] | None) -> None:
    """Closes this side's ends of the pipes of a process that has ended."""
    if process is not None:
        for pipe in filter(None, (process.stdin, process.stdout)):
            pipe.close()


def tail(log: pathlib.Path, lines: int = 60) -> str:
    """The end of a log file, for a failure message. Leaves out the admin calls of the tests, which ask again and again."""
    try:
        kept = [line for line in log.read_text(errors="replace").splitlines() if " aiohttp.access " not in line]
    except FileNotFoundError:
        return "(no log)"
    return "\n".join(kept[-lines:])


def free_ports(count: int) -> list[int]:
    """Different TCP ports of 127.0.0.1 that were free a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()
