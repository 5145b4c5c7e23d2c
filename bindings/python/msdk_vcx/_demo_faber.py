"""Faber of the demo: the inviter, without asyncio. Prints the invitation's URL as a line of its own."""

from __future__ import annotations

import json
import pathlib
import sys

from msdk_vcx import sync as msdk

from ._demo import PATIENCE, link_of


def main(folder: pathlib.Path) -> None:
    config = msdk.provision(json.loads((folder / "provisioning.json").read_text()))
    with msdk.session(config):
        print("has a wallet, and a mailbox at the agency", flush=True)
        with msdk.Connection.create_outofband("alice", goal="To meet Alice") as connection:
            invitation = connection.connect()
            assert invitation is not None
            print(link_of(invitation, config["agency_endpoint"]), flush=True)
            connection.completed(timeout=PATIENCE)
            print("is connected with Alice", flush=True)
            for message in connection.messages("message", timeout=PATIENCE):
                print(f"reads: “{message.content['content']}”", flush=True)
                msdk.messages.mark_read(message)
                break
            connection.send_message("Welcome, Alice")
            print("writes a message", flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
