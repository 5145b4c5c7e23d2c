"""Runs msdk-agency, the mailbox: started, stopped, killed, and started again on the same port with the same data."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import urllib.parse
from collections.abc import Mapping
from typing import Any

from process import PeerError, first_line, kill, spawn, stop

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program() -> pathlib.Path:
    """The agency's executable: `MSDK_AGENCY`, else the one that the repository built."""
    named = os.environ.get("MSDK_AGENCY")
    candidates = [pathlib.Path(named)] if named else [ROOT / ".build" / c / "msdk-agency" for c in ("release", "debug")]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise PeerError(f"{candidates[0]} is missing: run make build")


class Agency:
    """One msdk-agency process and its data folder; with settings beside its own defaults."""

    def __init__(
        self,
        folder: pathlib.Path,
        settings: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.settings, self.environment = folder, settings, environment
        self.log = folder / "agency.log"
        self.facts: dict[str, str] = {}
        self.process: subprocess.Popen[bytes] | None = None
        self.status: int | None = None
        """How the process before ended: its exit status, or the negative number of a signal."""

    @property
    def endpoint(self) -> str:
        return self.facts["endpoint"]

    @property
    def port(self) -> int:
        """The port of the last start; 0 before the first."""
        return urllib.parse.urlsplit(self.facts["endpoint"]).port or 0 if self.facts else 0

    def start(self, timeout: float = 20) -> Agency:
        """Starts the agency, on the port it had before if there was one, and waits until it is ready."""
        data = self.folder / "data"
        data.mkdir(parents=True, exist_ok=True)
        command = [str(program()), "--port", str(self.port), "--data", str(data)]
        if self.settings is not None:
            config = self.folder / "agency.json"
            config.write_text(json.dumps(self.settings))
            command += ["--config", str(config)]
        self.process = spawn(command, log=self.log, env=self.environment, piped=True)
        try:
            facts = json.loads(first_line(self.process, timeout))
            self.facts = {key: str(facts[key]) for key in ("endpoint", "did", "verkey")}
        except (ValueError, KeyError, TypeError):
            self.stop()
            raise PeerError("msdk-agency did not start", self.log) from None
        return self

    def stop(self) -> None:
        """Ends the agency as an operator would."""
        stop(self.process)
        self._forget()

    def kill(self) -> None:
        """Ends the agency as a power failure would."""
        kill(self.process)
        self._forget()

    def _forget(self) -> None:
        self.status = None if self.process is None else self.process.poll()
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None

    def provisioning(self, **more: Any) -> dict[str, Any]:
        """The agency's part of a provisioning configuration, with `more` beside it."""
        return {
            "agency_endpoint": self.facts["endpoint"],
            "agency_did": self.facts["did"],
            "agency_verkey": self.facts["verkey"],
            "protocol_type": "4.0",
            **more,
        }

    def __enter__(self) -> Agency:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
