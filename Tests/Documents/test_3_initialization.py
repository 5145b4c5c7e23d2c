"""A sponsor's token, a Cloud Agent for it, and the start of every run."""

from __future__ import annotations

import json
import pathlib
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from agency import Agency
from app import JSON, RAW_KEY, App
from backends import Sponsor

CHAPTER = "3 Initialization"
INVALID_TOKEN, NO_WALLET_OPEN, NO_SUCH_WALLET = 1107, 1057, 1079
Start = Callable[[str], App]
BASE64_KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="


def sample(agency: Agency, **more: Any) -> JSON:
    """The documents' configuration for provisioning."""
    return {
        **agency.provisioning(),
        "wallet_name": "wallet-name-of-the-app",
        "wallet_key": RAW_KEY,
        "wallet_key_derivation": "RAW",
        "protocol_type": "3.0",
        "institution_logo_url": "https://acme.example/logo.png",
        "institution_name": "real institution name",
        **more,
    }


def test_a_token_of_the_sponsor_has_six_members(sponsor: Sponsor) -> None:
    members = {"sponseeId", "sponsorId", "nonce", "timestamp", "sig", "sponsorVerKey"}
    token = sponsor.token()
    assert members == set(token) and all(isinstance(value, str) for value in token.values())


def test_a_token_is_asked_for_through_the_agency(start: Start, sponsor: Sponsor, tmp_path: pathlib.Path) -> None:
    with Agency(tmp_path / "agency", sponsor.settings(token_endpoint=f"{sponsor.endpoint}/generate")) as agency:
        asked = {"vcx_config": sample(agency), "sponsee_id": "alice", "sponsor_id": sponsor.facts["id"]}
        app = start("Alice")
        token = app.given("get_provision_token", asked)
        app.vcx("init_with_config", app.given("provision_agent_with_token_async", sample(agency), token))


@pytest.mark.parametrize("function", ["provision_agent_with_token_async", "provision_agent_with_token"])
def test_a_cloud_agent_is_provisioned_with_a_token(
    start: Start, sponsored: Agency, sponsor: Sponsor, function: str
) -> None:
    app = start("Alice")
    wanted = sample(sponsored)
    config = app.given(function, wanted, sponsor.token())
    assert {name: config[name] for name in sponsored.provisioning()} == {
        name: wanted[name] for name in sponsored.provisioning()
    }
    for name in ("sdk_to_remote_did", "sdk_to_remote_verkey", "remote_to_sdk_did", "remote_to_sdk_verkey"):
        assert config[name]
    assert app.refusal("wallet_get_record", "type", "id", {}).code == NO_WALLET_OPEN, "the wallet is closed after it"
    app.vcx("init_with_config", config)


def test_later_runs_need_only_the_stored_configuration(app: App) -> None:
    app.vcx("wallet_add_record", "type", "id", "of the first run", {})
    app.restart()
    assert app.given("wallet_get_record", "type", "id", {})["value"] == "of the first run"
    assert app.given("messages_download", "MS-103", None, None) == []


def test_a_configuration_is_read_from_a_file(app: App) -> None:
    path = app.home / "config.json"
    path.write_text(json.dumps(app.config))
    app.vcx("shutdown", False)
    app.vcx("init", str(path))
    assert app.given("messages_download", None, None, None) == []


def test_a_token_that_was_used_gives_no_other_agent(start: Start, sponsored: Agency, sponsor: Sponsor) -> None:
    token, first, second = sponsor.token(), start("Alice"), start("Bob")
    first.vcx("provision_agent_with_token_async", sample(sponsored), token)
    assert second.refusal("provision_agent_with_token_async", sample(sponsored), token).code == INVALID_TOKEN
    second.vcx("provision_agent_with_token_async", sample(sponsored), sponsor.token("bob"))


@pytest.mark.parametrize("change", [{"sponsorId": "unknown"}, {"sig": "c2ln"}, {"timestamp": "1996-12-19T16:39:57-08:00"}])
def test_a_token_that_is_not_valid_gives_no_agent(
    start: Start, sponsored: Agency, sponsor: Sponsor, change: JSON
) -> None:
    app = start("Alice")
    error = app.refusal("provision_agent_with_token_async", sample(sponsored), {**sponsor.token(), **change})
    assert error.code == INVALID_TOKEN and error.cause
    app.vcx("provision_agent_with_token_async", sample(sponsored), sponsor.token())


def test_a_wallet_key_may_be_any_text(agency: Agency, start: Start) -> None:
    app = start("Alice")
    config = {**sample(agency), "wallet_key": BASE64_KEY, "wallet_key_derivation": "ARGON2I_MOD"}
    app.vcx("init_with_config", app.given("agent_provision_async", config))


@pytest.mark.parametrize("member", ["path", "genesis_path"])
def test_a_configuration_with_one_ledger(agency: Agency, start: Start, genesis: str, member: str) -> None:
    app = start("Alice")
    config = app.given("agent_provision_async", sample(agency, **{member: genesis}))
    assert config["genesis_path"] == genesis
    app.vcx("init_with_config", config)


def test_a_configuration_with_several_ledgers(agency: Agency, start: Start, genesis: str) -> None:
    app = start("Alice")
    networks = [{"genesis_path": genesis, "pool_name": f"indy_pool_{name}"} for name in ("test", "live")]
    config = app.given("agent_provision_async", sample(agency, pool_networks=networks))
    assert config["pool_networks"] == networks
    app.vcx("init_with_config", config)


def test_messages_are_polled(app: App) -> None:
    assert app.given("messages_download", "MS-103", None, None) == []


def test_the_agency_tells_its_did_and_key(agency: Agency, app: App) -> None:
    with urllib.request.urlopen(f"{agency.endpoint}/agency", timeout=20) as answer:
        told = json.load(answer)
    assert (told["DID"], told["verKey"]) == (agency.facts["did"], agency.facts["verkey"])
    app.vcx("health_check")


def test_an_app_that_is_installed_anew_begins_with_nothing(app: App, agency: Agency) -> None:
    app.vcx("connection_connect", app.vcx("connection_create", "acme"), {})
    app.vcx("shutdown", True)
    assert app.refusal("init_with_config", app.config).code == NO_SUCH_WALLET
    before = app.config["remote_to_sdk_did"]
    assert app.begin(agency.provisioning())["remote_to_sdk_did"] != before
    assert app.given("messages_download", None, None, None) == []
