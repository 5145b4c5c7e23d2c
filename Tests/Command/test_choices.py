"""The user's choice and the shown content are what the other side gets, also after a delivery that failed."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from command import DONE, FAILED, MISUSED
from conftest import User
from gate import Gate
from gated import gate, its_agency, registrar  # noqa: F401
from peer import message
from registrar import DECLINED, VERIFIED, Registrar
from test_credentials import OPEN, WAITING, here, take

ASKED = "Show this? [y/N] "


def ids(holder: User) -> dict[str, str]:
    """The ids of the credentials, by the degrees."""
    return {each["values"]["degree"]: each["id"] for each in holder.done("credentials")}


def asked(holder: User, registrar: Registrar, name: str, attributes: list[Any]) -> str:
    """The number of a request for these attributes."""
    registrar.ask(name, attributes, name=name)
    number: int = [each for each in holder.done("proofs", "--timeout", "5") if each["state"] == OPEN][-1]["number"]
    return str(number)


def shown_by(registrar: Registrar, name: str) -> list[str]:
    """The values of credentials in a verified proof."""
    assert registrar.verdict(name) == VERIFIED
    return [value for item in registrar.content(name)["revealed"].values() for value in item["values"].values()]


# Proofs that were not delivered


def test_the_choice_counts_after_a_proof_that_left_nothing(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    take(holder, registrar, name, "old history", degree="History")
    take(holder, registrar, name, "old law", degree="Law")
    number = asked(holder, registrar, name, [{"name": "degree", "restrictions": here(registrar)}, {"name": "mail"}])
    gate.close()
    first = holder.msdk("present", number, "--attest", '{"mail":"first"}', "--yes", "--no-wait")
    gate.open()
    assert first.status == FAILED and "was not reached" in first.complaint
    (listed,) = holder.done("proofs", "--attest", '{"mail":"second"}')
    assert [each["shows"] for each in listed["content"]] == [{"degree": "Law"}, {"mail": "second"}]
    assert listed["made"] is False
    choice = ["--with", ids(holder)["History"], "--attest", '{"mail":"second"}', "--no-wait"]
    kept = holder.on_terminal(["present", number, *choice], [(ASKED, "n\n")])
    assert kept.status == FAILED and "degree  History" in kept.output and "mail    second" in kept.output
    assert holder.msdk("present", number, *choice).status == FAILED
    assert holder.done("present", number, *choice, "--yes")[-1]["state"] == WAITING
    assert shown_by(registrar, name) == ["History"]
    (stated,) = registrar.content(name)["self_attested"].values()
    assert stated["values"] == {"mail": "second"}


def test_a_proof_that_may_have_arrived_is_shown_and_sent_again(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    take(holder, registrar, name, "lost law", degree="Law")
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    registrar.ask(name, [{"name": "degree", "restrictions": here(registrar)}, {"name": "mail"}], over, name=name)
    number = str(holder.done("proofs", "--timeout", "5")[-1]["number"])
    gate.losses = 1
    lost = holder.msdk("present", number, "--attest", '{"mail":"first"}', "--yes", "--no-wait")
    assert gate.losses == 0
    assert lost.status == FAILED and f"`msdk present {number}` sends the same one again." in lost.complaint
    take(holder, registrar, name, "lost music", degree="Music")

    (listed,) = holder.done("proofs", "--attest", '{"mail":"second"}')
    assert [each.get("shows") for each in listed["content"]] == [{"degree": "Law"}, {"mail": "first"}, None]
    assert (listed["state"], listed["made"]) == (OPEN, True)
    for choice in (["--with", ids(holder)["Music"][:8]], ["--attest", '{"mail":"second"}']):
        refused = holder.msdk("present", number, *choice, "--yes", "--no-wait")
        assert refused.status == FAILED and "--with and --attest cannot change" in refused.complaint
    assert "--yes agrees" in holder.msdk("present", number, "--no-wait").complaint
    declined = holder.msdk("decline", number)
    assert declined.status == FAILED and "may have the proof already" in declined.complaint
    assert "declines" not in holder.msdk("proofs").output
    kept = holder.on_terminal(["present", number, "--no-wait"], [(ASKED, "n\n")])
    assert kept.status == FAILED and "Nothing was sent." in kept.output
    for line in ("shows   degree  Law", "states  mail    first", "proves  age     >= 18, without showing the value",
                 f"a credential of {registrar.definition}", "the other side may have it"):
        assert line in kept.output
    given = holder.on_terminal(["present", number, "--no-wait"], [(ASKED, "y\n")])
    assert given.status == DONE
    assert shown_by(registrar, name) == ["Law"]
    late = holder.msdk("present", number, "--with", ids(holder)["Music"])
    assert late.status == FAILED and "--with and --attest cannot change" in late.complaint
    assert holder.done("present", number)[-1]["state"] == "done"


# Values without a credential


def test_a_stated_value_belongs_to_an_attribute_in_any_spelling(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "spelled")
    number = asked(holder, registrar, name, [{"name": "DEGREE"}, {"name": "na me"}])
    stated = '{"degree":"none","Name":"nobody"}'
    (listed,) = holder.done("proofs", "--attest", stated)
    assert [each["answer"] for each in listed["content"]] == ["stated", "stated"]
    holder.done("present", number, "--attest", stated, "--yes", "--no-wait")
    assert shown_by(registrar, name) == []


@pytest.mark.parametrize(
    ("stated", "status", "words"),
    [
        ('{"degree":5}', MISUSED, "--attest is a JSON object of texts"),
        ('{"degree":null}', MISUSED, "--attest is a JSON object of texts"),
        ('{"degree":"a","Degree":"b"}', MISUSED, 'names "Degree" twice'),
        ('{"degree":"a","degree":"b"}', MISUSED, "--attest is a JSON object of texts"),
        ('{"degre":"none"}', FAILED, 'has no "degre"'),
        ('{"name":"nobody"}', FAILED, 'wants "name" from a credential'),
        ('{"age":"17"}', FAILED, 'wants "age" from a credential'),
    ])
def test_a_stated_value_that_nothing_takes_is_refused(
    holder: User, registrar: Registrar, name: str, stated: str, status: int, words: str
) -> None:
    take(holder, registrar, name, name)
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    registrar.ask(name, [{"name": "degree"}, {"name": "name", "restrictions": here(registrar)}], over, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    refused = holder.msdk("present", number, "--attest", stated, "--yes", "--no-wait")
    assert refused.status == status and words in refused.complaint
    assert [each["state"] for each in holder.done("proofs")] == [OPEN]
    listed = holder.msdk("proofs", "--attest", stated)
    assert words in (listed.complaint if status == MISUSED else listed.output)


# Questions beside results as JSON


def test_the_question_stands_below_the_content_also_with_json(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("as json", name)
    number = str(holder.done("offers", "--timeout", "5")[0]["number"])
    accepted = holder.on_terminal(["accept", number, "--json", "--no-wait"], [("Accept it? [y/N] ", "y\n")])
    assert accepted.status == DONE and "degree  Maths" in accepted.output.split("Accept it?")[0]
    assert json.loads(accepted.output.splitlines()[-1])["state"] == WAITING
    registrar.issue("as json")
    holder.done("accept", number)
    number = asked(holder, registrar, name, [{"name": "degree", "restrictions": here(registrar)}])
    kept = holder.on_terminal(["present", number, "--json"], [(ASKED, "n\n")])
    assert kept.status == FAILED and "shows  degree  Maths" in kept.output.split(ASKED)[0]


def test_connect_shows_the_inviter_also_with_json(alice: User, faber: User) -> None:
    url = faber.done("invite", "--no-wait")[0]["url"]
    shown = alice.on_terminal(["connect", url, "--json"], [("Connect? [y/N] ", "n\n")])
    assert '"Faber" invites you' in shown.output.split("Connect?")[0]
    assert alice.done("connections") == []


# Which credential


def held_twice(holder: User, registrar: Registrar, name: str) -> tuple[str, str]:
    """The ids of two credentials, Law and then Maths."""
    take(holder, registrar, name, f"{name} law", degree="Law")
    take(holder, registrar, name, f"{name} maths", degree="Maths")
    found = ids(holder)
    return found["Law"], found["Maths"]


def test_a_revoked_choice_is_not_replaced(holder: User, registrar: Registrar, name: str) -> None:
    law, _ = held_twice(holder, registrar, name)
    registrar.revoke(f"{name} law")
    time.sleep(1.1)  # a revocation counts from the next second on
    interval = {"to": int(time.time())}
    registrar.ask("revoked choice", [{"name": "degree", "restrictions": here(registrar)}], interval=interval, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    refused = holder.msdk("present", number, "--with", law[:8], "--yes")
    assert refused.status == FAILED and f"The credential {law[:8]} is revoked." in refused.complaint
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert shown_by(registrar, "revoked choice") == ["Maths"]


def test_a_valid_credential_comes_before_a_revoked_one(holder: User, registrar: Registrar, name: str) -> None:
    _, maths = held_twice(holder, registrar, name)
    registrar.revoke(f"{name} maths")
    time.sleep(1.1)
    registrar.ask("status", [{"name": "name", "restrictions": here(registrar)}], interval={"to": int(time.time())}, name=name)
    first = holder.done("proofs", "--timeout", "5")[-1]["number"]  # the wallet learns of the revocation
    holder.done("decline", first)
    registrar.ask("any", [{"name": "degree", "restrictions": here(registrar)}], name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    preferred = holder.msdk("proofs", "--with", maths[:8]).output
    assert "Maths" in preferred and "which is revoked" in preferred
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert shown_by(registrar, "any") == ["Law"]


def test_one_credential_shows_an_attribute_and_another_proves_about_it(
    holder: User, registrar: Registrar, name: str
) -> None:
    held_twice(holder, registrar, name)
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    registrar.ask("both", [{"name": "age", "restrictions": here(registrar)}], over, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    assert holder.msdk("proofs").output.count("     from ") == 2
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict("both") == VERIFIED


def test_a_choice_that_the_engine_cannot_prove_ends_nothing(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "only one")
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    registrar.ask("too much", [{"name": "age", "restrictions": here(registrar)}], over, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    assert "choose another credential" in holder.msdk("present", number, "--yes").complaint
    assert [each["state"] for each in holder.done("proofs")] == [OPEN]
    take(holder, registrar, name, "a second one")
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict("too much") == VERIFIED


def test_three_items_share_two_credentials_and_a_third(holder: User, registrar: Registrar, name: str) -> None:
    """The item that any credential fits leaves both to the others."""
    for degree in ("Law", "Maths", "Music"):
        take(holder, registrar, name, f"{name} {degree}", degree=degree)
    chosen = ids(holder)
    over = [
        {"name": "age", "p_type": kind, "p_value": value, "restrictions": [{"attr::degree::value": degree}]}
        for kind, value, degree in ((">=", 18, "Maths"), ("<", 65, "Music"))
    ]
    registrar.ask("three", [{"name": "age", "restrictions": here(registrar)}], over, name=name)
    number = holder.done("proofs", "--timeout", "5")[-1]["number"]
    assert chosen["Law"][:8] in holder.msdk("proofs").output
    assert holder.done("present", number, "--yes", "--no-wait")[-1]["state"] == WAITING


# Two commands, and an ended connection


def test_a_question_that_is_open_answers_nothing_twice(holder: User, registrar: Registrar, name: str) -> None:
    law, _ = held_twice(holder, registrar, name)
    number = asked_of(holder, registrar, "twice", name)

    def elsewhere() -> str:
        assert holder.done("present", number, "--with", law, "--yes", "--no-wait")[-1]["state"] == WAITING
        return "y\n"

    late = holder.on_terminal(["present", number, "--no-wait"], [(ASKED, elsewhere)])
    assert late.status == FAILED and "nother command has gone on with request" in late.output
    assert shown_by(registrar, "twice") == ["Law"]
    assert holder.done("present", number)[-1]["state"] == "done"


def test_a_proof_is_not_sent_after_another_command_has_declined(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, f"{name} law")
    number = asked_of(holder, registrar, "declined", name)

    def elsewhere() -> str:
        holder.done("decline", number)
        return "y\n"

    assert holder.on_terminal(["present", number, "--no-wait"], [(ASKED, elsewhere)]).status == FAILED
    assert registrar.verdict("declined") == DECLINED


def asked_of(holder: User, registrar: Registrar, proof: str, name: str) -> str:
    registrar.ask(proof, [{"name": "degree", "restrictions": here(registrar)}], name=name)
    return str(holder.done("proofs", "--timeout", "5")[-1]["number"])


def test_a_request_whose_answer_was_lost_finds_the_credential_of_an_ended_connection(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    registrar.offer("late", name)
    number = holder.done("offers", "--timeout", "5")[0]["number"]
    gate.losses = 1
    lost = holder.msdk("accept", number, "--yes", "--no-wait")
    assert lost.status == FAILED and "may have your request" in lost.complaint and gate.losses == 0
    assert "may have your request" in holder.msdk("propose", number, '{"degree":"Law"}').complaint
    registrar.issue("late")
    registrar.program.ask("send", name, message("did-rotate/1.0/hangup"))
    for _ in range(2):
        holder.done("inbox")
    assert holder.done("accept", number)[-1]["state"] == "done"
    assert len(holder.done("credentials")) == 1


def test_a_proof_whose_answer_was_lost_finds_the_ack_of_an_ended_connection(
    holder: User, registrar: Registrar, gate: Gate, name: str
) -> None:
    take(holder, registrar, name, f"{name} law")
    number = asked_of(holder, registrar, "late proof", name)
    gate.losses = 1
    lost = holder.msdk("present", number, "--yes", "--no-wait")
    assert lost.status == FAILED and "may have the proof" in lost.complaint and gate.losses == 0
    assert registrar.verdict("late proof") == VERIFIED
    registrar.program.ask("send", name, message("did-rotate/1.0/hangup"))
    for _ in range(2):
        holder.done("inbox")
    assert holder.done("present", number)[-1]["state"] == "done"
