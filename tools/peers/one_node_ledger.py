"""Runs the one-node Indy ledger of `tools/ledger`, with public DIDs in it."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import time
from typing import Any

from process import PeerError, spawn, stop

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Ledger:
    """A ledger in a process of its own, from the moment that its genesis transactions are written."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.genesis, self.log = folder / "genesis.txn", folder / "ledger.log"
        self._folder, self._requests = folder, list[Any]()
        self._process: subprocess.Popen[bytes] | None = None

    def publish(self, did: str, verkey: str, endpoint: str) -> None:
        """Has the ledger know a DID with its key and its endpoint; before it starts."""
        for operation in (
            {"type": "1", "dest": did, "verkey": verkey},
            {"type": "100", "dest": did, "raw": json.dumps({"endpoint": {"endpoint": endpoint}})},
        ):
            self._write(did, operation)

    def require(self, text: str, version: str, mechanisms: dict[str, str]) -> None:
        """Has the ledger require the acceptance of an agreement of authors; before it starts."""
        self._write("trustee", {"type": "4", "text": text, "version": version, "ratification_ts": 1})
        self._write("trustee", {"type": "5", "aml": mechanisms, "version": "1.0"})

    def _write(self, author: str, operation: dict[str, Any]) -> None:
        self._requests.append({"identifier": author, "reqId": len(self._requests) + 1, "operation": operation})

    def __enter__(self) -> Ledger:
        cache = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build/environments")
        python = cache / "ledger" / "bin" / "python"
        if not python.exists():
            raise PeerError(f"{python} is missing: run scripts/setup ledger")
        written = self._folder / "requests.json"
        written.write_text(json.dumps(self._requests))
        program = ROOT / "tools" / "ledger" / "ledger.py"
        self._process = spawn([str(python), str(program), "0", str(self.genesis), str(written)], log=self.log)
        end = time.monotonic() + 20
        while not self.genesis.exists():
            if time.monotonic() > end or self._process.poll() is not None:
                stop(self._process)
                raise PeerError("the ledger did not start", self.log)
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self.answer()
        stop(self._process)

    def fall_silent(self) -> None:
        """Answers nothing more, as a network does that is down."""
        self._signal(signal.SIGSTOP)

    def answer(self) -> None:
        """Answers again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
