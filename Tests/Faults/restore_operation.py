"""The restore of a wallet from the agency, with a fault in its midst."""

from __future__ import annotations

import pathlib
from typing import Any

import calls
from calls import call, done
from mailbox_operations import NETWORK, MailboxOperation, provisioning, settings
from operation import EXISTS, FILES, MISSING, Armed, add, all_records, config

STORED = {"first": "1", "second": "2" * 900}
TEMPORARY, RESTORED = "temporary", "restored"


def temporary(home: pathlib.Path, name: str = TEMPORARY) -> dict[str, Any]:
    """The configuration of the new device, with a wallet of this name."""
    return {**settings(home), **config(home, name)}


def store(home: pathlib.Path, derivation: str, passphrase: str) -> None:
    """Stores a backup under the key of a derivation."""
    done("vcx_init_with_config", {**settings(home), "backup_key_derivation": derivation})
    if derivation == "ARGON2ID":
        for id, value in STORED.items():
            assert add(id, value) == 0
    backup = done("vcx_wallet_backup_create", "backup", passphrase)
    assert done("vcx_wallet_backup_update_state", backup) == 2
    done("vcx_wallet_backup_backup", backup, str(home / "export"))
    calls.shut_down()


class Restore(MailboxOperation):
    """Under another name than the temporary wallet's."""

    name = "restore"
    kinds = FILES | NETWORK | {"truncate", "rename", "unlink", "map"}
    wallet = RESTORED

    @property
    def passphrase(self) -> str:
        """One passphrase serves one account of the agency, which the operations share."""
        return f"six random words of {self.name}"

    def restoring(self, home: pathlib.Path) -> dict[str, Any]:
        file = {"exported_wallet_path": str(home / "fetched"), "backup_key": self.passphrase}
        return {**config(home, self.wallet), **file}

    def prepare(self, home: pathlib.Path) -> None:
        """Leaves backups of an account of its own under both derivations, so that no look-up counts as a guess."""
        super().prepare(home)
        for derivation in ("ARGON2ID", "SHA256"):
            store(home, derivation, self.passphrase)
        made = done("vcx_agent_provision_async", {**provisioning(home), **config(home, TEMPORARY)})
        (home / "config.json").write_text(made)

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", temporary(home))
        assert add("of the temporary wallet", "x") == 0
        with armed():
            code = call("vcx_wallet_backup_restore", self.restoring(home)).code
        assert code != EXISTS, "the wallet that is being restored was taken for another one"
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        """The next calls end with the restored wallet, and without the temporary one and drafts: a fault may have kept
        them from being deleted."""
        if facts == 0:
            self.expect_restored(home)
        code = call("vcx_init_with_config", temporary(home)).code
        assert code == 0 or code == MISSING and self.wallet != TEMPORARY, f"the temporary wallet does not open: {code}"
        if code == 0 and all_records() != STORED:
            assert all_records().keys() <= {"of the temporary wallet"}
            done("vcx_wallet_backup_restore", self.restoring(home))
        calls.shut_down()
        self.expect_restored(home)
        done("vcx_init_with_config", temporary(home, self.wallet))
        assert add("after", "1") == 0
        done("vcx_wallet_export", str(home / "fetched"), self.passphrase)
        calls.shut_down()
        left = sorted(path.parent.name for path in home.glob("*/sqlite.db") if path.parent.name != "wallet")
        assert left == [self.wallet], f"wallets stayed: {left}"
        drafts = [path.name for path in home.rglob("*.new")]
        assert not drafts, f"a draft stayed: {drafts}"

    def expect_restored(self, home: pathlib.Path) -> None:
        """The wallet has the name that the restore gave it, and all that the backup had."""
        done("vcx_init_with_config", temporary(home, self.wallet))
        assert all_records() == STORED
        calls.shut_down()


class RestoreInPlace(Restore):
    """Under the name of the temporary wallet, whose place the restored one takes."""

    name = "restore in place"
    wallet = TEMPORARY


OPERATIONS = [Restore(), RestoreInPlace()]
