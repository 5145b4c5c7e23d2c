"""Faber of the demo: the inviter, issuer and verifier, without asyncio. He prints the invitation's URL as a line."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Union

from msdk_vcx import sync as msdk

from ._demo import PATIENCE, link_of, say

VALUES: Mapping[str, Union[str, int]] = {"name": "Alice Andersen", "age": 28}


def meet(connection: msdk.Connection) -> None:
    connection.completed(timeout=PATIENCE)
    say("is connected with Alice")
    for message in connection.messages("message", timeout=PATIENCE):
        say(f"reads: “{message.content['content']}”")
        msdk.messages.mark_read(message)
        break
    connection.send_message("Welcome, Alice")


def issue(connection: msdk.Connection) -> str:
    """Publishes a definition, and issues a credential of it to Alice. Returns the definition's id."""
    with msdk.Schema.create("person", "1.0", list(VALUES)) as schema:
        schema_id = schema.id()
    say("makes the keys of an issuer, which takes some seconds")
    with msdk.CredentialDefinition.create(schema_id, "demo") as definition:
        with msdk.IssuerCredential.create(definition, VALUES, "person") as credential:
            credential.offer(connection)
            say("offers Alice a credential")
            credential.requested(timeout=PATIENCE)
            credential.issue()
        return definition.id()


def verify(connection: msdk.Connection, definition_id: str) -> None:
    here = [{"cred_def_id": definition_id}]
    asked = ([msdk.Wanted("name", here)], [msdk.WantedPredicate("age", ">=", 18, here)])
    with msdk.ProofRequest.create("of age", *asked) as request:
        request.send(connection)
        say("asks for Alice's name, and whether she is of age")
        verdict = request.verdict(timeout=PATIENCE)
        if not verdict:
            raise SystemExit(f"the proof is not good: {verdict.reasons}")
        names = [value for values in request.shown().revealed.values() for value in values.values()]
        say(f"has verified: the name {', '.join(names)}, and an age of 18 or more")


def main(folder: pathlib.Path, has_engine: bool) -> None:
    config = msdk.provision(json.loads((folder / "provisioning.json").read_text()))
    with msdk.session(config):
        say("has a wallet, and a mailbox at the agency")
        with msdk.Connection.create("alice", goal="To meet Alice") as connection:
            invitation = connection.connect()
            assert invitation is not None
            say(link_of(invitation, config["agency_endpoint"]))
            meet(connection)
            if has_engine:
                verify(connection, issue(connection))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), "credentials" in sys.argv[2:])
