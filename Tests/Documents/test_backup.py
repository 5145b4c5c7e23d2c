"""Backups of the wallet: to a file, and in the cloud."""

from __future__ import annotations

import pytest

from app import RAW_KEY, App, waits_for_a_cloud_backup

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


@waits_for_a_cloud_backup
def test_1_a_backup_is_begun(app: App) -> None:
    assert app.vcx("wallet_backup_create", "backup", "a backup passphrase")


@waits_for_a_cloud_backup
def test_2_a_backup_is_stored_and_restored(app: App) -> None:
    backup = app.vcx("wallet_backup_create", "backup", "a backup passphrase")
    assert app.vcx("wallet_backup_deserialize", app.vcx("wallet_backup_serialize", backup))


@waits_for_a_cloud_backup
def test_3_a_backup_becomes_ready(app: App) -> None:
    backup = app.vcx("wallet_backup_create", "backup", "a backup passphrase")
    while app.vcx("wallet_backup_update_state", backup) != 2:
        pass


@waits_for_a_cloud_backup
def test_5_the_wallet_is_uploaded(app: App) -> None:
    backup = app.vcx("wallet_backup_create", "backup", "a backup passphrase")
    app.vcx("wallet_backup_backup", backup, str(app.home / "backup"))


@waits_for_a_cloud_backup
@pytest.mark.parametrize("key", ["a backup passphrase"])
def test_a_backup_is_restored(app: App, key: str) -> None:
    path = str(app.home / "restored")
    app.vcx(
        "wallet_backup_restore",
        {"wallet_name": "wallet", "wallet_key": RAW_KEY, "backup_key": key, "exported_wallet_path": path},
    )
