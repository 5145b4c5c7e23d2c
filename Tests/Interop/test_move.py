"""Credentials of an Indy ledger that has ended: copies of its objects serve under its ids."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, NamedTuple

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


class Moved(NamedTuple):
    """Alice with a credential, whose ledger and issuer have ended after she copied the objects."""

    alice: Alice
    definition: str
    folder: pathlib.Path


def copy(alice: Alice, folder: pathlib.Path) -> list[Any]:
    """Copies the objects of Alice's credentials from the ledger, while no other program has her wallet."""
    alice.stop()
    config = alice.home / "config.json"
    config.write_text(json.dumps(alice.config))
    ran = subprocess.run(
        [COMMAND, "copy", folder, "--config", config, "--json"], env={**os.environ, "HOME": str(alice.home)},
        capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture(scope="module")
def moved(agency: Agency, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Moved]:
    folder = tmp_path_factory.mktemp("moved")
    copies, place = folder / "copies", folder / "ledger"
    place.mkdir()
    with Alice(tmp_path_factory.mktemp("alice")) as alice:
        alice.provision(agency.provisioning())
        with Ledger(place) as ledger, Verifier("Faber", folder / "faber", genesis=ledger.genesis) as agent:
            faber = Faber(agent)
            Prover(alice, faber, revocable=True)
            definition = faber.revocable
            assert [each["cred_def_id"] for each in copy(alice, copies)] == [definition]
            assert copy(alice, copies)  # again, without a change
        for member in ("genesis_path", "indy_vdr_library_path"):
            del alice.config[member]
        alice.config["anoncreds_registries"] = [{"type": "file", "path": str(copies)}]
        alice.start()
        alice.ask("init", alice.config)
        yield Moved(alice, definition, copies)


class Copies:
    """A web server with the copies of this test, and the settings of a verifier that reads them."""

    def __init__(self, folder: pathlib.Path, server: WebStore) -> None:
        self.folder = folder
        self.settings = {"anoncreds_registries": [{"type": "http", "url": server.endpoint}]}


@pytest.fixture
def copies(moved: Moved, tmp_path: pathlib.Path) -> Iterator[Copies]:
    folder = tmp_path / "web"
    shutil.copytree(moved.folder, folder)
    with WebStore(folder, "nobody writes over HTTP") as server:
        yield Copies(folder, server)


@pytest.fixture
def checker(moved: Moved, copies: Copies, bob: Alice) -> Checker:
    """Bob as a verifier, whose wallet knows no objects, connected with Alice."""
    checker = Checker(bob, copies)  # type: ignore[arg-type]
    bob.accept("alice", moved.alice.invite("bob", "oob"))
    both = (moved.alice, "bob"), (bob, "alice")
    wait_until("both to be connected", lambda: [who.ask("update", peer) for who, peer in both] == [4, 4], 20)
    return checker


def test_a_credential_is_proved_after_its_ledger_has_ended(moved: Moved, copies: Copies, checker: Checker) -> None:
    """Also that it is not revoked."""
    folders = ["cred_def", "rev_reg_def", "rev_status_list", "schema", "tails"]
    assert sorted(each.name for each in copies.folder.iterdir() if each.is_dir()) == folders
    proof = checker.ask_for_now("alice", moved.definition)
    answer(moved.alice)
    assert checker.wait(proof), checker.reasons(proof)


@pytest.mark.parametrize("member, reason", [("issuerId", "unusable-object"), ("value", "proof")])
def test_a_copy_with_another_content_verifies_nothing(
    moved: Moved, copies: Copies, checker: Checker, member: str, reason: str
) -> None:
    """With another issuer, it is not the object of the id; with another key, the proof is wrong."""
    (file,) = (copies.folder / "cred_def").glob("*.json")
    changed = json.loads(file.read_text())
    if member == "issuerId":
        changed["issuerId"] = "CKEDK9HrMnmiHXEV1WFgbV"
    else:
        key = changed["value"]["primary"]
        key["s"], key["z"] = key["z"], key["s"]
    file.write_text(json.dumps(changed))
    proof = checker.ask_for_now("alice", moved.definition)
    answer(moved.alice)
    assert not checker.wait(proof)
    assert reason in checker.reasons(proof)
