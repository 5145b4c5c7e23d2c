"""The program of a new user: it connects, issues, proves, verifies and revokes."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from agency import ROOT, Agency


def test_a_program_written_with_the_documents_alone_works(agency: Agency, tmp_path: pathlib.Path) -> None:
    program = ROOT / "Tests" / "Interop" / "reading_room.py"
    done = subprocess.run(
        [sys.executable, program, agency.endpoint], cwd=tmp_path, capture_output=True, text=True, timeout=240,
        env={**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python")},
    )
    assert done.returncode == 0, done.stderr
    revoked = "the one that fits attribute_0 (reader) is revoked; the one that fits predicate_0 (born) is revoked"
    assert done.stdout.splitlines() == [
        "offered {'born': '1990', 'reader': 'Rita'}", "holds {'born': '1990', 'reader': 'Rita'}",
        "welcome {'attribute_0': {'reader': 'Rita'}}", "told: revocation None", f"cannot: {revoked}",
        f"ended: the proof request ended in state REJECTED: Presentation Request was rejected: {revoked}",
        "before True after False",
    ]
