"""Operations that need an agency, with a fault in their midst: in the library, while the agency is well."""

from __future__ import annotations

import json
import pathlib
import queue
from typing import Any

import calls
from calls import call, done
from peer import Peer, message
from operation import FILES, Armed, Operation, config

NETWORK = frozenset({"connect", "send", "receive"})
"""The calls of an operation that asks the agency."""

COMPLETED, REQUESTED, INVITED = 4, 3, 2
UNREAD, READ = "MS-103", "MS-106"
MESSAGES = [f"message {number}" for number in range(5)]


def settings(home: pathlib.Path) -> dict[str, Any]:
    """The configuration of a wallet that was provisioned, and perhaps copied since."""
    made: dict[str, Any] = json.loads((home / "config.json").read_text())
    return {**made, **config(home)}


def provisioning(home: pathlib.Path) -> dict[str, Any]:
    return {**json.loads((home / "agency.json").read_text()), **config(home)}


def received(peer: Peer) -> list[dict[str, Any]]:
    """The messages that have reached the peer by now."""
    messages = []
    try:
        while True:
            messages.append(peer.receive("", timeout=0.05)[0])
    except queue.Empty:
        return messages


def download(status: str | None = None) -> tuple[int, dict[str, str]]:
    """Uid and status of the messages in the mailboxes, or the code of what refused them."""
    outcome = call("vcx_messages_download", status, None, None)
    mailboxes = json.loads(outcome.value) if outcome.code == 0 else []
    messages = [each for mailbox in mailboxes for each in mailbox["msgs"]]
    assert len({each["uid"] for each in messages}) == len(messages), "a message is there twice"
    assert all(each["decryptedPayload"] for each in messages), "a message was not opened"
    return outcome.code, {each["uid"]: each["statusCode"] for each in messages}


def invited(peer: Peer) -> int:
    handle = done("vcx_connection_create_with_invite", "peer", peer.invitation())
    assert isinstance(handle, int)
    return handle


def complete(connection: int) -> None:
    states = [call("vcx_connection_update_state", connection).value for _ in range(3)]
    assert states[-1] == COMPLETED, f"the connection does not complete: {states}"


class MailboxOperation(Operation):
    """Begins with a wallet that is provisioned."""

    def prepare(self, home: pathlib.Path) -> None:
        made = done("vcx_agent_provision_async", provisioning(home))
        (home / "config.json").write_text(made)


class Provision(MailboxOperation):
    name = "provision"
    kinds = FILES | NETWORK | {"truncate", "rename", "unlink", "map"}

    def prepare(self, home: pathlib.Path) -> None:
        pass

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        with armed():
            outcome = call("vcx_agent_provision_async", provisioning(home))
        made = outcome.value if outcome.code == 0 else done("vcx_agent_provision_async", provisioning(home))
        (home / "config.json").write_text(made)
        return outcome.code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        if facts is None:
            super().prepare(home)
        done("vcx_init_with_config", settings(home))
        done("vcx_connection_connect", done("vcx_connection_create", "peer"), None)
        calls.shut_down()


class Connect(MailboxOperation):
    name = "connect"
    kinds = FILES | NETWORK

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", settings(home))
        with Peer() as peer:
            connection = invited(peer)
            with armed():
                code = call("vcx_connection_connect", connection, None).code
            state = done("vcx_connection_get_state", connection)
            assert state == (REQUESTED if code == 0 else INVITED), f"connecting ended with {code} and in state {state}"
            if code:
                done("vcx_connection_connect", connection, None)
            requests = received(peer)
            assert len({request["@id"] for request in requests}) == 1, "the request is not one"
            peer.send(peer.response(requests[0]), requests[0], peer.key)
            complete(connection)
            text = done("vcx_connection_serialize", connection)
        (home / "connection.json").write_text(text)
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", settings(home))
        if facts is not None:
            connection = done("vcx_connection_deserialize", (home / "connection.json").read_text())
            assert done("vcx_connection_update_state", connection) == COMPLETED
        with Peer() as peer:
            done("vcx_connection_connect", invited(peer), None)
        calls.shut_down()


class Poll(MailboxOperation):
    name = "poll"
    kinds = NETWORK | FILES - {"open"}

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", settings(home))
        with Peer() as peer:
            connection = invited(peer)
            done("vcx_connection_connect", connection, None)
            stored = done("vcx_connection_serialize", connection)
            request = received(peer)[0]
            peer.send(peer.response(request), request, peer.key)
            with armed():
                outcome = call("vcx_connection_update_state", connection)
            assert outcome.code or outcome.value in (REQUESTED, COMPLETED)
            complete(connection)
            told = [each["@type"] for each in received(peer)]
            assert 1 <= len(told) <= 2 and len(set(told)) == 1, f"the peer was told: {told}"
            unread = download(UNREAD)[1]
            assert not unread, f"{len(unread)} messages stay unread"
            complete(done("vcx_connection_deserialize", stored))  # as after an end before it was stored anew
        calls.shut_down()
        return outcome.code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", settings(home))
        calls.shut_down()


class Mailbox(MailboxOperation):
    """Begins with a connection, and messages in its mailbox."""

    def prepare(self, home: pathlib.Path) -> None:
        super().prepare(home)
        done("vcx_init_with_config", settings(home))
        with Peer() as peer:
            connection = invited(peer)
            done("vcx_connection_connect", connection, None)
            request = received(peer)[0]
            (home / "request.json").write_text(json.dumps(request))
            for content in MESSAGES:
                peer.send(message("basicmessage/1.0/message", content=content), request, peer.key)
        calls.shut_down()


class Download(Mailbox):
    name = "download"
    kinds = NETWORK | FILES - {"write", "sync"}

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", settings(home))
        with armed():
            code, messages = download(UNREAD)
        assert code or len(messages) == len(MESSAGES), f"{len(messages)} of {len(MESSAGES)} came"
        code_after, messages = download(UNREAD)
        assert (code_after, len(messages)) == (0, len(MESSAGES))
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", settings(home))
        code, messages = download(UNREAD)
        assert (code, len(messages)) == (0, len(MESSAGES))
        calls.shut_down()


class MarkRead(Mailbox):
    name = "mark as read"
    kinds = frozenset({"send", "receive", "allocate"})

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", settings(home))
        known = download()[1]
        with Peer() as peer:
            request = json.loads((home / "request.json").read_text())
            peer.send(message("basicmessage/1.0/message", content="one more"), request, peer.key)
        (uid,) = download()[1].keys() - known.keys()
        outcome = json.loads(done("vcx_messages_download", None, uid, None))
        marked = json.dumps([{"pairwiseDID": outcome[0]["pairwiseDID"], "uids": [uid]}])
        with armed():
            code = call("vcx_messages_update_status", READ, marked).code
        status = download()[1][uid]
        assert status == READ if code == 0 else status in (UNREAD, READ), f"{code}, and the status is {status}"
        done("vcx_messages_update_status", READ, marked)
        assert download()[1] == {**known, uid: READ}
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", settings(home))
        code, messages = download(UNREAD)
        assert code == 0 and (facts is None or len(messages) == len(MESSAGES))
        calls.shut_down()


class Collect(Mailbox):
    """Fetches all messages of the mailboxes: what the tests of the agency look at."""

    name = "collect"

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", settings(home))
        outcome = call("vcx_messages_download", None, None, None)
        mailboxes = json.loads(outcome.value) if outcome.code == 0 else []
        calls.shut_down()
        texts = [(each["uid"], json.loads(each["decryptedPayload"] or "null")) for box in mailboxes for each in box["msgs"]]
        found = [(uid, json.loads(payload["@msg"])["content"] if payload else None) for uid, payload in texts]
        return {"code": outcome.code, "found": found}


class Hear(Mailbox):
    """Has the agency announce messages at the address in the file `hook`."""

    name = "hear"

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", settings(home))
        hook = (home / "hook").read_text()
        done("vcx_agent_update_info", {"id": "hook", "type": 2, "value": hook})
        calls.shut_down()
        return 0


HELPERS = [Collect(), Hear()]
OPERATIONS = [Provision(), Connect(), Poll(), Download(), MarkRead()]
