"""aries-askar takes over a wallet that holds a credential of ACA-Py."""

from __future__ import annotations

import json
from collections.abc import Callable

from alice import Alice
from askar import migrate
from holder import VALUES, Faber, Holder


def test_a_migrated_wallet_has_the_credential_and_the_link_secret(
    alice: Alice, publisher: Callable[[str], Faber]
) -> None:
    holder = Holder(alice, publisher("0.12"))
    holder.connect()
    _, credential = holder.take()
    info = holder.stored(credential)
    alice.stop()
    (file,) = alice.home.rglob("sqlite.db")
    settings = {name: alice.config[name] for name in ("wallet_name", "wallet_key", "wallet_key_derivation")}
    settings["storage_config"] = {"path": str(file.parents[1])}

    of_the_definition = {"cred_def_id": holder.definition}
    of_alice = {"$and": [{"attr::name::value": VALUES["name"]}, {"attr::degree::marker": "1"}]}
    of_others = {"attr::name::value": "Bob"}
    questions = [("Indy::Credential", query) for query in (of_the_definition, of_alice, of_others)]
    migrated = migrate(settings, questions)
    assert [answer["ids"] for answer in migrated["answers"]] == [[info["referent"]], [info["referent"]], []]
    records = {(record["type"], record["id"]): json.loads(record["value"]) for record in migrated["records"]
               if record["type"] in ("Indy::Credential", "Indy::MasterSecret")}  # fmt: skip
    held = records["Indy::Credential", info["referent"]]
    assert {name: value["raw"] for name, value in held["values"].items()} == VALUES
    assert held["signature"] and held["signature_correctness_proof"]
    assert records["Indy::MasterSecret", "main"]["value"]["ms"].isdigit()
