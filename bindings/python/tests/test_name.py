"""The name of the version before: it works, and warns."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import msdk_vcx

PROGRAM = """
import msdk, msdk.wallet, msdk_vcx
from msdk.errors import VcxError
from msdk import Connection
print(msdk is msdk_vcx, msdk.wallet is msdk_vcx.wallet, VcxError is msdk_vcx.VcxError, Connection is msdk_vcx.Connection)
"""


def test_the_old_name_leads_to_the_same_package_and_warns_once() -> None:
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(msdk_vcx.__file__).parent.parent)}
    command = [sys.executable, "-W", "always::DeprecationWarning", "-c", PROGRAM]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert ended.stdout.split() == ["True"] * 4, ended.stderr
    assert ended.stderr.count("the package msdk is called msdk_vcx now") == 1
    assert "<string>:2: DeprecationWarning" in ended.stderr
