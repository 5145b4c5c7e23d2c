"""Each option of the configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agency import Agency
from app import JSON, RAW_KEY, App

CHAPTER = "Configuration"
Start = Callable[[str], App]
POOL_CONFIG = '{"timeout":20,"extended_timeout":60,"preordered_nodes":["Node1","Node2"],"number_read_nodes":2}'


def used(app: App, agency: Agency, **options: Any) -> JSON:
    """Provisions and initialises with the options; returns the configuration. An option that is None is left out."""
    wallet = {"wallet_name": "app", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW"}
    config = {**agency.provisioning(), **wallet, **options}
    made = app.given("agent_provision_async", {name: value for name, value in config.items() if value is not None})
    app.vcx("init_with_config", made)
    app.vcx("wallet_add_record", "type", "id", "value", {})
    return dict(made)


def test_agency_options(agency: Agency, start: Start) -> None:
    config = used(start("Alice"), agency)
    assert {name: config[name] for name in agency.provisioning()} == agency.provisioning()


def test_enterprise_seed_makes_the_key_of_the_user(agency: Agency, start: Start) -> None:
    seed = "00000000000000000000000000000My1"
    keys = {used(start(name), agency, enterprise_seed=seed)["institution_verkey"] for name in ("Alice", "Bob")}
    assert len(keys) == 1
    assert used(start("Eve"), agency)["institution_verkey"] not in keys


def test_wallet_name_has_a_default(agency: Agency, start: Start) -> None:
    assert used(start("Alice"), agency, wallet_name=None)["wallet_name"] == "LIBVCX_SDK_WALLET"


def test_wallet_type_has_a_default(agency: Agency, start: Start) -> None:
    used(start("Alice"), agency, wallet_type="default")


@pytest.mark.parametrize("derivation", [None, "ARGON2I_MOD", "ARGON2I_INT"])
def test_wallet_key_derivation(agency: Agency, start: Start, derivation: str | None) -> None:
    app = start("Alice")
    config = used(app, agency, wallet_key="a passphrase", wallet_key_derivation=derivation)
    assert config.get("wallet_key_derivation") == derivation
    app.vcx("shutdown", False)
    assert app.refusal("init_with_config", {**config, "wallet_key": "another passphrase"}).code == 1075


def test_wallet_key_derivation_raw_takes_the_key_itself(agency: Agency, start: Start) -> None:
    assert used(start("Alice"), agency)["wallet_key_derivation"] == "RAW"


def test_storage_config_and_storage_credentials_may_be_empty(agency: Agency, start: Start) -> None:
    used(start("Alice"), agency, storage_config="{}", storage_credentials="{}")


@pytest.mark.parametrize("version", ["1.0", "2.0", "3.0", "4.0"])
def test_protocol_type(agency: Agency, start: Start, version: str) -> None:
    assert used(start("Alice"), agency, protocol_type=version)["protocol_type"] == version


def test_name_and_logo_become_those_of_the_institution(agency: Agency, start: Start) -> None:
    config = used(start("Alice"), agency, name="Alice", logo="https://alice.example/logo.png")
    shown = (config["institution_name"], config["institution_logo_url"])
    assert shown == ("Alice", "https://alice.example/logo.png")


def test_placeholders_that_an_older_provisioning_left_are_accepted(agency: Agency, start: Start) -> None:
    app = start("Alice")
    config = used(app, agency)
    app.vcx("shutdown", False)
    left = dict.fromkeys(("institution_name", "institution_logo_url", "genesis_path"), "<CHANGE_ME>")
    app.vcx("init_with_config", {**config, **left})


def test_pool_config(agency: Agency, start: Start) -> None:
    assert used(start("Alice"), agency, pool_config=POOL_CONFIG)["pool_config"] == POOL_CONFIG


def test_pool_networks_by_file_and_by_name(agency: Agency, start: Start, genesis: str) -> None:
    by_file = {"genesis_path": genesis, "pool_name": "indy_test", "pool_config": POOL_CONFIG}
    by_name = {"pool_network_alias": "production", "pool_name": "indy_production"}
    assert used(start("Alice"), agency, pool_networks=[by_file, by_name])["pool_networks"] == [by_file, by_name]
