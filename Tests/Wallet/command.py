"""The program `msdk`, run as a user does: with streams that are no terminal, or on a terminal of its own."""

from __future__ import annotations

import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import termios
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

from wallets import RAW_KEY, ROOT

Answer = Union[str, Callable[[], str]]
PROGRAM = pathlib.Path(os.environ.get("MSDK_COMMAND") or ROOT / ".build/release/msdk-cli")
KEYS = ["MSDK_WALLET_KEY", "MSDK_BACKUP_KEY", "MSDK_WALLET_NEW_KEY"]
PATIENCE = 30.0
"""Seconds to wait for the next output."""

DONE, FAILED, MISUSED, FAULTY, INTERRUPTED = 0, 1, 2, 3, 130


class Ran(NamedTuple):
    """The result of a run."""

    status: int
    output: str
    complaint: str

    @property
    def json(self) -> Any:
        """The one value that was printed."""
        assert self.status in (DONE, FAULTY), self.complaint
        return json.loads(self.output)

    @property
    def lines(self) -> list[Any]:
        """The values that were printed, one on each line."""
        assert self.status == DONE, self.complaint
        return [json.loads(line) for line in self.output.splitlines()]


def environment(home: pathlib.Path, keys: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in KEYS}
    return {**kept, "HOME": str(home), **keys}


def msdk(home: pathlib.Path, *words: object, **keys: str) -> Ran:
    """Runs `msdk wallet` on wallets with raw keys in `home`; without a terminal. `MSDK_WALLET_KEY` has a default."""
    command, *rest = words
    options = ["--home", str(home), "--derivation", "RAW"]
    keys = {"MSDK_WALLET_KEY": RAW_KEY, **keys}
    return run(home, "wallet", command, *options, *rest, **{name: key for name, key in keys.items() if key})


def run(home: pathlib.Path, *words: object, **keys: str) -> Ran:
    """Runs the program as it stands; only the given keys are in the environment."""
    ran = subprocess.run(
        [PROGRAM, *map(str, words)],
        env=environment(home, keys),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,  # away from our terminal, if we have one
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def run_on_terminal(home: pathlib.Path, words: list[str], answers: Sequence[tuple[str, Answer]], **keys: str) -> Ran:
    """Runs the program on a terminal, and types each answer when its prompt has come. All output is in `output`."""
    return run_on_terminal_of(None, home, words, answers, keys)


def run_on_terminal_of(
    size: tuple[int, int] | None, home: pathlib.Path, words: list[str], answers: Sequence[tuple[str, Answer]],
    keys: dict[str, str],
) -> Ran:
    """The same on a terminal of so many lines and columns. Without a size, the terminal does not tell it."""
    child, terminal = pty.fork()
    if child == 0:
        try:
            if size is not None:
                termios.tcsetwinsize(0, size)
            os.execve(PROGRAM, [str(PROGRAM), *words], environment(home, keys))
        finally:
            os._exit(127)
    try:
        shown = converse(terminal, list(answers))
    except TimeoutError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(terminal)
    return Ran(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown, "")


def converse(terminal: int, answers: list[tuple[str, Answer]]) -> str:
    """Reads what is shown until the other side is gone; types each answer when its prompt has come. An answer may be a function,
    which does something before it gives the text. An empty prompt has come before anything is shown."""
    read, shown = b"", ""
    while answers and not answers[0][0]:
        os.write(terminal, str(answers.pop(0)[1]).encode())
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # how Linux says that the other side is gone
            piece = b""
        if not piece:
            return shown
        read += piece
        shown = read.decode(errors="replace")  # a piece may end within a character
        if answers and shown.endswith(answers[0][0]):
            answer = answers.pop(0)[1]
            os.write(terminal, (answer if isinstance(answer, str) else answer()).encode())
    raise TimeoutError(f"nothing more came after: {shown!r}")
