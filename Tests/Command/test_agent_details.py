"""The commands of an agent: the files, names and addresses that the user gives."""

from __future__ import annotations

import base64
import json
import pathlib
import urllib.parse

from agency import Agency
from command import DONE, FAILED
from conftest import User

# Files


def test_the_environment_names_the_configuration(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice, elsewhere = User(tmp_path / "alice"), tmp_path / "elsewhere"
    file = elsewhere / "msdk" / "config.json"
    assert alice.msdk("provision", agency.endpoint, XDG_CONFIG_HOME=str(elsewhere)).status == DONE
    assert file.exists() and not alice.config.exists()
    assert alice.msdk("connections").status == FAILED
    assert alice.msdk("connections", XDG_CONFIG_HOME=str(elsewhere)).status == DONE
    assert alice.msdk("connections", MSDK_CONFIG=str(file), XDG_CONFIG_HOME=str(tmp_path)).status == DONE
    assert alice.msdk("connections", "--config", file, MSDK_CONFIG=str(tmp_path / "absent")).status == DONE


def test_a_wallet_has_its_name_and_its_place_from_the_user(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice, place = User(tmp_path / "alice"), tmp_path / "wallets"
    assert alice.provision(agency, "--wallet", "mine", "--home", place)["wallet_name"] == "mine"
    assert (place / "mine" / "sqlite.db").exists() and not (alice.home / ".indy_client").exists()
    assert alice.done("connections") == []


def test_an_earlier_attempt_with_another_wallet_keeps_its_key(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    identity = ["--agency-did", agency.facts["did"], "--agency-verkey", agency.facts["verkey"]]
    assert alice.msdk("provision", "http://127.0.0.1:9", *identity, "--wallet", "first").status == FAILED
    request = alice.config.parent / "config.json.request"
    key = json.loads(request.read_text())["wallet_key"]
    assert request.stat().st_mode & 0o777 == 0o600
    refused = alice.msdk("provision", agency.endpoint, "--wallet", "second")
    assert refused.status == FAILED and 'has the key of the wallet "first"' in refused.complaint
    assert alice.provision(agency, "--wallet", "first")["wallet_key"] == key
    assert not request.exists()


# Addresses


def test_a_slash_at_the_end_of_an_address_does_not_count(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    assert alice.msdk("provision", agency.endpoint + "/").status == DONE
    assert json.loads(alice.config.read_text())["agency_endpoint"] == agency.endpoint


def test_an_address_that_tells_no_did_is_named(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    ran = alice.msdk("provision", agency.endpoint + "/nowhere")
    assert ran.status == FAILED and "does not tell its DID" in ran.complaint
    assert not alice.config.exists() and not (alice.home / ".indy_client").exists()


# Names


def test_connections_get_names_that_are_free(alice: User, faber: User) -> None:
    invited = [faber.done("invite", "--no-wait")[0] for _ in range(3)]
    assert [each["name"] for each in invited] == ["guest", "guest-2", "guest-3"]
    for each in invited[:2]:
        alice.done("connect", each["url"], "--yes", "--no-wait")
    taken = alice.msdk("connect", invited[2]["url"], "--as", "faber", "--yes", "--no-wait")
    assert taken.status == FAILED and 'There is a connection "faber" already.' in taken.complaint
    known = alice.done("connections")
    assert [(each["name"], each["state"], each["peer"]) for each in known] == [
        ("faber", "waiting", "Faber"), ("faber-2", "waiting", "Faber")]
    assert len({each["did"] for each in known}) == 2
    assert [each["name"] for each in faber.done("connections")] == ["guest", "guest-2", "guest-3"]


def test_two_spellings_that_look_the_same_are_one_name(alice: User) -> None:
    composed, decomposed = "bank-k\u00e4se", "bank-ka\u0308se"
    assert alice.done("invite", "--as", composed, "--no-wait")[0]["name"] == composed
    taken = alice.msdk("invite", "--as", decomposed, "--no-wait")
    assert taken.status == FAILED and "There is a connection" in taken.complaint
    assert [each["name"] for each in alice.done("connections")] == [composed]
    assert alice.done("forget", decomposed) == [{"connection": composed, "forgotten": True}]
    assert alice.done("connections") == []


def test_an_invitation_of_the_older_form_is_accepted_as_json(alice: User, faber: User) -> None:
    url = faber.done("invite", "--as", "alice", "--no-wait")[0]["url"]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["oob"][0]
    invitation = json.loads(base64.urlsafe_b64decode(query + "=" * (-len(query) % 4)))
    service = invitation["services"][0]
    older = {
        "@type": "https://didcomm.org/connections/1.0/invitation", "@id": invitation["@id"], "label": "Faber & Söhne",
        **{name: service[name] for name in ("recipientKeys", "routingKeys", "serviceEndpoint")},
    }
    name = "faber---söhne"
    assert alice.done("connect", json.dumps(older), "--yes", "--no-wait") == [{"name": name, "state": "waiting"}]
    assert faber.done("inbox") == []
    assert alice.done("inbox") == [{"connection": name, "state": "connected"}]
    assert faber.done("inbox") == [{"connection": "alice", "state": "connected"}]


def test_a_message_that_is_kept_is_followed_once(alice: User, faber: User) -> None:
    url = faber.done("invite", "--as", "alice", "--no-wait")[0]["url"]
    alice.done("connect", url, "--as", "faber", "--yes", "--no-wait")
    for user in (faber, alice, faber):
        user.done("inbox")
    with faber.running("inbox", "--follow", "--keep", "--json") as following:
        for text in ("one", "two"):
            alice.done("send", "faber", text)
            assert json.loads(following.output())["content"] == text
    assert [each["content"] for each in faber.done("inbox")] == ["one", "two"]
