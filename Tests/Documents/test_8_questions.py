"""Structured messages: a question that is downloaded, answered and signed."""

from __future__ import annotations

import base64
import hashlib

import pytest
from nacl.signing import VerifyKey

from app import App, content_of, text_of
from envelope import b58decode, b64decode
from meeting import meet_peer
from peer import Peer
from samples import COMMITTED_QUESTION, QUESTION, fresh

CHAPTER = "8 Structured messages"


@pytest.mark.parametrize("kind", ["question", "committed-question"])
def test_1_a_question_is_among_the_pending_messages(app: App, peer: Peer, kind: str) -> None:
    contact = meet_peer(app, peer)
    sent = contact.send(fresh(QUESTION if kind == "question" else COMMITTED_QUESTION))
    question = content_of(app.await_pending(contact.handle, kind))
    assert question == sent
    assert (question["question_text"], question["valid_responses"]) == (sent["question_text"], sent["valid_responses"])


def test_2_a_question_is_marked_as_reviewed(app: App, peer: Peer) -> None:
    contact = meet_peer(app, peer)
    contact.send(fresh(COMMITTED_QUESTION))
    app.review(app.await_pending(contact.handle, "committed-question"))
    assert app.pending() == []


def test_3_the_chosen_response_of_a_committed_question_is_sent_and_signed(app: App, peer: Peer) -> None:
    """The question of the documents has expired, and is answered all the same."""
    contact = meet_peer(app, peer)
    contact.send(fresh(COMMITTED_QUESTION))
    question = text_of(app.await_pending(contact.handle, "committed-question"))
    again = app.vcx("connection_deserialize", app.vcx("connection_serialize", contact.handle))
    chosen = COMMITTED_QUESTION["valid_responses"][0]
    app.vcx("connection_send_answer", again, question, chosen)

    answer, sender = peer.receive("committedanswer/1.0/answer")
    field = answer["response.@sig"]
    assert sender is not None and base64.b64decode(field["sig_data"]).decode() == chosen["nonce"]
    VerifyKey(b58decode(sender)).verify(field["sig_data"].encode(), base64.b64decode(field["signature"]))


def test_3_the_chosen_response_of_a_question_is_sent_and_signed(app: App, peer: Peer) -> None:
    contact = meet_peer(app, peer)
    contact.send(fresh(QUESTION))
    question = text_of(app.await_pending(contact.handle, "question"))
    app.vcx("connection_send_answer", contact.handle, question, {"text": "Yes"})

    answer, sender = peer.receive("questionanswer/1.0/answer")
    signed = hashlib.sha512(f"{QUESTION['question_text']}Yes{QUESTION['nonce']}".encode()).digest()
    field = answer["response~sig"]
    assert sender is not None and answer["response"] == "Yes" and b64decode(field["sig_data"]) == signed
    VerifyKey(b58decode(sender)).verify(signed, b64decode(field["signature"]))
