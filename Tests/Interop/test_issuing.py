"""Credentials that the library issues: to another program with it, and to ACA-Py; revoked; and what happens when a process
ends between two steps."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator

import pytest

from acapy import python
from alice import UNREAD, Alice, AliceError, wait_until
from holder import DIALECTS, VALUES
from issuing import DID, ISSUED, OFFERED, REJECTED, REQUESTED, REVOCABLE, Registrar, Taking, WebVHRegistrar
from process import PeerError
from tails import Tails
from taker import Taker
from web_store import WebStore
from webvh_agents import WebVHTaker

VERSIONS = ("1.0", "2.0")
NOT_PUBLISHED = 1092


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


def test_a_report_after_a_crash_leaves_the_credential_revocable(taking: Taking) -> None:
    """The issuer ended before it had stored that it issued. A report of the holder must not hide the credential's place."""
    registrar, rita = taking.registrar, taking.registrar.rita
    registrar.define(revocable=True)
    registrar.offer("alice")
    credential = taking.accept()
    registrar.wait("alice", REQUESTED)
    requested = rita.ask("issue", "alice", "serialize")
    rita.ask("issue", "alice", "issue")
    assert taking.store(credential)["cred_rev_id"] == "1"
    read = [json.loads(each["text"]) for each in taking.alice.ask("download", "issuer", "MS-106")]
    (offer,) = [each for each in read if each["@type"].endswith("/offer-credential")]
    report = {
        "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "report",
        "~thread": {"thid": offer["@id"]}, "description": {"code": "issuance-abandoned", "en": "no"},
    }
    taking.alice.ask("send", "issuer", report)
    # Without the ack, as if the holder had refused the credential after it had taken it in.
    (ack,) = [each for each in rita.ask("download", "alice", UNREAD) if "/ack" in each["text"]]
    rita.ask("mark_read", ack)
    rita.ask("restore", "alice", requested)
    wait_until("the report", lambda: registrar.update("alice") == REJECTED, 20)
    rita.ask("issue", "alice", "revoke")
    assert registrar.lists()[-1]["revocationList"][1] == 1


def test_two_processes_with_one_wallet_give_each_place_once(taking: Taking) -> None:
    """Two programs of an issuer, or a program and the command, may have the wallet open."""
    registrar, rita = taking.registrar, taking.registrar.rita
    registrar.define(revocable=True)
    names = [f"c{number}" for number in range(8)]
    with Alice(rita.home) as other:
        other.ask("init", rita.config)
        other.ask("deserialize", "alice", rita.ask("serialize", "alice"))
        credentials = []
        for name in names:
            rita.ask("prepare", name, "degree", VALUES)
            rita.ask("issue", name, "offer", {"connection": "alice"})
            credentials.append(taking.accept())
            registrar.wait(name, REQUESTED)
        for name in names[1::2]:
            other.ask("restore", name, rita.ask("issue", name, "serialize"))
        pairs = list(zip(names[::2], names[1::2]))
        for first, second in pairs:
            rita.post("issue", first, "issue")
            other.post("issue", second, "issue")
        for process in [rita, other] * len(pairs):
            process.answer("issue")
        places = sorted(int(taking.store(each)["cred_rev_id"]) for each in credentials)
        assert places == list(range(1, len(names) + 1))
        for first, second in pairs:
            rita.post("issue", first, "revoke")
            other.post("issue", second, "revoke")
        calls = [call for first, second in pairs for call in ((rita, first), (other, second))]
        for process, _ in calls:
            try:
                process.answer("revoke")
            except AliceError as error:
                assert error.code == NOT_PUBLISHED, "the other process has published a later status: repeat the call"
        for process, name in calls:
            process.ask("issue", name, "revoke")
    assert registrar.lists()[-1]["revocationList"][1:10] == [1] * len(names) + [0]


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
    rita.ask("define", "degree", sorted(VALUES), more, "full")
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


# ACA-Py


def taker(version: str, folder: pathlib.Path, registrar: Registrar) -> Taker:
    is_web = version == "webvh"
    version = "1.7" if is_web else version
    try:
        python(version)
    except PeerError as error:
        pytest.skip(error.what)
    return (WebVHTaker if is_web else Taker)("Tina", folder / "tina", version, registrar.registry)


@pytest.fixture
def tails() -> Iterator[Tails]:
    server = Tails().start()
    yield server
    server.stop()


def give_and_revoke(bob: Alice, folder: pathlib.Path, tails: Tails, peer: str, version: int, issuer: str) -> str:
    """Issues a credential to ACA-Py over a connection, and revokes it. Returns the id of its definition."""
    settings = {"issue_credential_version": f"{version}.0", "institution_did": issuer}
    registrar = Registrar(bob, folder / "issuer", tails, **settings)
    return give_and_revoke_with(registrar, taker(peer, folder, registrar))


def give_and_revoke_with(registrar: Registrar, taking: Taker) -> str:
    definition, bob = registrar.define(revocable=True), registrar.rita
    with taking as tina:
        tina.accept(bob.invite("tina", "oob", "didexchange/1.0", goal_code="issue", goal="issue"))
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
    return definition


@pytest.mark.parametrize("peer, version", DIALECTS)
@pytest.mark.exchange("issue-credential", "issue to ACA-Py, and revoke")
def test_acapy_takes_a_credential(bob: Alice, tmp_path: pathlib.Path, tails: Tails, peer: str, version: int) -> None:
    assert give_and_revoke(bob, tmp_path, tails, peer, version, DID).startswith(f"{DID}:3:CL:")


@pytest.mark.parametrize("peer, version", [("webvh", 2)])
@pytest.mark.exchange("issue-credential", "issue to ACA-Py, and revoke")
def test_acapy_takes_a_credential_of_did_webvh(
    bob: Alice, tmp_path: pathlib.Path, tails: Tails, peer: str, version: int
) -> None:
    web = tmp_path / "web"
    with WebStore(web, "nobody writes over HTTP") as server:
        registrar = WebVHRegistrar(bob, web, server, tails, issue_credential_version=f"{version}.0")
        definition = give_and_revoke_with(registrar, taker(peer, tmp_path, registrar))
    assert definition.startswith(f"{registrar.did}/resources/zQm")


@pytest.mark.parametrize("peer, version", [("1.7", 2)])
@pytest.mark.exchange("issue-credential", "issue to ACA-Py under ids of did:indy, and revoke")
def test_acapy_takes_a_credential_of_did_indy(
    bob: Alice, tmp_path: pathlib.Path, tails: Tails, peer: str, version: int
) -> None:
    """ACA-Py 1.7 finds such ids with a plugin only; 0.12 does not know them."""
    issuer = f"did:indy:sov:{DID}"
    definition = give_and_revoke(bob, tmp_path, tails, peer, version, issuer)
    assert definition.startswith(f"{issuer}/anoncreds/v0/CLAIM_DEF/")


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
