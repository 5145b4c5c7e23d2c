"""Actions of a connection besides its handshake, with the scripted peer and without any."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
import time

import pytest
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from agency import Agency
from alice import COMPLETED, Alice, AliceError, wait_until
from envelope import JSON, b58decode, b64decode, opened, signed
from peer import Peer, message

NOT_READY, NOT_DELIVERED, OTHER_PROTOCOL = 1005, 1010, 1103
RESPONDED = 3

QUESTION: JSON = {
    "question_text": "Möchten Sie?",
    "question_detail": "…",
    "nonce": "7c1e",
    "signature_required": True,
    "valid_responses": [{"text": "Ja"}, {"text": "Nein"}],
}


def connected_to_mallory(alice: Alice, mallory: Peer) -> JSON:
    """Returns Alice's request, which says how to reach her."""
    alice.accept("mallory", mallory.invitation())
    request = mallory.receive("connections/1.0/request")[0]
    mallory.send(mallory.response(request), request, mallory.key)
    alice.complete("mallory")
    mallory.receive_confirmation()
    return request


def expiring(time: str) -> JSON:
    return {"~timing": {"expires_time": time}}


def verifies(verkey: str, data: bytes, signature: bytes) -> bool:
    try:
        VerifyKey(b58decode(verkey)).verify(data, signature)
    except BadSignatureError:
        return False
    return True


def ask_question(alice: Alice, mallory: Peer, request: JSON, question: JSON, kind: str) -> str:
    """Mallory asks; returns the question as Alice's application sees it."""
    mallory.send(question, request, mallory.key)
    received = alice.receive("mallory", kind)
    assert alice.ask("update", "mallory") == COMPLETED
    assert alice.unread("mallory", kind) == 1, "update_state leaves it for the application"
    assert json.loads(received["text"]) == question
    return str(received["text"])


def test_a_question_is_answered_and_the_answer_signed(alice: Alice, mallory: Peer) -> None:
    request = connected_to_mallory(alice, mallory)
    question = {**message("questionanswer/1.0/question", **QUESTION), **expiring("2999-01-01T00:00:00Z")}
    text = ask_question(alice, mallory, request, question, "question")
    alice.ask("do", "mallory", "send_answer", text, {"text": "Ja"})

    answer, sender = mallory.receive("questionanswer/1.0/answer")
    assert sender is not None
    assert (answer["response"], answer["~thread"]["thid"]) == ("Ja", question["@id"])
    assert answer["~thread"]["received_orders"] == {mallory.key.did: 0}
    field = answer["response~sig"]
    signed = hashlib.sha512("Möchten Sie?Ja7c1e".encode()).digest()
    assert field["signers"] == [sender] and b64decode(field["sig_data"]) == signed
    assert verifies(sender, signed, b64decode(field["signature"]))


def test_a_committed_question_is_answered(alice: Alice, mallory: Peer) -> None:
    request = connected_to_mallory(alice, mallory)
    responses = [{"text": "Yes", "nonce": "n-yes"}, {"text": "No", "nonce": "n-no"}]
    question = message("committedanswer/1.0/question", question_text="Pay?", valid_responses=responses)
    text = ask_question(alice, mallory, request, question, "committed-question")
    alice.ask("do", "mallory", "send_answer", text, {"text": "No"})

    answer, sender = mallory.receive("committedanswer/1.0/answer")
    assert sender is not None
    field = answer["response.@sig"]
    assert base64.b64decode(field["sig_data"]) == b"n-no"
    assert verifies(sender, field["sig_data"].encode(), base64.b64decode(field["signature"]))


def test_an_expired_question_is_not_answered(alice: Alice, mallory: Peer) -> None:
    request = connected_to_mallory(alice, mallory)
    question = {**message("questionanswer/1.0/question", **QUESTION), **expiring("2020-01-01 00:00:00Z")}
    text = ask_question(alice, mallory, request, question, "question")
    with pytest.raises(AliceError) as refused:
        alice.ask("do", "mallory", "send_answer", text, {"text": "Ja"})
    assert refused.value.code == 1016
    assert mallory.is_quiet()


def test_an_inviter_that_responds_from_the_invitations_key_is_proven_by_its_answer(alice: Alice, mallory: Peer) -> None:
    """Its response presents another key, which proves itself by the answer to a ping. Further polls send nothing."""
    alice.accept("mallory", mallory.invitation())
    request = mallory.receive("connections/1.0/request")[0]
    mallory.send(mallory.response(request), request, mallory.invitation_key)
    alice.complete("mallory")
    for _ in range(2):
        mallory.receive("notification/1.0/ack", "trust_ping/1.0/ping")
    for _ in range(3):
        assert alice.ask("update", "mallory") == COMPLETED
    assert mallory.is_quiet()


@pytest.mark.parametrize("answer", [b"hello", b"SSH-2.0-OpenSSH\r\n", b"HTTP/9.9 200 OK\r\n\r\n"])
def test_an_answer_that_is_no_http_loses_no_message(alice: Alice, mallory: Peer, answer: bytes) -> None:
    """Another server behind the peer's address, for a moment."""
    alice.accept("mallory", mallory.invitation())
    request = mallory.receive("connections/1.0/request")[0]
    response = mallory.response(request)
    with socket.create_server(("127.0.0.1", 0)) as other:
        document = opened(response["connection~sig"])
        document["DIDDoc"]["service"][0]["serviceEndpoint"] = f"http://127.0.0.1:{other.getsockname()[1]}"
        response["connection~sig"] = signed(document, mallory.invitation_key)
        mallory.send(response, request, mallory.key)
        serving = threading.Thread(target=answer_once, args=(other, answer))
        serving.start()
        with pytest.raises(AliceError) as refused:
            for _ in range(40):
                alice.ask("update", "mallory")
                time.sleep(0.25)
        assert refused.value.code == NOT_DELIVERED
        serving.join()
        serving = threading.Thread(target=answer_once, args=(other, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        serving.start()
        assert alice.ask("update", "mallory") == COMPLETED
        serving.join()


def answer_once(server: socket.socket, answer: bytes) -> None:
    """Reads a request, and answers with these bytes."""
    connection, _ = server.accept()
    with connection:
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(65536)
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += connection.recv(65536)
        connection.sendall(answer)


def test_dead_addresses_hide_no_other_request(alice: Alice, mallory: Peer) -> None:
    """Strangers who know the invitation have requests before the guest's, with addresses that do not answer."""
    alice.ask("invite", "guest", False, {})
    invitation = alice.ask("connect", "guest", None)
    for _ in range(5):
        with Peer() as stranger:
            stranger.request(invitation)
    mallory.request(invitation)
    wait_until("the guest's request", lambda: polled(alice, "guest") == RESPONDED, 20)
    assert mallory.receive("connections/1.0/response")


def polled(alice: Alice, name: str) -> int:
    """The state after a poll, which may have failed."""
    try:
        return int(alice.ask("update", name))
    except AliceError as error:
        assert error.code == NOT_DELIVERED
        return -1


def test_an_invitation_to_act_is_sent(alice: Alice, mallory: Peer) -> None:
    connected_to_mallory(alice, mallory)
    sent = alice.ask("do", "mallory", "send_invite_action", "automotive.inspect.tire", ["ACCEPT"])
    received, _ = mallory.receive("invite-action/0.9/invite")
    assert received == sent and received["~please_ack"] == {"on": ["ACCEPT"]}


def test_signatures_are_made_and_verified(alice: Alice, mallory: Peer) -> None:
    connected_to_mallory(alice, mallory)
    own = alice.ask("do", "mallory", "info")["my"]["recipientKeys"][0]
    assert verifies(own, b"to be signed", bytes.fromhex(alice.ask("sign", "mallory", "to be signed")))
    signature = mallory.key.sign(b"by Mallory").hex()
    assert alice.ask("verify", "mallory", "by Mallory", signature)
    assert not alice.ask("verify", "mallory", "by Molly", signature)


def test_nothing_is_sent_before_the_connection_is_complete(alice: Alice, mallory: Peer) -> None:
    alice.ask("create", "mallory", mallory.invitation())
    question = message("questionanswer/1.0/question", **QUESTION)
    for method, arguments in (
        ("send_reuse", [message("out-of-band/1.1/invitation")]),
        ("send_discovery_features", []),
        ("send_answer", [question, {"text": "Ja"}]),
        ("send_invite_action", ["x"]),
    ):
        with pytest.raises(AliceError) as refused:
            alice.ask("do", "mallory", method, *arguments)
        assert refused.value.code == NOT_READY, method


def test_a_proprietary_invitation_is_shown_and_not_connected(alice: Alice) -> None:
    delegation = {"agentDID": "a", "agentDelegatedKey": "b", "signature": "c"}
    sender = {"name": "Faber", "DID": "XNKZvMcN2Bx3mu6oMiRfds", "agentKeyDlgProof": delegation}
    sender["verKey"] = "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw"
    agency = {"DID": "a", "verKey": "b", "endpoint": "http://agency.example"}
    texts = {"statusCode": "MS-101", "statusMsg": "", "targetName": "", "@type": ""}
    invitation = {"connReqId": "1", "senderDetail": sender, "senderAgencyDetail": agency, **texts}
    alice.ask("create", "faber", invitation)
    assert alice.ask("do", "faber", "invite_details") == invitation
    assert alice.ask("do", "faber", "invite_details", True)["s"]["dp"] == {"d": "a", "k": "b", "s": "c"}
    assert alice.ask("existing", invitation, ["faber"]) == [0, "invitation"]
    with pytest.raises(AliceError, match="proprietary protocol is not supported") as refused:
        alice.ask("connect", "faber")
    assert refused.value.code == OTHER_PROTOCOL


# The library itself


def test_the_agency_is_asked_for_its_health(agency: Agency, alice: Alice) -> None:
    alice.ask("library", "health_check")
    agency.stop()
    try:
        with pytest.raises(AliceError) as refused:
            alice.ask("library", "health_check")
        assert refused.value.code == 1010
    finally:
        agency.start()


def test_the_library_starts_from_a_file_and_in_test_mode(alice: Alice) -> None:
    path = alice.home / "config.json"
    path.write_text(json.dumps(alice.config))
    alice.ask("library", "shutdown")
    alice.ask("library", "init_from_file", str(path))
    alice.ask("library", "health_check")
    alice.ask("library", "shutdown")
    alice.ask("library", "init_from_file", "ENABLE_TEST_MODE")
    alice.ask("add_record", "kept", "1", "in a real wallet")
    assert alice.ask("get_record", "kept", "1") == "in a real wallet"
