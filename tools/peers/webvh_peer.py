"""An issuer with a DID of did:webvh: it publishes in a folder, for a web server. Runs in the environment of `webvh.txt`.

    python webvh_peer.py FOLDER LOCATION

Each line of the input is a JSON array of a command and its arguments; each line of the output is the result.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from typing import Any

import anoncreds  # type: ignore[import-not-found]

import webvh_documents

SIZE = 10
"""The number of credentials in the revocation registry."""


class Issuer:
    def __init__(self, folder: pathlib.Path, location: str) -> None:
        self.folder = folder
        _, *path = location.split(":")
        self.place = folder.joinpath(*path)
        self.url = "http://" + location.replace(":", "/").replace("%3A", ":")
        self.key = webvh_documents.key()
        self.controller = webvh_documents.Controller(location, self.key)
        self.links: list[dict[str, Any]] = []
        self._write_log()

    def did(self) -> str:
        return self.controller.did

    def _write_log(self) -> None:
        log = self.place / "did.jsonl" if self.place != self.folder else self.folder / ".well-known" / "did.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(self.controller.log)

    def publish(self, content: Any, type: str, name: str, links: list[dict[str, Any]] | None = None) -> str:
        resource = self.controller.resource(content, type, name, links)
        id = str(resource["id"])
        file = self.place / "resources" / id.split("/")[-1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(resource))
        return id

    def define(self, attributes: list[str]) -> dict[str, str]:
        """Publishes a schema, a definition, a revocation registry and its first status list."""
        did = self.did()
        schema = anoncreds.Schema.create("degree", "1.0", did, attributes)
        self.schema = self.publish(schema.to_dict(), "anonCredsSchema", "degree")
        made = anoncreds.CredentialDefinition.create(self.schema, schema, did, "t", "CL", support_revocation=True)
        self.keys, self.private, self.proof = made
        self.definition = self.publish(self.keys.to_dict(), "anonCredsCredDef", "t")
        tails = self.place / "tails"
        tails.mkdir(parents=True)
        registry, self.registry_private = anoncreds.RevocationRegistryDefinition.create(
            self.definition, self.keys, did, "r", "CL_ACCUM", SIZE, tails_dir_path=str(tails)
        )
        self.content = registry.to_dict()
        file = pathlib.Path(self.content["value"]["tailsLocation"])
        self.content["value"]["tailsLocation"] = f"{self.url}/tails/{file.name}"
        local = webvh_documents.copy(self.content)
        local["value"]["tailsLocation"] = str(file)
        self.registry = anoncreds.RevocationRegistryDefinition.load(local)
        self.registry_id = self.publish(self.content, "anonCredsRevocRegDef", "r")
        self.list = anoncreds.RevocationStatusList.create(
            self.keys, self.registry_id, self.registry, self.registry_private, did, True, int(time.time()) - 60
        )
        self._publish_list()
        self.issued = 0
        return {"schema": self.schema, "definition": self.definition, "registry": self.registry_id}

    def _publish_list(self) -> None:
        """Publishes the status list, and the registry once more with a link to it."""
        content = self.list.to_dict()
        id = self.publish(content, "anonCredsStatusList", "r")
        self.links.append({"id": id, "type": "anonCredsStatusList", "timestamp": content["timestamp"]})
        self.publish(self.content, "anonCredsRevocRegDef", "r", self.links)

    def offer(self) -> Any:
        self.offered = anoncreds.CredentialOffer.create(self.schema, self.definition, self.proof)
        return self.offered.to_dict()

    def issue(self, request: Any, values: dict[str, str]) -> Any:
        """The credential in the next place of the registry."""
        self.issued += 1
        place = anoncreds.CredentialRevocationConfig(self.registry, self.registry_private, self.list, self.issued)
        wanted = anoncreds.CredentialRequest.load(request)
        made = anoncreds.Credential.create(
            self.keys, self.private, self.offered, wanted, values, revocation_config=place
        )
        return made.to_dict()

    def revoke(self, place: int) -> None:
        self.list = self.list.update(
            self.keys, self.registry, self.registry_private, None, [place], int(time.time())
        )
        self._publish_list()

    def update(self) -> None:
        """Adds a version to the DID."""
        self.controller.update(document={"alsoKnownAs": ["https://example.com"]})
        self._write_log()

    def shorten(self) -> None:
        """Publishes the DID without its newest version."""
        self.controller.states.pop()
        self._write_log()


def main() -> None:
    issuer = Issuer(pathlib.Path(sys.argv[1]), sys.argv[2])
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        print(json.dumps(getattr(issuer, command)(*arguments)), flush=True)


if __name__ == "__main__":
    main()
