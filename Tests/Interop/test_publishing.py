"""The publication of schemas, definitions and revocation registries: refused, beside other calls, on a ledger and on a web
server."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from authority import Authority
from holder import library
from issuing import DID, Registrar, Taking
from one_node_ledger import Ledger
from tails import Tails
from web_store import WebStore


def test_an_impossible_publication_is_refused(registrar: Registrar) -> None:
    rita = registrar.rita

    def code(*arguments: Any) -> int:
        with pytest.raises(AliceError) as refused:
            rita.ask("vcx", *arguments)
        return refused.value.code

    def schema(name: str, version: str, attributes: Any) -> int:
        return code("vcx_schema_create", "s", name, version, json.dumps(attributes), 0)

    assert schema("a:b", "1.0", ["x"]) == schema("a", "1.x", ["x"]) == 1041
    assert schema("a", "1.0", ["x", " X"]) == schema("a", "1.0", []) == 1041
    assert schema("a", "1.0", {"x": 1}) == schema("a", "1.0", [1]) == 1080
    rita.ask("vcx", "vcx_schema_create", "s", "a", "1.0", '["x"]', 0)
    assert schema("a", "1.0", ["y"]) == 1088
    assert code("vcx_schema_get_attributes", "s", f"{DID}:2:b:1.0") == 1040
    revocation = {"support_revocation": True}
    assert code("vcx_credentialdef_create", "d", "n", f"{DID}:2:a:1.0", None, "t", json.dumps(revocation), 0) == 1091
    assert code("vcx_credentialdef_create", "d", "n", f"{DID}:2:b:1.0", None, "t", "{}", 0) == 1031
    assert code("vcx_credentialdef_create", "d", "n", f"{DID}:2:a:1.0", None, "a:b", "{}", 0) == 1034
    assert code("vcx_credentialdef_create", "d", "n", f"{DID}:2:a:1.0", "did:web:x", "t", "{}", 0) == 1008
    definition = rita.ask("vcx", "vcx_credentialdef_create", "d", "n", f"{DID}:2:a:1.0", None, "t", "{}", 0)
    for values in ('{"y":"1"}', '{"x":"1","y":"2"}', '{"x":null}', "[]", "no JSON"):
        assert code("vcx_issuer_create_credential", "c", definition, None, values, "n", "0") == 1021
    assert code("vcx_issuer_create_credential", "c", definition, None, '{"x":"1"}', "n", "much") == 1007
    assert code("vcx_issuer_create_credential", "c", 0, None, '{"x":"1"}', "n", "0") == 1037


def test_a_definition_is_made_while_other_calls_go_on(taking: Taking) -> None:
    """Its keys take seconds; a ping meanwhile takes none of them."""
    rita = taking.registrar.rita
    took = rita.ask("time_beside_keys", "alice")
    assert took["ping"] < took["keys"]


def test_a_ledger_is_written(bob: Alice, alice: Alice, tmp_path: pathlib.Path) -> None:
    """By an author with a DID of `did:indy`, who has accepted the network's agreement, and as endorser for another author
    with ids of the older form."""
    config, other = (json.loads(each.config) if isinstance(each.config, str) else each.config for each in (bob, alice))
    (tmp_path / "ledger").mkdir()
    ledger = Ledger(tmp_path / "ledger")
    for each in (config, other):
        ledger.publish(each["institution_did"], each["institution_verkey"], "http://127.0.0.1:1")
    ledger.require("Be careful.", "2.0", {"on_file": "The form is in our files."})
    with ledger:
        networks = {"genesis_path": str(ledger.genesis), "indy_vdr_library_path": library("libindy_vdr.so")}
        more: dict[str, Any] = {"anoncreds_registries": [], **networks}
        issuer = f"did:indy:sov:{config['institution_did']}"
        registrar = Registrar(bob, tmp_path / "issuer", institution_did=issuer, **more)
        taking = Taking(alice, registrar, **more)
        taking.connect("alice")
        with pytest.raises(AliceError) as required:
            bob.ask("vcx", "vcx_schema_create", "s", "early", "1.0", '["x"]', 0)
        assert required.value.code == 1094 and "Txn Author Agreement acceptance is required" in required.value.cause
        for each in (bob, alice):
            accept_agreement(each)
        assert taking.take_and_lose("alice").startswith(f"{issuer}/anoncreds/v0/CLAIM_DEF/")
        prepare = ("vcx_schema_prepare_for_endorser", "s", "person", "1.0", '["x"]', config["institution_did"])
        schema, transaction = taking.call(*prepare)
        assert taking.call("vcx_schema_update_state", schema) == 0
        with pytest.raises(AliceError) as refused:
            taking.call("vcx_endorse_transaction", transaction)
        assert refused.value.code == 1016
        bob.ask("vcx", "vcx_endorse_transaction", transaction)
        wait_until("the schema", lambda: taking.call("vcx_schema_update_state", schema) == 1, 20)
        endorsed = f"{other['institution_did']}:2:person:1.0"
        details = json.dumps({"support_revocation": True, "max_creds": 5, "tails_file": str(tmp_path / "tails")})
        arguments = ("d", "person", endorsed, None, "t", details, config["institution_did"])
        definition, *transactions = taking.call("vcx_credentialdef_prepare_for_endorser", *arguments)
        for each in transactions:
            assert taking.call("vcx_credentialdef_update_state", definition) == 0
            bob.ask("vcx", "vcx_endorse_transaction", each)
            text = taking.call("vcx_credentialdef_serialize", definition)
            definition = taking.call("vcx_credentialdef_deserialize", text)
        wait_until("the definition", lambda: taking.call("vcx_credentialdef_update_state", definition) == 1, 20)


def test_a_web_server_is_written(bob: Alice, alice: Alice, tmp_path: pathlib.Path) -> None:
    """Over TLS, and with a token. The holder reads what the server gives."""
    authority = Authority(tmp_path)
    folder = tmp_path / "issuer" / "registry"
    with WebStore(folder, "a-token", authority.certificate("IP:127.0.0.1")) as store:
        reading: dict[str, Any] = {"type": "http", "url": store.endpoint}
        writing = {**reading, "write": True, "bearer_token": "a-token"}
        more: dict[str, Any] = {"ca_file": str(authority.file)}
        registrar = Registrar(bob, tmp_path / "issuer", anoncreds_registries=[writing], **more)
        taking = Taking(alice, registrar, anoncreds_registries=[reading], **more)
        taking.connect("alice")
        taking.take_and_lose("alice")
        assert [each["revocationList"][1] for each in registrar.lists()] == [0, 1]
        kinds = [name.split("/")[0] for name in store.written]
        assert kinds == ["schema", "cred_def", "tails", "rev_reg_def", "rev_status_list", "rev_status_list"]
        # The files have the names of a folder's registry.
        assert all("%3A" in name and ":" not in name for name in store.written if not name.startswith("tails/"))


def test_a_tails_server_is_written_over_tls(bob: Alice, tmp_path: pathlib.Path) -> None:
    authority = Authority(tmp_path)
    with Tails(authority.certificate("IP:127.0.0.1")) as server:
        registrar = Registrar(bob, tmp_path / "issuer", server, ca_file=str(authority.file))
        registrar.define(revocable=True)
        assert len(server.files) == 1


def accept_agreement(author: Alice) -> None:
    text, version = author.ask("accept_agreement")
    assert (text, version) == ("Be careful.", "2.0")
