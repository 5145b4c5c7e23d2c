"""Credentials that the library issues: to another program with it, and to ACA-Py; revoked; and what happens when a process
ends between two steps."""

from __future__ import annotations

import json
import pathlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from acapy import python
from alice import Alice, AliceError, wait_until
from authority import Authority
from holder import DIALECTS, VALUES, library
from issuing import DID, ISSUED, OFFERED, REJECTED, REQUESTED, REVOCABLE, Registrar, Taking
from one_node_ledger import Ledger
from process import PeerError
from tails import Tails
from taker import Taker
from web_store import WebStore

VERSIONS = ("1.0", "2.0")


@pytest.fixture
def registrar(bob: Alice, tmp_path: pathlib.Path) -> Registrar:
    return Registrar(bob, tmp_path / "issuer")


@pytest.fixture
def taking(registrar: Registrar, alice: Alice) -> Taking:
    taking = Taking(alice, registrar)
    taking.connect("alice")
    return taking


@pytest.mark.parametrize("version", VERSIONS)
def test_a_credential_is_issued_and_revoked(bob: Alice, alice: Alice, tmp_path: pathlib.Path, version: str) -> None:
    registrar = Registrar(bob, tmp_path / "issuer", issue_credential_version=version)
    taking = Taking(alice, registrar)
    taking.connect("alice")
    definition = registrar.define(revocable=True)
    registrar.offer("alice")
    credential = taking.accept()
    registrar.issue("alice")
    info = taking.store(credential)
    registrar.finish("alice")
    assert (info["attrs"], info["cred_def_id"], info["cred_rev_id"]) == (VALUES, definition, "1")
    assert not taking.is_revoked(credential)
    registrar.rita.ask("issue", "alice", "revoke")
    registrar.rita.ask("issue", "alice", "revoke")  # changes nothing
    assert taking.notice().endswith(f"revocation_notification/{version}/revoke")
    assert [each["revocationList"][1] for each in registrar.lists()] == [0, 1]
    assert len(registrar.lists()[0]["revocationList"]) == REVOCABLE + 1


def test_a_killed_issuer_goes_on_between_any_two_steps(taking: Taking) -> None:
    registrar = taking.registrar
    registrar.define(revocable=True)
    registrar.rita.ask("prepare", "alice", "degree", VALUES)
    registrar.killed("alice", "alice")
    registrar.rita.ask("issue", "alice", "offer", {"connection": "alice"})
    registrar.killed("alice", "alice")
    credential = taking.accept()
    registrar.wait("alice", REQUESTED)
    registrar.killed("alice", "alice")
    registrar.rita.ask("issue", "alice", "issue")
    registrar.killed("alice", "alice")
    assert taking.store(credential)["attrs"] == VALUES
    registrar.finish("alice")
    registrar.killed("alice", "alice")
    registrar.rita.ask("issue", "alice", "revoke")
    assert registrar.lists()[-1]["revocationList"][1] == 1


def test_a_process_that_forgets_a_step_repeats_it_without_harm(taking: Taking) -> None:
    """It ends after a step, and before it has stored that."""
    registrar, rita = taking.registrar, taking.registrar.rita
    registrar.define(revocable=True)
    rita.ask("prepare", "alice", "degree", VALUES)
    created = rita.ask("issue", "alice", "serialize")
    rita.ask("issue", "alice", "offer", {"connection": "alice"})
    rita.ask("restore", "alice", created)
    rita.ask("issue", "alice", "offer", {"connection": "alice"})  # the same offer
    credential = taking.accept()
    taking.alice.ask("mark_read", taking.alice.receive("issuer", "credential-offer"))
    registrar.wait("alice", REQUESTED)
    requested = rita.ask("issue", "alice", "serialize")
    for _ in range(2):
        rita.ask("issue", "alice", "issue")
        place = registrar.place("alice")
        rita.ask("restore", "alice", requested)
        assert place == 1
    rita.ask("issue", "alice", "issue")
    taking.store(credential)
    registrar.finish("alice")
    rita.ask("restore", "alice", requested)
    rita.ask("issue", "alice", "issue")  # nothing is sent any more
    assert (registrar.state("alice"), registrar.place("alice")) == (ISSUED, 1)
    registrar.offer("alice", credential="next")
    second = taking.accept()
    registrar.issue("next")
    assert taking.store(second)["cred_rev_id"] == "2"


def requested_together(taking: Taking, count: int) -> tuple[list[str], list[int]]:
    """Offers that the holder has accepted: the issuer's names, and the holder's handles."""
    registrar, rita = taking.registrar, taking.registrar.rita
    registrar.define(revocable=True)
    names = [f"c{number}" for number in range(count)]
    for name in names:
        rita.ask("prepare", name, "degree", VALUES)
    rita.ask("together", names, "offer", {"connection": "alice"})
    credentials = [taking.accept() for _ in names]
    wait_until("all requests", lambda: rita.ask("together", names, "update_state") == [REQUESTED] * count, 60)
    return names, credentials


def test_sixteen_are_issued_side_by_side_and_revoked_together(taking: Taking) -> None:
    registrar, rita = taking.registrar, taking.registrar.rita
    names, credentials = requested_together(taking, 16)
    rita.ask("together", names, "issue")
    wait_until(
        "all credentials", lambda: taking.alice.ask("calls", "vcx_credential_update_state", [[c] for c in credentials])
        == [4] * 16, 60,
    )
    places = sorted(int(json.loads(taking.call("vcx_credential_get_info", each))["cred_rev_id"]) for each in credentials)
    assert places == list(range(1, 17))
    before = len(registrar.lists())
    rita.ask("together", names, "revoke")
    lists = registrar.lists()
    assert sum(lists[-1]["revocationList"]) == 16
    assert 1 <= len(lists) - before <= 4


@pytest.mark.parametrize("arrived", [1, 4])
def test_an_issuer_that_is_killed_while_it_issues_gives_each_credential_once(taking: Taking, arrived: int) -> None:
    """Once so many of the eight have arrived."""
    registrar, rita = taking.registrar, taking.registrar.rita
    names, credentials = requested_together(taking, 8)
    requested = {name: rita.ask("issue", name, "serialize") for name in names}
    rita.post("together", names, "issue")
    wait_until("some credentials", lambda: taking.alice.unread("issuer", "credential") >= arrived, 60)
    registrar.restart()
    for name, text in requested.items():
        rita.ask("restore", name, text)
    rita.ask("together", names, "issue")
    places = sorted(int(taking.store(each)["cred_rev_id"]) for each in credentials)
    assert places == sorted(map(registrar.place, names)) and len(set(places)) == 8


def test_a_full_registry_is_refused(taking: Taking) -> None:
    registrar, rita = taking.registrar, taking.registrar.rita
    more = {"max_credentials": 1, "tails_folder": str(registrar.tails)}
    rita.ask("define", "degree", sorted(VALUES), more)
    for name in ("one", "two"):
        registrar.offer("alice", credential=name)
        credential = taking.accept()
        registrar.wait(name, REQUESTED)
        if name == "one":
            rita.ask("issue", name, "issue")
            taking.store(credential)
    with pytest.raises(AliceError) as refused:
        rita.ask("issue", "two", "issue")
    assert refused.value.code == 1091 and "full" in refused.value.cause
    assert registrar.state("two") == REQUESTED


def test_a_holder_declines(taking: Taking) -> None:
    registrar = taking.registrar
    registrar.define()
    registrar.offer("alice")
    message = taking.alice.receive("issuer", "credential-offer")
    taking.alice.ask("take_offer", "degree", "issuer", message["uid"])
    taking.alice.ask("credential", "degree", "decline", {"connection": "issuer"}, "not now")
    registrar.wait("alice", REJECTED)
    assert registrar.rita.ask("issue", "alice", "problem_report")["comment"] == "not now"
    with pytest.raises(AliceError) as refused:
        registrar.rita.ask("issue", "alice", "revoke")
    assert refused.value.code == 1005


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
        definition = registrar.define(revocable=True)
        assert definition.startswith(f"{issuer}/anoncreds/v0/CLAIM_DEF/")
        registrar.offer("alice")
        credential = taking.accept()
        registrar.issue("alice")
        assert taking.store(credential)["cred_rev_id"] == "1"
        assert not taking.is_revoked(credential)
        bob.ask("issue", "alice", "revoke")
        wait_until("the revocation", lambda: taking.is_revoked(credential), 20)
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
        registrar.define(revocable=True)
        registrar.offer("alice")
        credential = taking.accept()
        registrar.issue("alice")
        assert taking.store(credential)["cred_rev_id"] == "1"
        assert not taking.is_revoked(credential)
        bob.ask("issue", "alice", "revoke")
        wait_until("the revocation", lambda: taking.is_revoked(credential), 20)
        assert [each["revocationList"][1] for each in registrar.lists()] == [0, 1]
        kinds = [name.split("/")[0] for name in store.written]
        assert kinds == ["schema", "cred_def", "tails", "rev_reg_def", "rev_status_list", "rev_status_list"]
        # The files have the names of a folder's registry.
        assert all("%3A" in name and ":" not in name for name in store.written if not name.startswith("tails/"))


def accept_agreement(author: Alice) -> None:
    """As a program does that shows the agreement to its user."""
    agreement = json.loads(author.ask("vcx", "vcx_get_ledger_author_agreement"))
    assert (agreement["text"], agreement["version"]) == ("Be careful.", "2.0")
    (mechanism,) = agreement["aml"]
    accepted = (agreement["text"], agreement["version"], agreement["digest"], mechanism, int(time.time()))
    author.ask("vcx", "vcx_set_active_txn_author_agreement_meta", *accepted)


# ACA-Py


def taker(version: str, folder: pathlib.Path, registrar: Registrar) -> Taker:
    try:
        python(version)
    except PeerError as error:
        pytest.skip(error.what)
    return Taker("Tina", folder / "tina", version, registrar.registry)


@pytest.fixture
def tails() -> Iterator[Tails]:
    server = Tails().start()
    yield server
    server.stop()


@pytest.mark.parametrize("peer, version", DIALECTS)
@pytest.mark.exchange("issue-credential", "issue to ACA-Py, and revoke")
def test_acapy_takes_a_credential(bob: Alice, tmp_path: pathlib.Path, tails: Tails, peer: str, version: int) -> None:
    registrar = Registrar(bob, tmp_path / "issuer", tails, issue_credential_version=f"{version}.0")
    definition = registrar.define(revocable=True)
    with taker(peer, tmp_path, registrar) as tina:
        invitation = bob.invite("tina", "oob", "didexchange/1.0", goal_code="issue", goal="issue")
        tina.accept(invitation)
        wait_until("a request", lambda: bob.ask("update", "tina") >= 3, 30)
        bob.complete("tina")
        registrar.offer("tina")
        registrar.issue("tina")
        registrar.finish("tina")
        (held,) = tina.credentials()
        assert (held["attrs"], held["cred_def_id"], held["cred_rev_id"]) == (VALUES, definition, "1")
        bob.ask("issue", "tina", "revoke")
        tina.learn()
        revoked = tina.call("GET", f"/credential/revoked/{held['referent']}")
        assert revoked["revoked"]


@pytest.mark.parametrize("peer, version", [("0.12", 2), ("1.7", 2)])
@pytest.mark.exchange("issue-credential", "issue to ACA-Py without a connection, by invitation")
def test_acapy_takes_a_credential_without_a_connection(
    bob: Alice, tmp_path: pathlib.Path, peer: str, version: int
) -> None:
    registrar = Registrar(bob, tmp_path / "issuer")
    registrar.define()
    with taker(peer, tmp_path, registrar) as tina:
        bob.ask("prepare", "degree", "degree", VALUES)
        offer = bob.ask("issue", "degree", "offer_message")
        invitation = registrar.attach("tina", offer)
        bob.ask("issue", "degree", "offer", {"connection": "tina"})
        assert registrar.state("degree") == OFFERED
        tina.take(invitation)
        registrar.issue("degree")
        registrar.finish("degree")
        (held,) = tina.credentials()
        assert held["attrs"] == VALUES


@pytest.mark.parametrize("accepts_invitation", [True, False])
def test_a_program_with_the_library_takes_a_credential_without_a_connection(
    registrar: Registrar, alice: Alice, accepts_invitation: bool
) -> None:
    """The holder makes the connection of the invitation, or answers the offer without it."""
    rita = registrar.rita
    registrar.define()
    taking = Taking(alice, registrar)
    rita.ask("prepare", "degree", "degree", VALUES)
    offer = rita.ask("issue", "degree", "offer_message")
    invitation = registrar.attach("nobody", offer)
    rita.ask("issue", "degree", "offer", {"connection": "nobody"})
    if accepts_invitation:
        alice.ask("create", "issuer", invitation)
        alice.ask("connect", "issuer")
    connection = int(alice.ask("handle", "issuer")) if accepts_invitation else 0
    message = taking.call("vcx_extract_attached_message", json.dumps(invitation))
    credential = int(taking.call("vcx_credential_create_with_offer", "degree", message))
    taking.call("vcx_credential_send_request", credential, connection, 0)
    registrar.issue("degree")
    assert taking.store(credential)["attrs"] == VALUES
    registrar.finish("degree")
