"""Waiting: for states, for messages, with a limit, and given up."""

from __future__ import annotations

import asyncio
import ctypes
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import msdk_vcx as msdk
from msdk_vcx import _arrivals, _handed, sync

Standin = ctypes.CDLL


@pytest.fixture(autouse=True)
def emptied(standin: Standin) -> Iterator[None]:
    standin.standin_marked.restype = standin.standin_applied.restype = ctypes.c_char_p
    standin.standin_is_subscribed.restype = ctypes.c_bool
    yield
    standin.standin_mailbox(b"", b"")
    standin.standin_arrives_meanwhile(b"")
    standin.standin_full(None)
    msdk.shutdown()


def message(uid: str, kind: str = "message", sender: str = "peer", type: str = "basicmessage/1.0/message") -> dict[str, Any]:
    content = {"@type": f"https://didcomm.org/{type}", "content": uid}
    payload = json.dumps({"@msg": json.dumps(content), "@type": {"name": kind}})
    return {"uid": uid, "statusCode": "MS-103", "senderVerkey": sender, "decryptedPayload": payload}


def mailbox(*messages: dict[str, Any]) -> bytes:
    return json.dumps([{"pairwiseDID": "did", "msgs": list(messages)}]).encode()


def test_a_connection_is_completed_by_connecting_once_and_looking(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            standin.standin_states(b"2334")
            await connection.completed(timeout=5, interval=0.001)
            await connection.completed(timeout=5)
        assert standin.standin_connects() == 1

    asyncio.run(run())


def test_the_state_of_an_unknown_connection_is_an_error(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            standin.standin_states(b"0")
            assert await connection.state() is msdk.State.FAILED
        with pytest.raises(msdk.HandleError, match="no connection has the handle 404"):
            await msdk.Connection(404).state()

    asyncio.run(run())


@pytest.mark.parametrize("state", [0, 5, 6, 7, 8, 9])
def test_a_handshake_that_failed_raises_with_the_report(standin: Standin, state: int) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            standin.standin_states(b"33%d" % state)
            await connection.completed(timeout=5, interval=0.001)

    with pytest.raises(msdk.EndedError, match=f"the connection ended in state {msdk.State(state)}: not with you") as raised:
        asyncio.run(run())
    assert raised.value.state is msdk.State(state) and raised.value.report is not None


@pytest.mark.parametrize(
    ("report", "told"),
    [
        (None, ""), ({}, ""), ({"description": {"code": "rejection", "en": "no"}, "comment": "too old"}, ": no: too old"),
        ({"description": {"code": "rejection"}, "comment": "rejection"}, ": rejection"), ({"comment": 1}, ""),
        ({"description": "no"}, ": no"),
    ],
)  # fmt: skip
def test_an_end_tells_the_description_and_the_comment_of_the_report(report: dict[str, Any] | None, told: str) -> None:
    assert str(msdk.EndedError("proof", "FAILED", report)) == f"the proof ended in state FAILED{told}"


def test_waiting_has_a_limit_and_can_go_on(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            standin.standin_states(b"3")
            with pytest.raises(asyncio.TimeoutError):
                await connection.completed(timeout=0.05, interval=0.001)
            standin.standin_states(b"34")
            await connection.completed(timeout=5, interval=0.001)

    asyncio.run(run())


def test_the_fault_of_a_stranger_does_not_end_the_wait_for_a_guest(
    standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            standin.standin_states(b"2xx34")
            await connection.completed(timeout=5, interval=0.001)

    asyncio.run(run())
    assert [record.name for record in caplog.records if "goes on" in record.message] == ["msdk.connection"] * 2


def test_a_fault_after_the_guest_has_come_ends_the_wait(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            standin.standin_states(b"3x4")
            with pytest.raises(msdk.NetworkError):
                await connection.completed(timeout=5, interval=0.001)
            await connection.completed(timeout=5, interval=0.001)

    asyncio.run(run())


def test_credentials_and_proofs_are_waited_for(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Credential.from_offer({"@id": "1"}) as credential:
            standin.standin_states(b"224")
            assert (await credential.stored(timeout=5, interval=0.001)).referent == "c"
        with await msdk.Proof.from_request("{}") as proof:
            standin.standin_states(b"24")
            await proof.accepted(timeout=5, interval=0.001)
            standin.standin_states(b"20")
            with pytest.raises(msdk.EndedError, match="the proof ended in state FAILED"):
                await proof.accepted(timeout=5, interval=0.001)

    asyncio.run(run())


async def received(*kinds: str) -> list[str]:
    with await msdk.Connection.deserialize("fast") as connection:
        await connection.connect()
        return [each.uid async for each in connection.messages(*kinds, timeout=0.1, interval=0.01)]


def test_messages_come_once_each_and_only_the_peers(standin: Standin) -> None:
    unread = mailbox(message("1"), message("2", sender="another"), message("3", "question"))
    standin.standin_states(b"4")
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == ["1", "3"]
    assert asyncio.run(received("question")) == ["3"]


def test_messages_that_the_library_takes_are_left_out(standin: Standin) -> None:
    standin.standin_states(b"4")
    response = message("1", "aries", type="connections/1.0/response")
    ping, answer = message("2", "ping", type="trust_ping/1.0/ping"), message("3", "ping_response", type="trust_ping/1.0/ping_response")
    own = message("4", "aries", type="example/1.0/hello")
    standin.standin_mailbox(mailbox(response, ping, answer, own), mailbox())
    assert asyncio.run(received()) == ["3", "4"]
    assert applied(standin) == ["1", "2", "4"] and standin.standin_updates() == 0
    assert standin.standin_marked() == b'MS-106 [{"pairwiseDID": "did", "uids": ["2"]}]'


def applied(standin: Standin) -> list[str]:
    """The ids of the messages that the library was given."""
    return re.findall(r'"uid": "(\w+)"', standin.standin_applied().decode())


def test_the_library_takes_no_message_that_came_after_the_look(standin: Standin) -> None:
    standin.standin_states(b"4")
    ping, answer = message("1", "ping", type="trust_ping/1.0/ping"), message("2", "ping_response", type="trust_ping/1.0/ping_response")
    standin.standin_mailbox(mailbox(ping), mailbox())
    standin.standin_arrives_meanwhile(mailbox(ping, answer))
    assert asyncio.run(received()) == ["2"]


def test_a_handshake_goes_on_while_the_program_waits(standin: Standin) -> None:
    standin.standin_states(b"34")
    standin.standin_mailbox(mailbox(message("1", "aries", type="connections/1.0/response")), mailbox())
    assert asyncio.run(received()) == []
    assert standin.standin_updates() == 1 and applied(standin) == []


def test_a_strangers_message_ends_no_waiting(standin: Standin) -> None:
    standin.standin_states(b"4")
    ping = message("stranger", "ping", sender="another", type="trust_ping/1.0/ping")
    standin.standin_mailbox(mailbox(ping, message("1")), mailbox())
    assert asyncio.run(received()) == ["1"]
    assert standin.standin_marked() == b'MS-105 [{"pairwiseDID": "did", "uids": ["stranger"]}]'


PING = message("1", "ping", type="trust_ping/1.0/ping")
QUERY = message("2", "aries", type="discover-features/1.0/query")
QUERIES = message("3", "aries", type="discover-features/2.0/queries")


async def together() -> list[list[str]]:
    return list(await asyncio.gather(received(), received()))


def test_inboxes_of_one_mailbox_hand_a_ping_or_a_query_over_once(standin: Standin) -> None:
    standin.standin_states(b"4")
    unread = mailbox(PING, QUERY, message("4"), QUERIES)
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(together()) == [["4"], ["4"]]
    assert asyncio.run(received()) == ["4"], "also if a list is older than the mark"
    assert applied(standin) == ["1", "2", "3"]


def test_an_inbox_hands_a_ping_over_that_another_one_could_not(standin: Standin) -> None:
    unread = mailbox(message("busy", "ping", type="trust_ping/1.0/ping"))
    standin.standin_mailbox(unread, unread)
    for _ in range(2):
        standin.standin_states(b"4")  # forgets what it was given
        asyncio.run(together())
        assert applied(standin)[:2] == ["busy", "busy"] and standin.standin_marked() == b""


def test_each_inbox_hands_over_messages_that_change_its_object(standin: Standin) -> None:
    """A restored object has a state of its own."""
    standin.standin_states(b"4")
    unread = mailbox(message("1", "aries", type="connections/1.0/problem_report"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(together()) == [[], []]
    assert applied(standin) == ["1", "1"]


def test_after_the_agents_end_nothing_is_remembered_of_its_messages(standin: Standin) -> None:
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(PING), mailbox())
    for _ in range(2):
        asyncio.run(received())
        msdk.shutdown()
    assert applied(standin) == ["1", "1"]


@pytest.mark.parametrize("is_done", [True, False])
def test_all_wait_for_the_one_who_hands_a_message_over(is_done: bool) -> None:
    async def run() -> bool:
        key = (0, "did", "1")
        with _handed.Turn(key) as first:
            second = _handed.Turn(key)
            assert first.is_ours and not second.is_ours
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(second.others(), 0.01)
            waiting = asyncio.ensure_future(asyncio.to_thread(asyncio.run, second.others()))
            await asyncio.sleep(0.01)
            assert not waiting.done()
            first.is_done = is_done
        assert await second.others() is await waiting is is_done
        return _handed.Turn(key).is_ours

    try:
        assert asyncio.run(run()) is not is_done
    finally:
        _handed.forget()


def test_the_memory_of_handed_messages_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_handed, "_LIMIT", 2)
    for uid in "123":
        with _handed.Turn((0, "did", uid)) as turn:
            turn.is_done = True
    assert [uid for _, _, uid in _handed._turns] == ["2", "3"]


def test_a_ping_that_the_library_is_about_to_answer_by_itself_is_left_to_it(standin: Standin) -> None:
    async def run() -> None:
        _arrivals.begin(json.dumps({"apply_messages": True}))  # as `init` does
        assert await received() == ["4"]
        assert applied(standin) == []
        standin.standin_tell(told(PING))  # still unread: no kept object has this mailbox
        await received()
        assert applied(standin) == ["1"]

    standin.standin_states(b"4")
    unread = mailbox(PING, message("4"))
    standin.standin_mailbox(unread, unread)
    asyncio.run(run())


def test_the_report_that_ends_the_connection_stays_unread_for_the_next_process(standin: Standin) -> None:
    standin.standin_states(b"4")
    report = message("farewell", "aries", type="connections/1.0/problem_report")
    ping, last = message("1", "ping", type="trust_ping/1.0/ping"), message("2")
    unread = mailbox(report, ping, last)
    standin.standin_mailbox(unread, unread)
    assert [asyncio.run(received()) for _ in range(2)] == [["2"], ["2"]]
    assert applied(standin) == ["farewell"], "once, and nothing after the end"
    assert standin.standin_marked() == b""


def test_a_strangers_report_ends_no_connection_and_is_rejected(standin: Standin) -> None:
    standin.standin_states(b"4")
    report = message("stranger", "aries", sender="another", type="didexchange/1.1/problem-report")
    unread = mailbox(report, message("1"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == ["1"]
    assert applied(standin) == ["stranger"]
    assert standin.standin_marked() == b'MS-105 [{"pairwiseDID": "did", "uids": ["stranger"]}]'


def test_a_report_that_ends_nothing_is_read(standin: Standin) -> None:
    standin.standin_states(b"4")
    unread = mailbox(message("1", "aries", type="connections/1.0/problem_report"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == []
    assert standin.standin_marked() == b'MS-106 [{"pairwiseDID": "did", "uids": ["1"]}]'


def test_a_handshake_that_an_absent_ledger_delays_loses_no_message(standin: Standin) -> None:
    standin.standin_states(b"3l4")
    unread = mailbox(message("1", "aries", sender="inviter", type="didexchange/1.1/response"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == []
    assert standin.standin_updates() == 2
    assert standin.standin_marked() == b'MS-106 [{"pairwiseDID": "did", "uids": ["1"]}]'


def test_an_error_that_may_pass_rejects_no_message(standin: Standin) -> None:
    standin.standin_states(b"4")
    unread = mailbox(message("busy", "ping", type="trust_ping/1.0/ping"), message("busy2", "aries", type="own/1.0/news"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == ["busy2"]
    assert standin.standin_marked() == b""
    assert applied(standin)[:4] == ["busy", "busy2"] * 2


def test_a_message_before_the_peers_key_is_proven_comes_after_it(standin: Standin) -> None:
    standin.standin_states(b"334")
    unread = mailbox(message("1"), message("2", sender="inviter"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == ["1"]


def test_the_answer_to_a_ping_ends_the_handshake_while_the_program_waits(standin: Standin) -> None:
    standin.standin_states(b"34")
    answer = message("1", "ping_response", type="trust_ping/1.0/ping_response")
    standin.standin_mailbox(mailbox(answer), mailbox())
    assert asyncio.run(received()) == []
    assert standin.standin_updates() == 1


def test_messages_of_a_connection_that_has_ended_are_not_given_to_the_library(standin: Standin) -> None:
    standin.standin_states(b"0")
    unread = mailbox(message("1"), message("2", "aries", type="connections/1.0/problem_report"))
    standin.standin_mailbox(unread, unread)
    assert asyncio.run(received()) == ["1"]
    assert applied(standin) == [] and standin.standin_marked() == b""


@pytest.mark.parametrize(
    "type",
    [
        "connections/1.0/request", "connections/1.0/response", "connections/1.0/problem_report", "didexchange/1.1/request",
        "didexchange/1.0/response", "didexchange/1.1/complete", "didexchange/1.1/problem-report", "connections/1.0/ack",
        "discover-features/1.0/query", "discover-features/1.0/disclose", "discover-features/2.0/queries", "trust_ping/1.0/ping",
    ],
)  # fmt: skip
@pytest.mark.parametrize("prefix", ["https://didcomm.org/", "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/", ""])
def test_types_that_the_library_takes_are_left_out(standin: Standin, prefix: str, type: str) -> None:
    assert asyncio.run(received_of(standin, prefix + type)) == []


@pytest.mark.parametrize(
    "type",
    [
        "https://example.org/connections/chat/1.0/message", "https://example.org/connections/basicmessage/1.0/message",
        "https://didcomm.org/connections/2.0/news", "https://corp.example/didexchange/notes/1.0/note",
        "https://x.example/discover-features/foo/1.0/bar", "https://didcomm.org/my-connections/1.0/request",
        "https://didcomm.org/connections/1.0/request/", "https://didcomm.org/trust_ping/1.0/ping/2.0/ping",
        "https://didcomm.org/discover-features/2.0/disclosures", "https://didcomm.org/trust_ping/1.\u0660/ping",
        "https://didcomm.org/connections/\u0967.0/problem_report", "https://didcomm.org/discover-features/2.\u0660/queries",
    ],
)  # fmt: skip
def test_types_that_only_resemble_the_librarys_are_the_programs(standin: Standin, type: str) -> None:
    assert asyncio.run(received_of(standin, type)) == ["1"]
    assert standin.standin_marked() == b""


async def received_of(standin: Standin, type: str) -> list[str]:
    own = message("1", "aries")
    own["decryptedPayload"] = json.dumps({"@msg": json.dumps({"@type": type}), "@type": {"name": "aries"}})
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(own), mailbox(own))
    return await received()


def told(each: dict[str, Any], mailbox: str = "did") -> bytes:
    return json.dumps({**each, "pairwiseDID": mailbox}).encode()


async def subscribed(standin: Standin) -> None:
    while not standin.standin_is_subscribed():
        await asyncio.sleep(0.001)


def test_a_new_message_wakes_the_program(standin: Standin) -> None:
    async def run() -> str:
        with await msdk.Connection.deserialize("fast") as connection:
            await connection.connect()
            waiting = asyncio.ensure_future(connection.next("message", timeout=300, interval=300))
            await subscribed(standin)
            await asyncio.sleep(0.1)  # most likely it has looked once by now
            standin.standin_mailbox(mailbox(message("1")), b"")
            standin.standin_tell(told(message("1")))
            return (await waiting).uid

    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(), b"")
    assert asyncio.run(run()) == "1"


def test_a_new_message_wakes_a_program_that_waits_for_a_state(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Credential.from_offer({"@id": "1"}) as credential:
            waiting = asyncio.ensure_future(credential.stored(timeout=300, interval=300))
            await subscribed(standin)
            await asyncio.sleep(0.1)
            standin.standin_tell(told(message("1"), "another"))
            await waiting

    standin.standin_states(b"224")
    asyncio.run(run())


def test_all_messages_are_listened_to_once_each(standin: Standin) -> None:
    async def run() -> list[str]:
        got = []
        async for each in msdk.messages.listen("message", timeout=300):
            got.append(f"{each.pairwise_did} {each.uid}")
            if len(got) == 1:
                for text in (told(message("1")), told(message("2"), "another"), told(message("3", "question")), told(message("4"))):
                    standin.standin_tell(text)
            if len(got) == 3:
                return got
        raise AssertionError("it has ended")

    standin.standin_mailbox(mailbox(message("1")), b"")
    assert asyncio.run(run()) == ["did 1", "another 2", "did 4"]


def test_listening_begins_with_the_call(standin: Standin) -> None:
    """A message that the library tells before the loop begins is not missed."""

    async def run() -> list[str]:
        messages = msdk.messages.listen(timeout=5)
        standin.standin_tell(told(message("1")))
        async for each in messages:
            return [each.uid]
        return []

    standin.standin_mailbox(mailbox(), b"")
    assert asyncio.run(run()) == ["1"]


def test_an_unread_message_comes_after_the_library_has_tried_to_apply_it(standin: Standin) -> None:
    """A program that marked the message before would take it from the library."""

    async def run() -> list[str]:
        got = []
        async for each in msdk.messages.listen(timeout=5):
            got.append(f"{each.uid} {each.status.name} {each.applied.type if each.applied else None}")
            if len(got) == 1:
                standin.standin_tell(told(message("2")))
            if len(got) == 2:
                return got
        raise AssertionError("it has ended")

    async def begun() -> list[str]:
        _arrivals.begin(json.dumps({"apply_messages": True}))  # as `init` does
        running = asyncio.ensure_future(run())
        await subscribed(standin)
        await asyncio.sleep(0.1)  # most likely it has downloaded by now
        applied = {"id": "i", "type": "proof", "state": 4}
        standin.standin_tell(told({**message("1"), "statusCode": "MS-106", "object": applied}))
        assert await running == ["1 REVIEWED proof", "2 RECEIVED None"]
        return [each.uid async for each in msdk.messages.listen(timeout=0.01)]

    standin.standin_mailbox(mailbox(message("1"), message("2")), b"")
    assert asyncio.run(begun()) == ["2"]  # which the library has told already


def test_listening_has_a_limit(standin: Standin) -> None:
    standin.standin_mailbox(mailbox(), b"")
    assert list(sync.messages.listen(timeout=0.01)) == []


@pytest.mark.parametrize(("too_large", "others"), [(b"", ["a", "b", "c"]), (b"b", ["a", "c"])])
def test_full_mailboxes_hide_no_other_one(
    standin: Standin, caplog: pytest.LogCaptureFixture, too_large: bytes, others: list[str]
) -> None:
    standin.standin_full(too_large)
    assert [each.uid for each in sync.messages.listen(timeout=0.01)] == others
    refused = [each.getMessage() for each in caplog.records if each.name == "msdk.messages"]
    assert len(refused) == 3 - len(others) and all("connection b" in each and "exceed 64 MiB" in each for each in refused)


def test_listening_fails_if_no_mailbox_can_be_downloaded(standin: Standin) -> None:
    standin.standin_full(b"all")
    with pytest.raises(msdk.NetworkError, match="exceed 64 MiB"):
        list(sync.messages.listen(timeout=0.01))


REVOKED = message("1", "aries", type="revocation_notification/2.0/revoke")


def test_a_notice_of_revocation_is_named_and_given_to_the_library_too(standin: Standin) -> None:
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(REVOKED), mailbox())
    assert asyncio.run(received("revocation")) == ["1"]
    assert applied(standin) == ["1"]


def test_a_reuse_is_given_to_the_library_once_and_to_the_program(standin: Standin) -> None:
    reuse = message("1", "handshake-reuse", type="out-of-band/1.1/handshake-reuse")
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(reuse), mailbox(reuse))
    assert asyncio.run(received("handshake-reuse")) == ["1"]
    assert applied(standin) == ["1"] and standin.standin_marked() == b""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ping_response", "ping-response"), ("connReqAnswer", "connection-answer"),
        ("connReqRedirect", "connection-redirect"), ("credential-offer", "credential-offer"), ("my_own", "my_own"),
    ],
)  # fmt: skip
def test_kinds_have_one_spelling_and_the_older_one_still_selects(standin: Standin, name: str, kind: str) -> None:
    async def run() -> list[str]:
        with await msdk.Connection.deserialize("fast") as connection:
            await connection.connect()
            return [(await connection.next(each, timeout=5)).kind for each in (name, kind)]

    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(message("1", "question"), message("2", name)), b"")
    assert asyncio.run(run()) == [kind, kind]


def test_the_next_message_stays_unread_and_is_awaited_with_a_limit(standin: Standin) -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            await connection.connect()
            first = [(await connection.next(timeout=5)).uid for _ in range(2)]
            assert first == ["1", "1"]
            with pytest.raises(asyncio.TimeoutError, match="no question or ping has come in 0.05 s"):
                await connection.next("question", "ping", timeout=0.05, interval=0.01)

    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(message("1")), b"")
    asyncio.run(run())


def test_the_next_message_is_awaited_without_asyncio_too(standin: Standin) -> None:
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(message("1")), b"")
    with sync.Connection.deserialize("fast") as connection:
        connection.connect()
        assert connection.next("message", timeout=5).content["content"] == "1"


def test_plain_messages_cost_one_look(standin: Standin) -> None:
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(message("1")), mailbox())
    assert asyncio.run(received()) == ["1"]
    assert standin.standin_updates() == 0


def test_a_connection_without_a_mailbox_has_no_messages_to_wait_for(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_did(self: msdk.Connection) -> str:
        return ""

    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            async for _ in connection.messages():
                pass

    monkeypatch.setattr(msdk.Connection, "pw_did", no_did)
    with pytest.raises(msdk.StateError, match="no mailbox before"):
        asyncio.run(run())


def test_a_connection_that_cannot_tell_its_peers_key_has_no_messages_to_wait_for(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(self: msdk.Connection) -> dict[str, Any]:
        raise msdk.UnsupportedError(1103)

    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            await connection.connect()
            with pytest.raises(msdk.UnsupportedError):
                await connection.next(timeout=0.05, interval=0.01)

    monkeypatch.setattr(msdk.Connection, "info", refused)
    standin.standin_states(b"4")
    standin.standin_mailbox(mailbox(), mailbox())
    asyncio.run(run())


def test_messages_are_marked_as_read(standin: Standin) -> None:
    async def run() -> None:
        first, second = await msdk.messages.download()
        await msdk.messages.mark_read(first, second)

    standin.standin_mailbox(mailbox(message("1"), message("2")), b"")
    asyncio.run(run())
    assert standin.standin_marked() == b'MS-106 [{"pairwiseDID": "did", "uids": ["1", "2"]}]'


def test_a_session_that_is_cancelled_while_it_begins_leaves_no_wallet_open(standin: Standin) -> None:
    async def run() -> None:
        async with msdk.session("/slow"):
            raise AssertionError("not reached")

    standin.standin_is_running.restype = ctypes.c_bool
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(run(), 0.02))
    assert not standin.standin_is_running()


def test_each_error_has_its_family() -> None:
    from msdk_vcx._table import ERRORS
    from msdk_vcx.errors import _CLASSES, _FAMILIES, error_of

    assert sum(len(codes) for codes in _FAMILIES.values()) == len(_CLASSES)
    assert ERRORS.keys() - _CLASSES.keys() == {0, 1001, 1050, 1056, 1060, 1061, 1070}
    assert type(error_of(1073)) is msdk.WalletError
    assert type(error_of(4711)) is msdk.VcxError


def test_scripts_wait_for_the_same_calls(standin: Standin) -> None:
    unread = mailbox(message("1"))
    with sync.session({"wallet_key": "x"}):
        with sync.Connection.accept("https://faber.example/?oob=x", "faber") as connection:
            standin.standin_states(b"234")
            connection.completed(timeout=5, interval=0.001)
            assert connection.state() is sync.State.COMPLETED
            standin.standin_mailbox(unread, unread)
            for each in connection.messages(timeout=5, interval=0.001):
                sync.messages.mark_read(each)
                break
        with pytest.raises(sync.HandleError, match="the connection was released"):
            connection.state()
    assert standin.standin_marked() == b'MS-106 [{"pairwiseDID": "did", "uids": ["1"]}]'
    with sync.Proof.from_request({"attributes": {}, "predicates": {}}) as proof:
        proof.generate(proof.credentials().first())


def test_scripts_have_no_names_that_the_package_does_not_offer() -> None:
    assert set(dir(sync)) == set(msdk.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(sync, "nothing")
