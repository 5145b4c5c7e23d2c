"""Credentials of an Indy ledger that has ended: copies of its objects serve under its ids."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agency import Agency
from alice import ROOT, Alice, wait_until
from holder import Faber, Prover
from one_node_ledger import Ledger
from test_webvh import answer
from verifier import Verifier
from verifying import Checker
from web_store import WebStore

COMMAND = pathlib.Path(os.environ.get("MSDK_COMMAND") or ROOT / ".build/release/msdk-cli")


class Copies:
    """The copies on a web server, as a verifier is configured to read them."""

    def __init__(self, server: WebStore) -> None:
        self.settings = {"anoncreds_registries": [{"type": "http", "url": server.endpoint}]}


def copy(alice: Alice, folder: pathlib.Path, url: str) -> list[Any]:
    """Copies the objects of Alice's credentials from the ledger, while no other program has her wallet."""
    alice.stop()
    config = alice.home / "config.json"
    config.write_text(json.dumps(alice.config))
    ran = subprocess.run(
        [COMMAND, "copy", folder, "--url", url, "--config", config, "--json"], env={**os.environ, "HOME": str(alice.home)},
        capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture
def moved(alice: Alice, tmp_path: pathlib.Path) -> Iterator[tuple[str, Copies, pathlib.Path]]:
    """Alice has a credential, whose ledger and issuer have ended after she copied the objects."""
    folder = tmp_path / "copies"
    with WebStore(folder, "nobody writes over HTTP") as server:
        place = tmp_path / "ledger"
        place.mkdir()
        with Ledger(place) as ledger, Verifier("Faber", tmp_path / "faber", genesis=ledger.genesis) as agent:
            faber = Faber(agent)
            Prover(alice, faber, revocable=True)
            definition = faber.revocable
            assert [each["cred_def_id"] for each in copy(alice, folder, server.endpoint)] == [definition]
            assert copy(alice, folder, server.endpoint)
        for member in ("genesis_path", "indy_vdr_library_path"):
            del alice.config[member]
        alice.config["anoncreds_registries"] = [{"type": "file", "path": str(folder)}]
        alice.start()
        alice.ask("init", alice.config)
        yield definition, Copies(server), folder


@pytest.fixture
def verifier(agency: Agency, alice: Alice, tmp_path: pathlib.Path) -> Iterator[Callable[[Copies], Checker]]:
    """A verifier with a wallet that knows no objects, connected with Alice."""
    bob = Alice(tmp_path / "bob")

    def connected(copies: Copies) -> Checker:
        bob.home.mkdir()
        bob.start()
        bob.provision(agency.provisioning())
        checker = Checker(bob, copies)  # type: ignore[arg-type]
        bob.accept("alice", alice.invite("bob", "oob"))
        both = (alice, "bob"), (bob, "alice")
        wait_until("both to be connected", lambda: [who.ask("update", peer) for who, peer in both] == [4, 4], 20)
        return checker

    yield connected
    bob.stop()


def test_a_credential_is_proved_after_its_ledger_has_ended(
    alice: Alice, moved: tuple[str, Copies, pathlib.Path], verifier: Callable[[Copies], Checker]
) -> None:
    """Also that it is not revoked."""
    definition, copies, folder = moved
    assert sorted(each.name for each in folder.iterdir() if each.is_dir()) == [
        "cred_def", "rev_reg_def", "rev_status_list", "schema", "tails"]
    checker = verifier(copies)
    proof = checker.ask_for_now("alice", definition)
    answer(alice)
    assert checker.wait(proof), checker.reasons(proof)


@pytest.mark.parametrize("member, reason", [("issuerId", "unusable-object"), ("value", "proof")])
def test_a_copy_with_another_content_verifies_nothing(
    alice: Alice, moved: tuple[str, Copies, pathlib.Path], verifier: Callable[[Copies], Checker], member: str, reason: str
) -> None:
    """With another issuer, it is not the object of the id; with another key, the proof is wrong."""
    definition, copies, folder = moved
    (file,) = (folder / "cred_def").glob("*.json")
    changed = json.loads(file.read_text())
    if member == "issuerId":
        changed["issuerId"] = "CKEDK9HrMnmiHXEV1WFgbV"
    else:
        key = changed["value"]["primary"]
        key["s"], key["z"] = key["z"], key["s"]
    file.write_text(json.dumps(changed))
    checker = verifier(copies)
    proof = checker.ask_for_now("alice", definition)
    answer(alice)
    assert not checker.wait(proof)
    assert reason in checker.reasons(proof)
