"""Rita, a program with the library that issues credentials, and Alice, one that holds them."""

from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any

from agency import Agency
from alice import UNREAD, Alice, wait_until
from holder import VALUES, library
from tails import Tails
from web_store import WebStore
from webvh_agents import READING, location

FAILED, CREATED, OFFERED, REQUESTED, ISSUED, REJECTED = 0, 1, 2, 3, 4, 9
DID = "V4SGRU86Z58d6TV7PBUe6f"
REVOCABLE = 20
"""The number of credentials in a registry."""


def reads(program: Alice, registry: pathlib.Path, **more: Any) -> None:
    """Lets a program read a registry of files."""
    config = json.loads(program.config) if isinstance(program.config, str) else program.config
    entry = {"type": "file", "path": str(registry)}
    program.config = {**config, "anoncreds_library_path": library("libanoncreds.so"), "anoncreds_registries": [entry], **more}
    program.restart()


class PreparedWallet:
    """A wallet with the keys of a definition of each kind. Issuers begin with a copy: new keys take seconds of the processor."""

    def __init__(self, folder: pathlib.Path, agency: Agency) -> None:
        self.home = folder / "program"
        self.home.mkdir()
        with Alice(self.home) as rita:
            rita.provision(agency.provisioning())
            registrar = Registrar(rita, folder / "issuer")
            registrar.define()
            registrar.define(revocable=True)

    def copy_to(self, home: pathlib.Path) -> None:
        shutil.copytree(self.home / ".indy_client", home / ".indy_client")


class Registrar:
    """An issuer, which publishes in a folder. Its credentials are named like the connections that they go over.

    `server` gets its tails files, for holders that do not read the folder.
    """

    def __init__(self, rita: Alice, folder: pathlib.Path, server: Tails | None = None, **more: Any) -> None:
        self.rita, self.registry = rita, folder / "registry"
        writing: dict[str, Any] = {"type": "file", "path": str(self.registry), "write": True}
        if server is not None:
            more["tails_server_url"] = server.url
        reads(rita, self.registry, **{"institution_did": DID, "anoncreds_registries": [writing], **more})
        self.tails = folder / "tails"
        self.tails.mkdir(parents=True)

    @property
    def published_at(self) -> dict[str, Any]:
        """The registry of a configuration that reads its objects."""
        return {"type": "file", "path": str(self.registry)}

    def define(self, revocable: bool = False, name: str = "degree") -> str:
        more = {"max_credentials": REVOCABLE, "tails_folder": str(self.tails)} if revocable else {}
        return str(self.rita.ask("define", name, sorted(VALUES), more, f"revocable {name}" if revocable else name))

    def offer(self, name: str, definition: str = "degree", credential: str | None = None) -> None:
        credential = credential or name
        self.rita.ask("prepare", credential, definition, VALUES)
        self.rita.ask("issue", credential, "offer", {"connection": name})

    def attach(self, name: str, offer: Any) -> Any:
        """An invitation without a handshake, which carries an offer."""
        attached = {"handshake": False, "request": offer, "goal_code": "issue-vc", "goal": "your degree"}
        self.rita.ask("invite", name, True, attached)
        made = self.rita.ask("connect", name, None)
        return json.loads(made) if isinstance(made, str) else made

    def state(self, name: str) -> int:
        return int(self.rita.ask("issue", name, "state"))

    def update(self, name: str) -> int:
        return int(self.rita.ask("issue", name, "update_state"))

    def wait(self, name: str, state: int) -> None:
        wait_until(f"state {state}", lambda: self.update(name) == state, 30)

    def is_acknowledged(self, name: str) -> bool:
        self.update(name)
        return "Finished" in self.stored(name)

    def stored(self, name: str) -> Any:
        """The serialized state: its name, with its members."""
        return json.loads(self.rita.ask("issue", name, "serialize"))["data"]["issuer_sm"]["state"]

    def place(self, name: str) -> int:
        """The place of an issued credential in the revocation registry."""
        (state,) = self.stored(name).values()
        return int(state["msdk"]["cred_rev_id"])

    def issue(self, name: str) -> None:
        """Issues what is requested."""
        self.wait(name, REQUESTED)
        self.rita.ask("issue", name, "issue")
        assert self.state(name) == ISSUED

    def finish(self, name: str) -> None:
        """Waits until the holder has the credential."""
        wait_until("the holder's ack", lambda: self.is_acknowledged(name), 30)

    def killed(self, name: str, connection: str | None = None) -> None:
        """Another process goes on with a credential."""
        text = self.rita.ask("issue", name, "serialize")
        kept = None if connection is None else self.rita.ask("serialize", connection)
        self.restart()
        self.rita.ask("restore", name, text)
        if connection is not None:
            self.rita.ask("deserialize", connection, kept)

    def restart(self) -> None:
        self.rita.kill()
        self.rita.start()
        self.rita.ask("init", self.rita.config)

    def lists(self) -> list[Any]:
        """All status lists that were published."""
        (file,) = (self.registry / "rev_status_list").glob("*.json")
        return list(json.loads(file.read_text()))


class WebVHRegistrar(Registrar):
    """An issuer with a DID of did:webvh, whose files `web` serves from `folder`."""

    def __init__(self, rita: Alice, folder: pathlib.Path, web: WebStore, server: Tails | None = None, **more: Any) -> None:
        self.rita, self.registry, self.tails = rita, folder, folder / "local-tails"
        writing = {"type": "webvh", "path": str(folder), "write": True}
        reads(rita, folder, anoncreds_registries=[writing])
        self.did = str(rita.ask("create_web_did", location(web)))
        if server is not None:
            more["tails_server_url"] = server.url
        reads(rita, folder, **{"institution_did": self.did, "anoncreds_registries": [writing], **more})
        self.tails.mkdir(parents=True)

    @property
    def published_at(self) -> dict[str, Any]:
        return READING

    @property
    def files(self) -> pathlib.Path:
        """The folder of the DID's files."""
        return self.registry / "issuers" / "1"


class Taking:
    """Alice with a connection to the issuer."""

    def __init__(self, alice: Alice, registrar: Registrar, **more: Any) -> None:
        self.alice, self.registrar = alice, registrar
        reads(alice, registrar.registry, **{"anoncreds_registries": [registrar.published_at], **more})

    def connect(self, name: str) -> None:
        invitation = self.registrar.rita.invite(name, "oob", "didexchange/1.0", goal_code="issue", goal="issue")
        self.alice.accept("issuer", invitation)
        wait_until("a request", lambda: self.registrar.rita.ask("update", name) >= 3, 20)
        self.alice.complete("issuer")
        self.registrar.rita.complete(name)

    def call(self, function: str, *arguments: Any) -> Any:
        return self.alice.ask("vcx", function, *arguments)

    def accept(self) -> int:
        """Requests the credential in the next offer."""
        message = self.alice.receive("issuer", "credential-offer")
        handle = int(self.alice.ask("handle", "issuer"))
        credential, _ = self.call("vcx_credential_create_with_msgid", "degree", handle, message["uid"])
        self.alice.ask("mark_read", message)
        self.call("vcx_credential_send_request", credential, handle, 0)
        return int(credential)

    def store(self, credential: int) -> Any:
        wait_until("the credential", lambda: self.call("vcx_credential_update_state", credential) == 4, 30)
        return json.loads(self.call("vcx_credential_get_info", credential))

    def take_and_lose(self, name: str) -> str:
        """Takes a credential of a new definition over the issuer's connection `name`. The issuer then revokes it. Returns the
        id of the definition."""
        definition = self.registrar.define(revocable=True)
        self.registrar.offer(name)
        credential = self.accept()
        self.registrar.issue(name)
        assert self.store(credential)["cred_rev_id"] == "1"
        assert not self.is_revoked(credential)
        self.registrar.rita.ask("issue", name, "revoke")
        wait_until("the revocation", lambda: self.is_revoked(credential), 20)
        return definition

    def notice(self) -> str:
        """The type of the message that tells of a revocation."""

        def find() -> str | None:
            texts = [each["text"] or "{}" for each in self.alice.ask("download", "issuer", UNREAD)]
            types = [str(json.loads(text).get("@type")) for text in texts]
            return next((each for each in types if "/revocation_notification/" in each), None)

        return str(wait_until("a notice of revocation", find, 20))

    def is_revoked(self, credential: int) -> bool:
        return bool(self.call("msdk_credential_is_revoked", credential))
