"""Backups of the wallet: to a file, and in the cloud."""

from __future__ import annotations

import json
import uuid

import pytest
from agency import Agency
from alice import wait_until
from app import RAW_KEY, App

CHAPTER = "Wallet backups"
WRONG_KEY = 1080


def test_export_and_import_move_the_records(app: App) -> None:
    app.vcx("wallet_add_record", "type", "id", "kept", {"tag": "value"})
    path = app.home / "backups" / "wallet"
    app.vcx("wallet_export", str(path), "a backup key")
    app.vcx("shutdown", False)
    config = {"wallet_name": "restored", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW"}
    app.vcx("wallet_import", {**config, "exported_wallet_path": str(path), "backup_key": "a backup key"})
    app.vcx("init_with_config", {**app.config, **config})
    assert app.given("wallet_get_record", "type", "id", {})["value"] == "kept"
    assert app.given("messages_download", None, None, None) == [], "the Cloud Agent is still the same"


def test_import_needs_the_key_of_the_export(app: App) -> None:
    path = app.home / "wallet"
    app.vcx("wallet_export", str(path), "a backup key")
    app.vcx("shutdown", False)
    config = {"wallet_name": "restored", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW"}
    wrong = {**config, "exported_wallet_path": str(path), "backup_key": "another key"}
    assert app.refusal("wallet_import", wrong).code == WRONG_KEY


READY, NO_BACKUP = 2, 1099
WALLET = {"wallet_name": "app", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW"}


@pytest.fixture
def passphrase() -> str:
    """A passphrase belongs to one account of the agency."""
    return f"a backup passphrase {uuid.uuid4()}"


def ready(app: App, backup: int) -> None:
    """Polls until the Cloud Agent has confirmed the last request."""
    wait_until("a confirmed backup", lambda: app.vcx("wallet_backup_update_state", backup) == READY, 20)


def test_1_a_backup_is_begun(app: App, passphrase: str) -> None:
    assert app.vcx("wallet_backup_create", "backup", passphrase)


def test_2_a_backup_is_stored_and_restored(app: App, passphrase: str) -> None:
    backup = app.vcx("wallet_backup_create", "backup", passphrase)
    again = app.vcx("wallet_backup_deserialize", app.vcx("wallet_backup_serialize", backup))
    ready(app, again)


def test_3_a_backup_becomes_ready(app: App, passphrase: str) -> None:
    ready(app, app.vcx("wallet_backup_create", "backup", passphrase))


def test_5_the_wallet_is_uploaded(app: App, passphrase: str) -> None:
    backup = app.vcx("wallet_backup_create", "backup", passphrase)
    ready(app, backup)
    app.vcx("wallet_backup_backup", backup, str(app.home / "backup"))
    ready(app, backup)
    assert not list(app.home.glob("backup*")), "the export is removed"


@pytest.mark.parametrize("knows_passphrase", [True, False])
def test_a_backup_is_restored(app: App, agency: Agency, passphrase: str, knows_passphrase: bool) -> None:
    """On another device: with a temporary wallet and Cloud Agent, and the passphrase."""
    app.vcx("wallet_add_record", "config", "app", json.dumps(app.config), {})
    backup = app.vcx("wallet_backup_create", "backup", passphrase)
    ready(app, backup)
    app.vcx("wallet_backup_backup", backup, str(app.home / "backup"))
    ready(app, backup)
    app.vcx("shutdown", True)
    app.begin(agency.provisioning())
    config = {**WALLET, "backup_key": passphrase, "exported_wallet_path": str(app.home / "restored")}
    if not knows_passphrase:
        config["backup_key"] = "another passphrase"
        assert app.refusal("wallet_backup_restore", config).code == NO_BACKUP
        return
    app.vcx("wallet_backup_restore", config)
    kept = json.loads(app.given("wallet_get_record", "config", "app", {})["value"])
    app.vcx("shutdown", False)
    app.vcx("init_with_config", kept)
    assert app.given("messages_download", None, None, None) == [], "the Cloud Agent is the old one"
