"""A command goes on with what the wallet has after its question or its wait, and not with what it read before."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import http.server
import itertools
import json
import os
import pathlib
import signal
import sqlite3
import struct
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agency import Agency
from alice import AliceError, wait_until
from command import DONE, FAILED
from conftest import Running, User
from gate import Gate
from gated import gate, its_agency, registrar  # noqa: F401
from registrar import DECLINED, PROPOSED, REJECTED, REQUESTED, VALUES, VERIFIED, Registrar
from test_agent import connected
from test_agent_edges import through
from test_choices import ASKED, asked_of, held_twice, ids, shown_by
from test_credentials import OPEN, WAITING, hang_up, here, take

ACCEPTED = "Accept it? [y/N] "
ASKING = 2
"""The verifier's state while it has no proof."""


@pytest.fixture
def way(agency: Agency) -> Iterator[Gate]:
    """The way to the agency of `distant`."""
    way = Gate(agency.endpoint)
    yield way
    way.close()


@pytest.fixture
def distant(tmp_path: pathlib.Path, way: Gate, registrar: Registrar, name: str) -> User:
    """A user whose way to the Cloud Agent is `way`, connected with the registrar."""
    distant = User(tmp_path / "distant")
    distant.provision_at(way.endpoint)
    registrar.meet(distant, name)
    return distant


def offered(holder: User, registrar: Registrar, credential: str, name: str) -> str:
    """The number of a new offer."""
    registrar.offer(credential, name)
    return str([each for each in holder.done("offers", "--timeout", "5") if each["state"] == OPEN][-1]["number"])


def asked_for_revoked(holder: User, registrar: Registrar, name: str) -> str:
    """The number of a request for a credential that is revoked afterwards: the wallet does not know it yet."""
    take(holder, registrar, name, name)
    later = {"to": int(time.time()) + 60}
    registrar.ask(name, [{"name": "degree", "restrictions": here(registrar)}], interval=later, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    registrar.revoke(name)
    time.sleep(1.1)  # a revocation counts from the next second on
    return str(number)


# A question is open


def after(*steps: Callable[[], Any]) -> Callable[[], str]:
    """Agrees to a question after these steps."""

    def answer() -> str:
        for step in steps:
            step()
        return "y\n"

    return answer


def test_nothing_is_sent_over_a_connection_that_was_forgotten_meanwhile(
    holder: User, registrar: Registrar, name: str
) -> None:
    take(holder, registrar, name, name)
    number = asked_of(holder, registrar, "forgotten", name)
    late = holder.on_terminal(["present", number, "--no-wait"], [(ASKED, after(lambda: holder.done("forget", name)))])
    assert late.status == FAILED and "nother command has forgotten this connection" in late.output
    assert registrar.proof_state("forgotten") == ASKING


def test_nothing_is_sent_over_a_connection_that_ended_meanwhile(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, name)
    number = asked_of(holder, registrar, "ended", name)
    offer = offered(holder, registrar, "ended", name)
    end = after(lambda: hang_up(registrar, name), lambda: holder.msdk("proofs"))
    assert holder.on_terminal(["present", number, "--no-wait"], [(ASKED, end)]).status == FAILED
    assert holder.msdk("accept", offer, "--yes", "--no-wait").status == FAILED
    assert registrar.proof_state("ended") == ASKING


def test_only_words_after_the_question_answer_it(holder: User, registrar: Registrar, name: str) -> None:
    number = offered(holder, registrar, name, name)
    long = "y" + " " * 255 + "no, wait\n"
    for answers in ([("", "y\n"), (ACCEPTED, "n\n")], *([(ACCEPTED, no)] for no in ("Yikes, no\n", "y e s\n", "\n", long))):
        ran = holder.on_terminal(["accept", number, "--no-wait"], answers)
        assert ran.status == FAILED and "Nothing was sent." in ran.output
    assert holder.on_terminal(["accept", number, "--no-wait"], [(ACCEPTED, " Yes \n")]).status == DONE


# Shown and compared values


def test_the_chosen_credential_shows_the_value_that_another_one_compares(
    holder: User, registrar: Registrar, name: str
) -> None:
    take(holder, registrar, name, f"{name} law", degree="Law", age="28")
    take(holder, registrar, name, f"{name} maths", degree="Maths", age="70")
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    for degree, age in (("Law", "28"), ("Maths", "70")):
        proof = f"{name} {degree}"
        registrar.ask(proof, [{"name": "age", "restrictions": here(registrar)}], over, name=name)
        number = [each for each in holder.done("proofs", "--timeout", "5") if each["state"] == OPEN][-1]["number"]
        holder.done("present", number, "--with", ids(holder)[degree], "--yes", "--no-wait")
        assert shown_by(registrar, proof) == [age]


def test_credentials_are_found_for_items_that_need_different_ones(holder: User, registrar: Registrar, name: str) -> None:
    """The only choice: the group and the second age come from Law and Maths, and the comparison from the other one."""
    held_twice(holder, registrar, name)
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    group = {"names": ["age", "degree"], "restrictions": [{"attr::degree::value": "Law"}]}
    registrar.ask(name, [group, {"name": "age", "restrictions": here(registrar)}], over, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict(name) == VERIFIED


def test_many_credentials_and_items_have_the_choice_that_fits(holder: User, registrar: Registrar, name: str) -> None:
    """Only one credential satisfies the comparison, and it fits the other items too."""
    for number in range(5):
        take(holder, registrar, name, f"{name} {number}", age=str(30 + 10 * number))
    over = [{"name": "age", "p_type": ">=", "p_value": 65, "restrictions": here(registrar)}]
    groups = [{"names": ["age", other], "restrictions": here(registrar)} for other in ("name", "degree")]
    registrar.ask(name, [{"name": "age", "restrictions": here(registrar)}, *groups] * 3, over, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict(name) == VERIFIED


# Answers on their way


def test_a_waiting_offer_is_withdrawn(holder: User, registrar: Registrar, name: str) -> None:
    number = offered(holder, registrar, name, name)
    holder.done("accept", number, "--yes", "--no-wait")
    assert f"`msdk decline {number}` withdraws the answer" in holder.msdk("offers").output
    assert holder.done("decline", number)[-1]["state"] == "declined"
    wait_until("the withdrawal", lambda: registrar.state(name) == REJECTED, 20)
    assert holder.done("offers") == []


def test_a_credential_that_overtakes_a_withdrawal_is_told(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    number = offered(holder, registrar, name, name)
    holder.done("accept", number, "--yes", "--no-wait")
    wait_until("the request", lambda: registrar.state(name) == REQUESTED, 20)
    gate.losses = 1
    assert "tells it again" in holder.msdk("decline", number).complaint and gate.losses == 0
    registrar.program.ask("issue", name, "issue")
    assert f"The credential of offer {number} has come before you declined it." in holder.msdk("offers").complaint
    assert len(holder.done("credentials")) == 1


def test_after_a_decline_that_may_have_arrived_no_other_answer_is_sent(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    take(holder, registrar, name, name)
    proof, offer = asked_of(holder, registrar, "lost decline", name), offered(holder, registrar, "lost decline", name)
    for number, answer in ((proof, "present"), (offer, "accept")):
        gate.losses = 1
        lost = holder.msdk("decline", number)
        again = f"The other side may know that you decline: `msdk decline {number}` tells it again."
        assert lost.status == FAILED and again in lost.complaint and gate.losses == 0
        assert again in holder.msdk(answer, number, "--yes", "--no-wait").complaint
        assert again in holder.msdk("proofs" if answer == "present" else "offers").output
        assert holder.done("decline", number)[-1]["state"] == "declined"
    assert registrar.verdict("lost decline") == DECLINED


def test_a_decline_that_did_not_arrive_leaves_the_choice(holder: User, registrar: Registrar, gate: Gate, name: str) -> None:
    take(holder, registrar, name, name)
    number = asked_of(holder, registrar, "not declined", name)
    gate.close()
    try:
        assert holder.msdk("decline", number).status == FAILED
    finally:
        gate.open()
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict("not declined") == VERIFIED


def test_after_a_proposal_that_may_have_arrived_no_other_answer_is_sent(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    number = offered(holder, registrar, name, name)
    gate.losses = 1
    lost = holder.msdk("propose", number, '{"degree":"Law"}')
    assert lost.status == FAILED and "The issuer may have your proposal" in lost.complaint and gate.losses == 0
    same = ["propose", number, '{"degree":"Law"}']
    for other in (["accept", number, "--yes", "--no-wait"], ["propose", number, '{"degree":"Music"}'],
                  [*same, "--reason", "other words"]):
        assert "The issuer may have your proposal" in holder.msdk(*other).complaint
    registrar.answer(name, name, degree="Law")
    (listed,) = holder.done("offers", "--timeout", "2")
    assert str(listed["number"]) == number
    assert holder.done("propose", number, '{"degree": "Law"}')[-1]["state"] == WAITING
    (again,) = holder.done("offers", "--timeout", "10")
    values = {each["name"]: each["value"] for each in again["content"]["attributes"]}
    assert (str(again["number"]), values["degree"]) == (number, "Law")
    assert holder.done("accept", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    registrar.issue(name)
    assert holder.done("accept", number)[-1]["state"] == "done"


def test_an_offer_on_a_declined_thread_begins_nothing(holder: User, registrar: Registrar, gate: Gate, name: str) -> None:
    number = offered(holder, registrar, name, name)
    gate.losses = 1
    assert holder.msdk("propose", number, '{"degree":"Law"}').status == FAILED and gate.losses == 0
    registrar.answer(name, name, degree="Law")
    assert holder.done("decline", number)[-1]["state"] == "declined"
    assert holder.done("offers", "--timeout", "2") == [] and holder.done("inbox") == []


def test_a_request_that_did_not_arrive_leaves_the_choice(holder: User, registrar: Registrar, gate: Gate, name: str) -> None:
    number = offered(holder, registrar, name, name)
    gate.close()
    try:
        assert holder.msdk("accept", number, "--yes").status == FAILED
    finally:
        gate.open()
    assert [each["underway"] for each in holder.done("offers")] == [None]
    assert holder.done("decline", number)[-1]["state"] == "declined"


def test_a_question_about_one_offer_accepts_no_other(holder: User, registrar: Registrar, gate: Gate, name: str) -> None:
    """Meanwhile another command has proposed, and has asked for the credential of the next offer."""
    number = offered(holder, registrar, name, name)

    def elsewhere() -> str:
        holder.done("propose", number, '{"degree":"Law"}')
        registrar.answer(name, name, degree="Law")
        assert [each["state"] for each in holder.done("offers", "--timeout", "10")] == [OPEN]
        gate.losses = 1
        assert "may have your request" in holder.msdk("accept", number, "--yes", "--no-wait").complaint
        return "y\n"

    late = holder.on_terminal(["accept", number, "--no-wait"], [(ACCEPTED, elsewhere)])
    assert late.status == FAILED and "nother command has gone on with offer" in late.output


def test_a_refusal_keeps_the_note_of_another_one(holder: User, registrar: Registrar, gate: Gate, name: str) -> None:
    """While `present` waits for the registry, `decline` loses its answer. Then nobody reaches the verifier."""
    number = asked_for_revoked(holder, registrar, name)
    again = f"`msdk decline {number}` tells it again."
    with SlowRegistry(registrar.registry) as slow:
        slow.serve(holder)
        with holder.running("present", number, "--yes") as presenting:
            time.sleep(0.7)
            gate.losses = 1
            assert again in holder.msdk("decline", number).complaint and gate.losses == 0
            gate.close()
            try:
                assert presenting.process.wait(60) == FAILED
            finally:
                gate.open()
        assert again in holder.msdk("present", number, "--yes").complaint
        assert holder.done("decline", number)[-1]["state"] == "declined"


def test_an_accepted_offer_whose_answer_was_lost_says_so(holder: User, registrar: Registrar, gate: Gate, name: str) -> None:
    number = offered(holder, registrar, name, name)
    gate.losses = 1
    assert holder.msdk("accept", number, "--yes", "--no-wait").status == FAILED and gate.losses == 0
    listed = holder.msdk("offers").output
    assert "The issuer may have your request" in listed and "declines" not in listed
    assert [each["underway"] for each in holder.done("offers")] == ["request"]
    kept = holder.on_terminal(["accept", number], [(ACCEPTED, "n\n")])
    assert "The issuer may have your request" in kept.output.split(ACCEPTED)[0]
    refused = holder.msdk("decline", number)
    assert refused.status == FAILED and f"`msdk accept {number}` goes on with it" in refused.complaint
    registrar.issue(name)
    assert holder.done("accept", number, "--yes")[-1]["state"] == "done"


def test_a_verifier_that_was_not_told_of_a_revoked_credential_can_be_told(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    number = asked_for_revoked(holder, registrar, name)
    gate.close()
    try:
        refused = holder.msdk("present", number, "--yes")
    finally:
        gate.open()
    assert refused.status == FAILED and f"`msdk decline {number}` tells the other side." in refused.complaint
    gate.losses = 1
    lost = holder.msdk("present", number, "--yes")
    assert lost.status == FAILED and gate.losses == 0
    take(holder, registrar, name, f"{name} again")
    for refused in (lost, holder.msdk("present", number, "--yes")):
        assert f"`msdk decline {number}` tells it again." in refused.complaint
    assert holder.done("decline", number)[-1]["state"] == "declined"
    assert registrar.verdict(name) == DECLINED


class SlowRegistry:
    """A server of public objects, which takes three seconds for each: other commands take a second in the meantime."""

    def __init__(self, folder: pathlib.Path) -> None:
        class Slow(http.server.SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                time.sleep(3.0)
                super().do_GET()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), lambda *arguments: Slow(*arguments, directory=str(folder)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, user: User) -> None:
        registries = [{"type": "http", "url": f"http://127.0.0.1:{self.server.server_port}"}]
        config = json.loads(user.config.read_text())
        user.config.write_text(json.dumps({**config, "anoncreds_registries": registries}))

    def __enter__(self) -> SlowRegistry:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def test_no_request_follows_the_proposal_of_another_command(holder: User, registrar: Registrar, name: str) -> None:
    """The first command waits for the issuer's public objects."""
    number = offered(holder, registrar, name, name)
    with SlowRegistry(registrar.registry) as slow:
        slow.serve(holder)
        with holder.running("accept", number, "--yes", "--no-wait") as accepting:
            time.sleep(1.0)
            assert accepting.process.poll() is None
            holder.done("propose", number, '{"degree":"Law"}')
            assert accepting.process.wait(60) == FAILED
            assert "nother command has gone on with offer" in accepting.complaint()
    wait_until("the proposal", lambda: registrar.state(name) == PROPOSED, 20)


@contextlib.contextmanager
def busy(user: User) -> Iterator[None]:
    """Another process writes to the user's wallet."""
    (database,) = user.home.rglob("sqlite.db")
    with contextlib.closing(sqlite3.connect(database, isolation_level=None, timeout=10)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        yield
        writer.execute("ROLLBACK")


ANSWERS = {
    "accept": (["--yes", "--no-wait"], REQUESTED), "decline": ([], REJECTED), "propose": (['{"degree":"Law"}'], PROPOSED)}


@pytest.mark.parametrize("words", itertools.combinations(ANSWERS, 2), ids="-".join)
def test_of_two_answers_at_the_same_moment_one_is_sent(
    holder: User, registrar: Registrar, name: str, words: tuple[str, str]
) -> None:
    number = offered(holder, registrar, name, name)
    with contextlib.ExitStack() as stack:
        with busy(holder):
            both = [stack.enter_context(holder.running(word, number, *ANSWERS[word][0])) for word in words]
            time.sleep(2.5)
        statuses = [each.process.wait(60) for each in both]
        assert sorted(statuses) == [DONE, FAILED]
        assert "nother command has gone on with offer" in both[statuses.index(FAILED)].complaint()
    sent = words[statuses.index(DONE)]
    wait_until("the answer", lambda: registrar.state(name) == ANSWERS[sent][1], 20)


def test_a_counter_offer_keeps_the_note_of_a_lost_withdrawal(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    number = offered(holder, registrar, name, name)
    holder.done("propose", number, '{"degree":"Law"}')
    gate.losses = 1
    assert holder.msdk("decline", number).status == FAILED and gate.losses == 0
    registrar.answer(name, name, degree="Law")
    (listed,) = holder.done("offers", "--timeout", "2")
    assert (listed["state"], listed["underway"]) == (OPEN, "decline")
    assert "may know that you decline" in holder.msdk("accept", number, "--yes", "--no-wait").complaint
    assert holder.done("decline", number)[-1]["state"] == "declined"


def test_a_counter_offer_after_a_lost_refusal_begins_no_exchange(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    number = offered(holder, registrar, name, name)
    for words in (["propose", number, '{"degree":"Law"}'], ["decline", number]):
        gate.losses = 1
        assert holder.msdk(*words).status == FAILED and gate.losses == 0
    registrar.answer(name, name, degree="Law")
    assert [str(each["number"]) for each in holder.done("offers", "--timeout", "2")] == [number]
    assert holder.done("decline", number)[-1]["state"] == "declined" and holder.done("offers") == []


def test_an_offer_that_the_library_refuses_takes_no_other_answer(
    holder: User, registrar: Registrar, name: str
) -> None:
    number = offered(holder, registrar, name, name)
    schemas = [each for each in pathlib.Path(registrar.registry).rglob("*") if each.is_file() and "schema" in str(each).lower()]
    assert schemas
    for each in schemas:
        each.rename(f"{each}.away")
    try:
        refused = holder.msdk("accept", number, "--yes", "--no-wait")
    finally:
        for each in schemas:
            pathlib.Path(f"{each}.away").rename(each)
    assert refused.status == FAILED and "The issuer is told." in refused.complaint
    wait_until("the refusal", lambda: registrar.state(name) == REJECTED, 20)
    assert holder.done("offers") == []
    assert "has failed: its schema does not exist" in holder.msdk("accept", number, "--yes", "--no-wait").complaint


def test_an_answer_over_an_ended_connection_can_be_closed(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    number = offered(holder, registrar, name, name)
    gate.losses = 1
    assert holder.msdk("accept", number, "--yes", "--no-wait").status == FAILED and gate.losses == 0
    hang_up(registrar, name)
    listed = holder.msdk("offers").output
    assert f"The connection has ended; `msdk decline {number}` closes it." in listed
    assert "is closed: its connection has ended." in holder.msdk("decline", number).output
    assert holder.done("offers") == []


SAME = [["accept", "--yes", "--no-wait"], ["decline"], ["propose", '{"degree":"Law"}']]


@pytest.mark.parametrize("words", SAME, ids=lambda words: str(words[0]))
def test_the_same_answer_of_two_commands_is_one(
    holder: User, registrar: Registrar, gate: Gate, name: str, words: list[str]
) -> None:
    number = offered(holder, registrar, name, name)
    command = [words[0], number, *words[1:]]
    gate.seconds = 2.0
    try:
        with holder.running(*command) as first:
            holder.done(*command)
            assert first.process.wait(30) == DONE
    finally:
        gate.seconds = 0.0


@contextlib.contextmanager
def stopped(running: Running) -> Iterator[None]:
    """A command makes no step meanwhile, however long that takes."""
    running.process.send_signal(signal.SIGSTOP)
    yield
    running.process.send_signal(signal.SIGCONT)


def counter_offered(holder: User, registrar: Registrar, name: str) -> str:
    """The number of an offer whose proposal the issuer has answered. The holder has not looked."""
    number = offered(holder, registrar, name, name)
    holder.done("propose", number, '{"degree":"Law"}')
    registrar.answer(name, name, degree="Law")
    time.sleep(0.5)
    return number


def listed(holder: User, *words: str) -> list[tuple[str, str]]:
    return [(str(each["number"]), each["state"]) for each in holder.done("offers", *words)]


@contextlib.contextmanager
def turn(user: User, number: str) -> Iterator[None]:
    """Another command goes on with the exchange."""
    (database,) = user.home.rglob("sqlite.db")
    place = int.from_bytes(hashlib.sha256(f"exchange {number}".encode()).digest()[:7], "big")
    file = os.open(database.with_name("turns.lock"), os.O_RDWR)
    fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, place, 1, 0))
    try:
        yield
    finally:
        os.close(file)


def test_a_counter_offer_that_another_command_takes_gets_no_second_number(
    holder: User, registrar: Registrar, name: str
) -> None:
    number = counter_offered(holder, registrar, name)
    with turn(holder, number):
        assert listed(holder) == [(number, WAITING)]
    assert listed(holder) == [(number, OPEN)]
    assert listed(holder) == [(number, OPEN)]


def test_several_lists_at_the_same_moment_show_a_counter_offer_once(
    holder: User, registrar: Registrar, name: str
) -> None:
    number = counter_offered(holder, registrar, name)
    with contextlib.ExitStack() as stack:
        for each in [stack.enter_context(holder.running("offers")) for _ in range(3)]:
            assert each.process.wait(60) == DONE
    assert listed(holder) == [(number, OPEN)]


@pytest.mark.parametrize("request_number", range(1, 6))
def test_a_counter_offer_that_is_not_marked_gets_no_second_number(
    distant: User, way: Gate, registrar: Registrar, name: str, request_number: int
) -> None:
    """The Cloud Agent breaks off at one request of the command that takes the offer."""
    number = counter_offered(distant, registrar, name)
    way.cut = request_number
    distant.msdk("offers")
    way.cut = 0
    assert listed(distant, "--timeout", "10") == [(number, OPEN)]
    assert distant.done("accept", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert listed(distant) == [(number, WAITING)]
    registrar.issue(name)
    assert distant.done("accept", number)[-1]["state"] == "done"
    assert distant.msdk("offers").complaint == ""


def offers_on_one_thread(registrar: Registrar, name: str) -> Iterator[str]:
    """Sends offers of different degrees on one thread, which msdk itself does not do as an issuer. Gives the degree of each."""
    registrar.program.ask("prepare", name, "degree", VALUES)
    first = registrar.message(name)
    for degree in itertools.chain(["Maths"], map("Degree {}".format, itertools.count(1))):
        message = json.loads(json.dumps(first))
        for attribute in message["credential_preview"]["attributes"]:
            if attribute["name"] == "degree":
                attribute["value"] = degree
        if degree != "Maths":
            message |= {"@id": str(uuid.uuid4()), "~thread": {"thid": first["@id"]}}
        registrar.send(name, message)
        yield degree


def test_offers_on_one_thread_have_one_number(holder: User, registrar: Registrar, name: str) -> None:
    """With two numbers, the user could give two answers to one offer."""
    sending = offers_on_one_thread(registrar, name)
    next(sending)
    ((number, _),) = listed(holder)
    next(sending)
    assert listed(holder) == [(number, OPEN)]
    for degree in ("Law", "Music"):
        holder.done("propose", number, json.dumps({"degree": degree}))
        next(sending)
        assert listed(holder) == [(number, OPEN)]
    holder.done("accept", number, "--yes", "--no-wait")
    assert listed(holder) == [(number, WAITING)]


def test_another_offer_for_an_exchange_that_is_over_is_told_once(
    holder: User, registrar: Registrar, name: str
) -> None:
    """The credential of the thread is in the wallet, so that the other offer could not be kept."""
    number = offered(holder, registrar, name, name)
    message = registrar.message(name)
    holder.done("accept", number, "--yes", "--no-wait")
    registrar.issue(name)
    assert holder.done("accept", number)[-1]["state"] == "done"
    registrar.send(name, message | {"~thread": {"thid": message["@id"]}, "@id": str(uuid.uuid4())})
    told = holder.msdk("offers")
    assert f"Another offer has come for offer {number}, which is over" in told.complaint and "No offer is open." in told.output
    assert holder.msdk("offers").complaint == ""


def test_an_offer_in_an_invitation_that_comes_again_has_one_number(
    alice: User, registrar: Registrar, name: str
) -> None:
    registrar.publish(alice)
    registrar.program.ask("prepare", name, "degree", VALUES)
    invitation = registrar.program.invite(name, "oob", request=registrar.message(name))
    text = invitation if isinstance(invitation, str) else json.dumps(invitation)
    alice.done("connect", text, "--as", name, "--yes", "--no-wait")
    registrar.program.ask("update", name)
    alice.done("inbox")
    registrar.program.complete(name)
    registrar.program.ask("issue", name, "offer", {"connection": name})
    time.sleep(0.3)
    assert len(listed(alice)) == 1


def test_a_request_that_is_sent_twice_has_one_number(
    distant: User, way: Gate, registrar: Registrar, name: str
) -> None:
    """The answer to the verifier's sending is lost, and the verifier sends the same request again."""
    take(distant, registrar, name, name)
    way.losses = 1
    with pytest.raises(AliceError):
        registrar.ask(name, [{"name": "degree", "restrictions": here(registrar)}], name=name)
    registrar.program.ask(
        "vcx", "vcx_proof_send_request", registrar.proofs[name], int(registrar.program.ask("handle", name)))
    time.sleep(0.3)
    (request,) = distant.done("proofs")
    assert distant.done("present", request["number"], "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict(name) == VERIFIED
    assert distant.done("present", request["number"])[-1]["state"] == "done"
    assert distant.msdk("proofs").complaint == "" and distant.done("inbox") == []


def test_an_empty_thread_id_is_none(holder: User, registrar: Registrar, name: str) -> None:
    registrar.program.ask("prepare", name, "degree", VALUES)
    message = registrar.message(name)
    for thread, number in (("", message["@id"]), (message["@id"], str(uuid.uuid4()))):
        registrar.send(name, message | {"~thread": {"thid": thread}, "@id": number})
    assert len(listed(holder)) == 1


def test_an_unreadable_answer_to_a_proposal_is_told(holder: User, registrar: Registrar, name: str) -> None:
    sending = offers_on_one_thread(registrar, name)
    next(sending)
    (offer,) = holder.done("offers")
    holder.done("propose", offer["number"], '{"degree":"Law"}')
    message = registrar.message(name)
    message["~thread"] = {"thid": message.pop("@id")}
    registrar.send(name, message)
    ran = holder.msdk("offers")
    assert ran.status == DONE and "cannot be used" in ran.complaint


def issued_before_the_end(holder: User, registrar: Registrar, gate: Gate, name: str, is_accepted: bool) -> str:
    """The number of an offer whose credential has come before the end of the connection. The command that stored the end did not
    come to the exchange. Unless the offer `is_accepted`, the answer to `accept` was lost."""
    number = offered(holder, registrar, name, name)
    gate.losses = 0 if is_accepted else 1
    holder.msdk("accept", number, "--yes", "--no-wait")
    gate.losses = 0
    registrar.issue(name)
    end_unseen(holder, registrar, name, number)
    return number


def end_unseen(holder: User, registrar: Registrar, name: str, number: str) -> None:
    """Ends the connection. The command that stores the end does not come to the exchange."""
    hang_up(registrar, name)
    time.sleep(0.3)
    with turn(holder, number):
        holder.msdk("inbox")


@pytest.mark.parametrize("is_accepted", [True, False])
def test_a_credential_of_an_ended_connection_outlives_its_closing(
    holder: User, registrar: Registrar, gate: Gate, name: str, is_accepted: bool
) -> None:
    number = issued_before_the_end(holder, registrar, gate, name, is_accepted)
    closing = holder.msdk("decline", number)
    assert closing.status == FAILED and "is no longer open: it is done" in closing.complaint
    assert len(holder.done("credentials")) == 1


@pytest.mark.parametrize("absent", ["agency", "registry"])
@pytest.mark.parametrize("is_accepted", [True, False])
def test_an_exchange_is_closed_only_after_a_look_for_its_credential(
    distant: User, way: Gate, registrar: Registrar, gate: Gate, name: str, is_accepted: bool, absent: str
) -> None:
    number = issued_before_the_end(distant, registrar, gate, name, is_accepted)
    with without(way if absent == "agency" else registrar.registry):
        closing = distant.msdk("decline", number)
    assert closing.status == FAILED and "repeat the command, or `msdk forget` forgets" in closing.complaint
    assert listed(distant) == [] and len(distant.done("credentials")) == 1


def test_a_request_is_closed_only_after_a_look_for_the_verdict(
    distant: User, way: Gate, registrar: Registrar, gate: Gate, name: str
) -> None:
    take(distant, registrar, name, name)
    number = asked_of(distant, registrar, name, name)
    gate.losses = 1
    assert distant.msdk("present", number, "--yes", "--no-wait").status == FAILED and gate.losses == 0
    assert registrar.verdict(name) == VERIFIED
    end_unseen(distant, registrar, name, number)
    with without(way):
        closing = distant.msdk("decline", number)
    assert closing.status == FAILED and "repeat the command, or `msdk forget` forgets" in closing.complaint
    assert "is no longer open: it is done" in distant.msdk("decline", number).complaint


@contextlib.contextmanager
def without(absent: Gate | pathlib.Path) -> Iterator[None]:
    """The Cloud Agent or the registry is away."""
    with contextlib.ExitStack() as stack:
        if isinstance(absent, Gate):
            absent.close()
            stack.callback(absent.open)
        else:
            stack.callback(absent.rename(absent.with_name("away")).rename, absent)
        yield


# Refusals


def accepted_and_issued(user: User, registrar: Registrar, name: str) -> str:
    """The number of an offer whose credential waits in the mailbox."""
    number = offered(user, registrar, name, name)
    user.done("accept", number, "--yes", "--no-wait")
    registrar.issue(name)
    return number


def test_a_withdrawal_looks_for_the_credential_in_its_turn(holder: User, registrar: Registrar, name: str) -> None:
    number = accepted_and_issued(holder, registrar, name)
    with contextlib.ExitStack() as stack:
        with turn(holder, number):
            declining = stack.enter_context(holder.running("decline", number))
            time.sleep(1)
        assert declining.process.wait(60) == FAILED
    assert listed(holder) == [] and len(holder.done("credentials")) == 1


@pytest.mark.parametrize("absent", ["agency", "registry"])
def test_nothing_is_withdrawn_without_a_look_for_the_credential(
    distant: User, way: Gate, registrar: Registrar, name: str, absent: str
) -> None:
    number = accepted_and_issued(distant, registrar, name)
    with without(way if absent == "agency" else registrar.registry):
        declining = distant.msdk("decline", number)
    assert declining.status == FAILED and "repeat the command, or `msdk forget` forgets" in declining.complaint
    late = distant.msdk("decline", number)
    assert late.status == FAILED and "is no longer open: it is done" in late.complaint
    assert len(distant.done("credentials")) == 1


@pytest.mark.parametrize("is_accepted", [True, False])
def test_a_refusal_is_repeated_with_its_first_words(
    holder: User, registrar: Registrar, gate: Gate, name: str, is_accepted: bool
) -> None:
    number = offered(holder, registrar, name, name)
    if is_accepted:
        holder.done("accept", number, "--yes", "--no-wait")
    gate.losses = 1
    assert holder.msdk("decline", number, "--reason", "I am ill").status == FAILED
    changed = holder.msdk("decline", number, "--reason", "I do not trust you")
    assert changed.status == FAILED and "which --reason cannot change" in changed.complaint
    assert holder.msdk("decline", number).status == DONE
    wait_until("the refusal", lambda: registrar.state(name) == REJECTED, 10)


def test_of_two_refusals_with_other_words_one_is_sent(holder: User, registrar: Registrar, name: str) -> None:
    number = offered(holder, registrar, name, name)
    with contextlib.ExitStack() as stack:
        with turn(holder, number):
            both = [stack.enter_context(holder.running("decline", number, "--reason", word)) for word in ("a", "b")]
            time.sleep(1)
        assert sorted(each.process.wait(60) for each in both) == [DONE, FAILED]


def test_an_offer_in_an_invitation_and_over_its_connection_has_one_number(holder: User, registrar: Registrar, name: str) -> None:
    """One command noted the offer of the invitation, and the other one the same offer of the mailbox."""
    number = offered(holder, registrar, name, name)
    wallet = ("--config", holder.config)
    record = json.loads(holder.done("wallet", "get", "exchange", number, *wallet)[0]["value"])
    other = str(int(number) + 1)
    holder.done("wallet", "add", "exchange", other, json.dumps({**record, "uid": ""}), *wallet)
    assert listed(holder) == [(number, OPEN)]
    assert holder.msdk("accept", other, "--yes", "--no-wait").status == FAILED


@pytest.mark.parametrize("is_accepted", [True, False])
def test_an_answer_over_an_ended_connection_names_the_way_on(
    holder: User, registrar: Registrar, gate: Gate, name: str, is_accepted: bool
) -> None:
    number = offered(holder, registrar, name, name)
    gate.losses = 0 if is_accepted else 1
    holder.msdk("accept", number, "--yes", "--no-wait")
    end_unseen(holder, registrar, name, number)
    words: list[list[object]] = [["accept", number, "--timeout", "60"], ["propose", number, '{"degree":"Law"}']]
    for each in words:
        ran = holder.msdk(*each)
        assert ran.status == FAILED and f"has ended, and no answer has come: `msdk decline {number}` closes" in ran.complaint
    assert holder.msdk("decline", number).status == DONE


@pytest.mark.parametrize("look", ["accept", "offers"])
def test_a_counter_offer_over_an_ended_connection_cannot_be_answered(
    holder: User, registrar: Registrar, name: str, look: str
) -> None:
    number = counter_offered(holder, registrar, name)
    end_unseen(holder, registrar, name, number)
    if look == "offers":
        assert listed(holder) == []
    ended = holder.msdk("accept", number, "--yes")
    assert ended.status == FAILED and "has failed: the connection has ended" in ended.complaint


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_withdrawal_that_may_have_arrived_is_told_beside_the_wait(
    holder: User, registrar: Registrar, gate: Gate, name: str, is_seen: bool
) -> None:
    number = offered(holder, registrar, name, name)
    holder.done("propose", number, '{"degree":"Law"}')
    gate.losses = 1
    assert holder.msdk("decline", number, "--reason", "I am ill").status == FAILED
    if is_seen:
        assert f"`msdk decline {number}` tells it again" in holder.msdk("accept", number, "--no-wait").output
    assert holder.msdk("decline", number).status == DONE


def test_a_proposal_is_withdrawn_without_the_cloud_agent(
    distant: User, way: Gate, registrar: Registrar, name: str
) -> None:
    number = offered(distant, registrar, name, name)
    distant.done("propose", number, '{"degree":"Law"}')
    with without(way):
        assert distant.msdk("decline", number).status == DONE


def test_a_proof_over_an_ended_connection_names_the_way_on(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    take(holder, registrar, name, name)
    number = asked_of(holder, registrar, name, name)
    gate.losses = 1
    assert holder.msdk("present", number, "--yes", "--no-wait").status == FAILED and gate.losses == 0
    end_unseen(holder, registrar, name, number)
    ran = holder.msdk("present", number, "--yes")
    assert ran.status == FAILED and f"has ended, and no answer has come: `msdk decline {number}` closes" in ran.complaint
    assert holder.msdk("decline", number).status == DONE


def test_a_command_that_waits_for_another_one_says_so(holder: User, registrar: Registrar, name: str) -> None:
    number = offered(holder, registrar, name, name)
    with contextlib.ExitStack() as stack:
        stack.enter_context(turn(holder, number))
        ending = threading.Timer(3.0, stack.close)
        ending.start()
        ran = holder.on_terminal(["decline", number], [])
        ending.join()
    assert ran.status == DONE and "msdk: waiting for another command, 1 s" in ran.output and "declining, 1 s" not in ran.output


def test_agreement_to_one_offer_is_none_to_an_accepted_other_one(holder: User, registrar: Registrar, name: str) -> None:
    number = offered(holder, registrar, name, name)

    def elsewhere() -> str:
        holder.done("propose", number, '{"degree":"Law"}')
        registrar.answer(name, name, degree="Law")
        assert listed(holder, "--timeout", "10") == [(number, OPEN)]
        holder.done("accept", number, "--yes", "--no-wait")
        return "y\n"

    late = holder.on_terminal(["accept", number, "--no-wait"], [(ACCEPTED, elsewhere)])
    assert late.status == FAILED and "nother command has gone on with offer" in late.output


def test_a_credential_that_came_while_the_question_was_open_is_told(
    holder: User, registrar: Registrar, name: str
) -> None:
    number = offered(holder, registrar, name, name)

    def elsewhere() -> str:
        holder.done("accept", number, "--yes", "--no-wait")
        registrar.issue(name)
        assert holder.done("accept", number)[-1]["state"] == "done"
        return "y\n"

    late = holder.on_terminal(["accept", number], [(ACCEPTED, elsewhere)])
    assert late.status == DONE and "The credential is in the wallet." in late.output


def test_a_replaced_configuration_does_not_let_two_answers_out(holder: User, registrar: Registrar, name: str) -> None:
    number = offered(holder, registrar, name, name)
    copy = holder.config.with_suffix(".copy")
    with contextlib.ExitStack() as stack:
        with busy(holder):
            both = [stack.enter_context(holder.running("decline", number))]
            time.sleep(1.0)
            copy.write_text(holder.config.read_text())
            copy.replace(holder.config)
            both.append(stack.enter_context(holder.running("propose", number, '{"degree":"Law"}')))
            time.sleep(1.5)
        assert sorted(each.process.wait(60) for each in both) == [DONE, FAILED]


# Connections


def test_an_ended_connection_does_not_come_back(alice: User, registrar: Registrar, name: str) -> None:
    """The command that waits for the guest has an older state than the wallet."""
    with alice.running("invite", "--as", "guest", "--json") as waiting:
        url = json.loads(waiting.output())["url"]
        waiting.process.send_signal(signal.SIGSTOP)
        registrar.program.accept(name, url)
        alice.done("inbox")
        registrar.program.complete(name)
        alice.done("inbox")
        assert [each["state"] for each in alice.done("connections")] == ["connected"]
        hang_up(registrar, name)
        alice.done("inbox")
        waiting.process.send_signal(signal.SIGCONT)
        assert waiting.process.wait(60) == FAILED
    assert [each["state"] for each in alice.done("connections")] == ["ended"]


def test_an_invitation_that_is_asked_already_is_told(alice: User, faber: User) -> None:
    url = faber.done("invite", "--no-wait")[0]["url"]
    alice.done("connect", url, "--yes", "--no-wait", "--as", "first")
    again = alice.on_terminal(["connect", url], [("Connect? [y/N] ", "n\n")])
    assert 'You have asked this inviter already: "first" waits for the answer.' in again.output


def test_a_connection_whose_request_fails_is_sent_by_no_other_command(
    tmp_path: pathlib.Path, agency: Agency, faber: User
) -> None:
    """The failed command removes the connection, so that the peer must not have its request."""
    alice, gate = User(tmp_path / "slow"), Gate(agency.endpoint)
    try:
        alice.provision_at(gate.endpoint)
        url = faber.done("invite", "--as", "alice", "--no-wait")[0]["url"]
        gate.seconds = 6.0
        with alice.running("connect", url, "--yes", "--no-wait", "--as", "faber") as connecting:
            wait_until("the connection", lambda: bool(alice.done("connections")), 20)
            gate.seconds = 0.0
            with stopped(connecting):
                alice.done("inbox")
            gate.losses = 1
            assert connecting.process.wait(60) == FAILED
        assert alice.done("connections") == []
        alice.done("connect", url, "--yes", "--no-wait", "--as", "again")
        for user in (faber, alice, faber, alice):
            user.done("inbox")
        assert [each["state"] for each in alice.done("connections")] == ["connected"]
    finally:
        gate.close()


def test_two_commands_with_one_invitation_make_one_connection(alice: User, faber: User) -> None:
    way = Gate("")
    try:
        invitation = through(way, faber.done("invite", "--as", "alice", "--no-wait")[0]["url"])
        way.seconds = 4.0
        with alice.running("connect", invitation, "--yes", "--no-wait", "--as", "faber") as first:
            wait_until("the connection", lambda: bool(alice.done("connections")), 20)
            second = alice.msdk("connect", invitation, "--yes", "--no-wait")
            assert second.status == FAILED and "has used the invitation meanwhile" in second.complaint
            assert first.process.wait(60) == DONE
        for user in (faber, alice, faber, alice):
            user.done("inbox")
        assert [each["state"] for each in alice.done("connections")] == ["connected"]
    finally:
        way.close()


SPELLINGS: dict[str, Callable[[str], str]] = {
    "order": lambda text: json.dumps(dict(reversed(json.loads(text).items()))),
    "space": lambda text: json.dumps(json.loads(text), indent=1),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_two_spellings_of_an_invitation_make_one_connection(alice: User, faber: User, spelling: str) -> None:
    way = Gate("")
    invitation = through(way, faber.done("invite", "--as", "alice", "--no-wait")[0]["url"])
    with contextlib.ExitStack() as stack:
        stack.callback(way.close)
        with busy(alice):
            texts = (invitation, SPELLINGS[spelling](invitation))
            both = [stack.enter_context(alice.running("connect", each, "--yes", "--no-wait")) for each in texts]
            time.sleep(2.5)
        assert DONE in [each.process.wait(60) for each in both]
    assert len(alice.done("connections")) == 1


def test_an_inviter_that_copies_an_id_delays_no_other_one(alice: User, faber: User) -> None:
    silent, way = Gate(""), Gate("")
    slow, other = (through(each, faber.done("invite", "--no-wait")[0]["url"]) for each in (silent, way))
    copied = json.dumps(json.loads(other) | {"@id": json.loads(slow)["@id"]})
    silent.seconds = 8.0
    try:
        with alice.running("connect", slow, "--yes", "--no-wait") as first:
            wait_until("the connection", lambda: bool(alice.done("connections")), 20)
            with stopped(first):
                alice.msdk("connect", copied, "--yes", "--no-wait")
    finally:
        silent.close()
        way.close()


def test_a_connection_that_is_forgotten_while_its_mailbox_opens_takes_no_message(alice: User, faber: User) -> None:
    way = Gate("")
    try:
        invitation = through(way, faber.done("invite", "--as", "alice", "--no-wait")[0]["url"])
        way.seconds = 3.0
        with alice.running("connect", invitation, "--yes", "--no-wait", "--as", "faber") as connecting:
            wait_until("the connection", lambda: bool(alice.done("connections")), 20)
            alice.done("forget", "faber")
            connecting.process.wait(60)
        faber.msdk("inbox")
        assert faber.msdk("send", "alice", "hello").status == FAILED
        assert alice.done("connections") == []
    finally:
        way.close()


def test_a_request_that_reached_nobody_is_not_said_to_have_arrived(alice: User, faber: User) -> None:
    way = Gate("")
    invitation = through(way, faber.done("invite", "--no-wait")[0]["url"])
    way.close()
    refused = alice.msdk("connect", invitation, "--yes", "--no-wait", "--as", "faber")
    assert refused.status == FAILED and "may have arrived" not in refused.complaint
    assert 'The connection "faber" is kept: `msdk inbox` sends the request' in refused.complaint


def test_a_connection_whose_request_has_arrived_outlives_a_busy_wallet(alice: User, faber: User) -> None:
    way = Gate("")
    try:
        invitation = through(way, faber.done("invite", "--as", "alice", "--no-wait")[0]["url"])
        way.seconds = 3.0
        with alice.running("connect", invitation, "--yes", "--no-wait", "--as", "faber") as connecting:
            wait_until("the connection", lambda: bool(alice.done("connections")), 20)
            time.sleep(1.0)
            with busy(alice):
                assert connecting.process.wait(60) == FAILED
            assert 'The connection "faber" is kept' in connecting.complaint()
        for user in (faber, alice, faber, alice):
            user.done("inbox")
        assert [each["state"] for each in alice.done("connections")] == ["connected"]
    finally:
        way.close()


@pytest.mark.parametrize("alias", ["first", "old"])
def test_an_invitation_that_is_used_meanwhile_makes_no_second_connection(alice: User, faber: User, alias: str) -> None:
    """The name may be new, or the name of a connection that is forgotten meanwhile."""
    alice.done("invite", "--as", "old", "--no-wait")
    url = faber.done("invite", "--no-wait")[0]["url"]
    elsewhere = after(
        lambda: alice.done("forget", "old"), lambda: alice.done("connect", url, "--yes", "--no-wait", "--as", alias))
    late = alice.on_terminal(["connect", url, "--no-wait"], [("Connect? [y/N] ", elsewhere)])
    assert late.status == FAILED and f'has used the invitation meanwhile, for the connection "{alias}"' in late.output
    assert [each["name"] for each in alice.done("connections")] == [alias]


def test_a_text_goes_to_no_peer_that_was_forgotten_while_it_was_typed(alice: User, faber: User) -> None:
    connected(alice, faber)

    def text() -> str:
        alice.done("forget", "faber")
        return "the secret\n\x04"

    ran = alice.on_terminal(["send", "faber"], [("empty line ends it.\r\n", text)])
    assert ran.status == FAILED and "nother command has forgotten this connection" in ran.output
    assert faber.done("inbox") == []


# Provisioning


def test_a_slow_provisioning_replaces_no_configuration(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice, gate = User(tmp_path / "alice"), Gate(agency.endpoint)
    gate.seconds = 6.0
    try:
        with alice.running("provision", gate.endpoint) as slow:
            wait_until("the request", lambda: gate.has_held, 20)
            gate.seconds = 0.0
            with stopped(slow):
                alice.done("provision", gate.endpoint)
            kept = alice.config.read_text()
            assert slow.process.wait(60) == FAILED
            assert "meanwhile, which stays" in slow.complaint()
    finally:
        gate.close()
    assert alice.config.read_text() == kept
    assert sorted(each.name for each in alice.config.parent.iterdir()) == ["config.json"]


def test_a_folder_for_the_wallet_is_the_same_everywhere(tmp_path: pathlib.Path, agency: Agency, monkeypatch: Any) -> None:
    alice = User(tmp_path / "alice")
    monkeypatch.chdir(tmp_path)
    assert alice.msdk("provision", agency.endpoint, "--home", "w").status == DONE
    assert json.loads(alice.config.read_text())["storage_config"] == {"path": str(tmp_path / "w")}
    monkeypatch.chdir("/")
    assert alice.msdk("connections").status == DONE
    assert "is the name of a folder" in alice.msdk("provision", agency.endpoint, "--config", f"{tmp_path}/new/").complaint
    assert not (tmp_path / "new").exists()


def test_the_key_of_a_wallet_in_an_unknown_folder_is_not_lost(tmp_path: pathlib.Path, agency: Agency) -> None:
    """An older version kept the path as it was typed."""
    alice = User(tmp_path / "alice")
    request = alice.config.with_name("config.json.request")
    request.parent.mkdir(parents=True)
    request.write_text(json.dumps({"wallet_name": "msdk", "wallet_key": "key", "storage_config": {"path": "w"}}))
    refused = alice.msdk("provision", agency.endpoint)
    assert refused.status == FAILED and "has the key of the wallet" in refused.complaint
    assert json.loads(request.read_text())["wallet_key"] == "key"
