"""Backups of the wallet in the cloud."""

from __future__ import annotations

import os
from typing import Optional

from ._calls import call
from ._checked import checked
from ._held import FilePath
from ._serving import OfAgent
from ._waiting import UNTOLD_INTERVAL, reach
from .state import BackupState


@checked
class WalletBackup(OfAgent):
    """Backups of the wallet at the Cloud Agent, which only a passphrase opens.

    Made by one of the class methods. The library holds it until `shutdown`. `wallet.restore_backup` gets the newest one
    back on another device.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    async def create(cls, passphrase: str, source_id: str = "backup") -> WalletBackup:
        """Asks the Cloud Agent for room. Let the program make the passphrase, of six random words or more.

        `source_id` is a name of the program's choosing, which the library keeps with the backup.
        """
        return cls(await call("vcx_wallet_backup_create", source_id, passphrase))

    @classmethod
    async def deserialize(cls, text: str) -> WalletBackup:
        """The backup from its serialized text."""
        return cls(await call("vcx_wallet_backup_deserialize", text))

    async def serialize(self) -> str:
        """The backup as text, to restore it later. It contains the passphrase."""
        return str(await call("vcx_wallet_backup_serialize", self._handle))

    async def update_state(self) -> BackupState:
        """Asks the Cloud Agent for news."""
        return BackupState(await call("vcx_wallet_backup_update_state", self._handle))

    async def ready(self, timeout: Optional[float] = 60, interval: float = UNTOLD_INTERVAL) -> None:
        """Waits until the Cloud Agent has confirmed the last request.

        Raises `asyncio.TimeoutError` after `timeout` seconds; None waits for ever.
        """

        async def no_report() -> None:
            return None

        await reach("backup", BackupState.READY, (), self.update_state, no_report, timeout, interval)

    async def send(self, path: FilePath) -> None:
        """Exports the wallet and sends it. The export stands beside `path`, and is removed again."""
        await call("vcx_wallet_backup_backup", self._handle, os.fspath(path))
