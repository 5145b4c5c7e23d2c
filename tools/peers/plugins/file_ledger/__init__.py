"""An Indy ledger in one file, as a plugin of ACA-Py: a peer of the tests needs no network and no nodes.

ACA-Py reaches a ledger through one object, the pool handle of indy-vdr. The plugin puts another in its place, which
writes to the file that `FILE_LEDGER` names and answers from it. Nothing is authenticated: it stands in for a ledger, and
is none. The schemas, definitions and registries of the file are published in the folder beside it, too, in the layout
that msdk's registry of files has.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
from typing import Any


class FilePool:
    """Stands where ACA-Py expects the pool handle of indy-vdr."""

    def __init__(self) -> None:
        from .ledger import FileLedger

        self.ledger = FileLedger(pathlib.Path(os.environ["FILE_LEDGER"]))

    async def submit_request(self, request: Any) -> Any:
        return self.ledger.submit(request.body)

    async def get_transactions(self) -> str:
        return '{"file":"ledger"}\n'

    def close(self) -> None:
        """Has nothing to close."""


async def open_pool(**_options: Any) -> FilePool:
    return FilePool()


# ACA-Py imports plugins before it opens its ledger.
for core in ("acapy_agent", "aries_cloudagent"):
    if core in sys.modules:
        setattr(importlib.import_module(f"{core}.ledger.indy_vdr"), "open_pool", open_pool)


async def setup(_context: Any) -> None:
    """Marks this module as an ACA-Py plugin."""
