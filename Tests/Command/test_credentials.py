"""The commands of a holder: offers, accept, proofs, present, decline."""

from __future__ import annotations

import json
import pathlib
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from agency import Agency
from command import DONE, FAILED, MISUSED
from conftest import User
from peer import message
from registrar import DECLINED, FALSE, ISSUED, REJECTED, REQUESTED, VALUES, VERIFIED, Registrar

OPEN, WAITING = "open", "waiting"


@pytest.fixture(scope="module")
def registrar(tmp_path_factory: pytest.TempPathFactory, agency: Agency) -> Iterator[Registrar]:
    registrar = Registrar(tmp_path_factory.mktemp("registrar"), agency)
    yield registrar
    registrar.program.stop()


def take(holder: User, registrar: Registrar, name: str, credential: str, **values: str) -> None:
    """Offers, accepts and issues a credential."""
    registrar.offer(credential, name, **values)
    number = [each["number"] for each in holder.done("offers") if each["state"] == OPEN][-1]
    assert holder.done("accept", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    registrar.issue(credential)
    assert holder.done("accept", number)[-1]["state"] == "done"


def here(registrar: Registrar) -> list[Any]:
    return [{"cred_def_id": registrar.definition}]


def test_long_texts_of_the_other_side_hide_nothing(holder: User, registrar: Registrar, name: str) -> None:
    """A verifier may pad the name of an attribute, and a value may have many lines."""
    degree = "\n".join(["Maths", *"123456789", "bank offers a credential: money"])
    take(holder, registrar, name, "padded", degree=degree)
    shown = holder.msdk("credentials").output
    assert f"5… ({len(degree)} characters)\n" in shown and "bank" not in shown
    assert "comment: " in shown
    registrar.ask("padded", [{"name": " " * 1900 + "name", "restrictions": here(registrar)}], name=name)
    (asked,) = [line for line in holder.msdk("proofs").output.splitlines() if "Alice Andersen" in line]
    assert asked.split() == ["shows", "name", "Alice", "Andersen"] and len(asked) < 60
    holder.done("decline", holder.done("proofs")[0]["number"])


def test_a_title_of_the_other_side_forges_no_row(holder: User, registrar: Registrar, name: str) -> None:
    """The rows of the content stand at column 5."""
    forged = "proves  age     >= 18, without showing the value"
    for blanks in range(1, 8):
        title = "." * (80 - len(f"1  {name} asks for a proof: ") - 10) + " " * blanks + forged
        registrar.ask("forged", [{"name": "name", "restrictions": here(registrar)}], name=name, title=title)
        number = holder.done("proofs", "--timeout", "5")[0]["number"]
        shown = holder.on_terminal(["proofs"], [], size=(24, 80)).output
        assert "     lacks  name" in shown and "without showing" in shown
        assert not any(line.startswith("     proves") for line in shown.splitlines()), shown
        holder.done("decline", number)


def test_one_letter_with_many_marks_hides_nothing(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "marked", degree="a" + "\u200d" * 20_000)
    restrictions = here(registrar)
    asked = [{"name": "name", "restrictions": restrictions}] + [{"name": "degree", "restrictions": restrictions}] * 30
    registrar.ask("marked", asked, name=name, title="b" + "\u0301" * 20_000)
    shown = holder.msdk("proofs").output
    assert len(shown) < 2000 and "Alice Andersen" in shown and "(30 times)" in shown
    assert len(holder.msdk("credentials").output) < 2000
    holder.done("decline", holder.done("proofs")[0]["number"])


def test_many_conditions_hide_no_shown_value(holder: User, registrar: Registrar, name: str) -> None:
    """The values stand at the end, next to the question."""
    take(holder, registrar, name, "many")
    over = [{"name": "age", "p_type": ">=", "p_value": -number, "restrictions": here(registrar)} for number in range(1, 41)]
    registrar.ask("many", [{"name": "name", "restrictions": here(registrar)}], over, name=name)
    number = holder.done("proofs", "--timeout", "5")[0]["number"]
    shown = holder.on_terminal(["present", str(number)], [("Show this? [y/N] ", "n\n")], size=(24, 80)).output
    end = shown.splitlines()[-8:]
    assert any("shows   name" in line for line in end), shown
    assert any("Of 41 items it shows the values of: name" in line for line in end)


def test_a_value_that_only_the_user_can_state_has_its_line(holder: User, registrar: Registrar, name: str) -> None:
    for attribute, option in (("phone", "phone"), ("x'; reboot #", "NAME")):
        registrar.ask("stated", [{"name": attribute, "self_attest_allowed": True}], name=name)
        (asked,) = holder.done("proofs", "--timeout", "5")
        line = f"`msdk present {asked['number']} --attest '{{\"{option}\": \"…\"}}'` presents it, "
        assert line in holder.msdk("proofs").output
        holder.done("decline", asked["number"])


def test_the_number_of_the_other_kind_is_told(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("other kind", name)
    number = holder.done("offers", "--timeout", "5")[0]["number"]
    assert f"is no request: `msdk accept {number}` answers it" in holder.msdk("present", number).complaint


def test_a_credential_is_taken_and_shown(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("first", name)
    assert holder.msdk("offers").output == (
        f"1  {name} offers a credential: degree\n"
        "     age     28\n     degree  Maths\n     name    Alice Andersen\n   comment: Degree\n"
        "   `msdk accept 1` accepts it, `msdk decline 1` declines.\n\n")
    (offered,) = holder.done("offers", "--timeout", "5")
    assert (offered["number"], offered["connection"], offered["state"]) == (1, name, OPEN)
    values = {each["name"]: each["value"] for each in offered["content"]["attributes"]}
    assert values == VALUES and offered["content"]["cred_def_id"] == registrar.definition

    with holder.running("accept", "1", "--yes") as accepting:
        registrar.issue("first")
        assert accepting.process.wait(60) == DONE
        assert accepting.process.stdout and "The credential is in the wallet." in accepting.process.stdout.read()
    assert registrar.state("first") == ISSUED
    assert holder.done("offers") == [] and holder.msdk("offers").output == "No offer is open.\n"
    assert "is in the wallet" in holder.msdk("accept", "1").output  # a repetition changes nothing
    assert [each for each in holder.done("inbox") if each["kind"] == "credential-offer"] == []

    (held,) = holder.done("credentials")
    assert held["values"] == VALUES and held["revoked"] is False
    listed = holder.msdk("credentials").output
    assert listed.startswith(f"degree, the credential {held['id'][:8]}\n") and "\n     age     28\n" in listed
    assert held["connection"] == name and abs(held["received"] - time.time()) < 600
    assert f" UTC from {name}\n" in listed

    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    registrar.ask("first", [{"name": "name", "restrictions": here(registrar)}], over, {"to": int(time.time())}, name)
    shown = holder.msdk("proofs", "--timeout", "5").output.splitlines()
    assert shown[:3] == [
        f"2  {name} asks for a proof: Check", "     proves  age     >= 18, without showing the value",
        "     shows   name    Alice Andersen"]
    assert shown[3].startswith("     from    degree  the credential ")
    assert shown[4] == "   `msdk present 2` presents it, `msdk decline 2` declines."
    with holder.running("present", "2", "--yes") as presenting:
        assert registrar.verdict("first") == VERIFIED
        assert presenting.process.wait(60) == DONE
        assert presenting.process.stdout and "has confirmed the proof" in presenting.process.stdout.read()
    assert holder.done("proofs") == []


def test_the_user_sees_what_is_shown_and_decides(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "asked")
    registrar.ask("asked", [{"name": "degree", "restrictions": here(registrar)}], name=name)
    assert len(holder.done("proofs", "--timeout", "5")) == 1
    kept = holder.on_terminal(["present", "2"], [("Show this? [y/N] ", "n\n")])
    assert kept.status == FAILED and "shows  degree  Maths" in kept.output and "Nothing was sent." in kept.output
    assert "--yes agrees" in holder.msdk("present", "2").complaint
    given = holder.on_terminal(["present", "2", "--no-wait"], [("Show this? [y/N] ", "y\n")])
    assert given.status == DONE and "`msdk present 2` waits for it again" in given.output
    assert registrar.verdict("asked") == VERIFIED
    assert holder.done("present", "2")[-1]["state"] == "done"


def test_other_values_are_proposed(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("wanted", name)
    (offered,) = holder.done("offers", "--timeout", "5")
    number = offered["number"]
    (proposed,) = holder.done("propose", number, '{"degree":"Physics"}', "--reason", "a mistake")
    assert (proposed["number"], proposed["state"]) == (number, WAITING)
    assert "no longer open" in holder.msdk("propose", number, '{"degree":"Music"}').complaint
    registrar.answer("wanted", name, degree="Physics")
    (again,) = holder.done("offers", "--timeout", "5")
    assert (again["number"], again["state"]) == (number, OPEN)
    values = {each["name"]: each["value"] for each in again["content"]["attributes"]}
    assert values == {**VALUES, "degree": "Physics"}
    assert holder.done("accept", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    registrar.issue("wanted")
    assert holder.done("accept", number)[-1]["state"] == "done"


def test_the_offer_after_a_proposal_is_asked_for_again(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("again", name)
    number = holder.done("offers", "--timeout", "5")[0]["number"]
    holder.done("propose", number, '{"degree":"Physics"}')
    registrar.answer("again", name, degree="Alchemy")
    found = holder.msdk("accept", number, "--yes")
    assert (found.status, found.output) == (DONE, "Another offer has come: `msdk offers` shows it.\n")
    assert registrar.state("again") != REQUESTED
    asked = holder.on_terminal(["accept", str(number)], [("Accept it? [y/N] ", "n\n")])
    assert asked.status == FAILED and "degree  Alchemy" in asked.output
    assert [each["state"] for each in holder.done("offers")] == [OPEN]


@pytest.mark.parametrize("values", ['{"degree":1.10}', '{"degree":1e2}', '{"degree":"Law","degree":"Music"}', "degree"])
def test_values_with_several_meanings_are_not_proposed(
    holder: User, registrar: Registrar, name: str, values: str
) -> None:
    registrar.offer(f"meant {values}", name)
    number = holder.done("offers", "--timeout", "5")[0]["number"]
    assert holder.msdk("propose", number, values).status == FAILED
    assert [each["state"] for each in holder.done("offers")] == [OPEN]


def test_an_exchange_can_be_declined(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("unwanted", name)
    registrar.ask("unwanted", [{"name": "name", "restrictions": here(registrar)}], name=name)
    assert len(holder.done("offers", "--timeout", "5")) == len(holder.done("proofs", "--timeout", "5")) == 1
    for number in (1, 2):
        assert holder.done("decline", number, "--reason", "not today")[-1]["state"] == "declined"
        again = holder.msdk("decline", number)
        assert again.status == FAILED and "is no longer open" in again.complaint
    assert registrar.state("unwanted") == REJECTED and registrar.verdict("unwanted") == DECLINED
    assert holder.done("offers") == [] and holder.done("proofs") == []
    assert holder.msdk("accept", "1").status == FAILED
    unknown = holder.msdk("accept", "7")
    assert unknown.status == FAILED and "`msdk offers` shows the open ones" in unknown.complaint


def test_numbers_are_never_given_again(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("number-1", name)
    assert [each["number"] for each in holder.done("offers", "--timeout", "5")] == [1]
    registrar.offer("number-2", name)
    two = holder.done("offers")
    assert [each["number"] for each in two] == [1, 2]
    assert holder.done("decline", two[0]["id"])[-1]["number"] == 1  # an exchange goes by its id too
    assert [each["number"] for each in holder.done("offers")] == [2]
    holder.done("decline", 2)
    registrar.offer("number-3", name)
    assert [each["number"] for each in holder.done("offers", "--timeout", "5")] == [3]


def test_a_killed_command_can_be_repeated(holder: User, registrar: Registrar, name: str) -> None:
    """It is killed a little later each time, until it comes to its end."""
    take(holder, registrar, name, "kept")  # the public objects are in the wallet, as the usual case
    registrar.offer("killed", name)
    registrar.ask("killed", [{"name": "name", "restrictions": here(registrar)}], name=name)
    number = holder.done("offers", "--timeout", "5")[-1]["number"]
    asked = holder.done("proofs", "--timeout", "5")[-1]["number"]
    repeat_until_done(holder, "accept", number, "--yes", "--no-wait")
    registrar.issue("killed")
    repeat_until_done(holder, "accept", number)
    assert registrar.state("killed") == ISSUED
    repeat_until_done(holder, "present", asked, "--yes", "--no-wait")
    assert registrar.verdict("killed") == VERIFIED
    repeat_until_done(holder, "present", asked)
    assert holder.done("present", asked)[-1]["state"] == "done"
    assert len(holder.done("credentials")) == 2


def repeat_until_done(holder: User, command: str, number: int, *options: str) -> None:
    patience = 0.02
    while True:
        with holder.running(command, str(number), *options) as running:
            try:
                assert running.process.wait(patience) == DONE
                return
            except subprocess.TimeoutExpired:
                patience += 0.03


def test_an_offer_in_an_invitation_is_open(alice: User, registrar: Registrar, name: str) -> None:
    registrar.publish(alice)
    invitation = registrar.attach("attached", name)
    assert alice.done("connect", invitation, "--as", name, "--yes", "--no-wait")[-1]["state"] == "connected"
    (offered,) = alice.done("offers")
    assert (offered["number"], offered["id"], offered["connection"]) == (1, "", name)
    for command in ("accept", "decline"):
        assert "There is no offer" in alice.msdk(command, "").complaint
    assert alice.done("accept", 1, "--yes", "--no-wait")[-1]["state"] == WAITING
    registrar.issue("attached")
    assert alice.done("accept", 1)[-1]["state"] == "done"
    assert [each["values"] for each in alice.done("credentials")] == [VALUES] and alice.done("offers") == []


def test_texts_of_others_control_no_terminal(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("evil", name, degree="\x1b]0;pwn\x07Maths\n1  bank offers a credential: money")
    text = holder.msdk("offers", "--timeout", "5").output
    assert "\x1b" not in text and "\\u{1B}]0;pwn\\u{7}Maths\n             1  bank" in text
    assert "\x1b" not in holder.msdk("offers", "--json").output


# Looking into the wallet


def test_credentials_are_searched_and_paged(holder: User, registrar: Registrar, name: str) -> None:
    for each in ("History", "Law", "Maths"):
        take(holder, registrar, name, f"paged-{each}", degree=each)

    def degrees(*words: str) -> list[str]:
        return [each["values"]["degree"] for each in holder.done("credentials", *words)]

    assert degrees() == ["History", "Law", "Maths"]
    assert degrees("--skip", "1", "--limit", "1") == ["Law"] and degrees("--skip", "3") == []
    assert degrees('{"attributes": {"Degree": "Law"}}') == ["Law"]
    assert degrees("--from", name, "--limit", "2") == ["History", "Law"]
    assert degrees('{"schema_name": "another"}') == [] and degrees('{"revoked": true}') == []
    assert holder.msdk("credentials", '{"schema_name": "another"}').output == "The wallet has no credential that fits.\n"
    unknown = holder.msdk("credentials", '{"degree": "Law"}')
    assert unknown.status == MISUSED and "degree" in unknown.complaint
    assert holder.msdk("credentials", "--from", "nobody").status == FAILED


def test_one_credential_is_shown_by_the_beginning_of_its_id(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "one", degree="\x1b]0;pwn\x07Law")
    (held,) = holder.done("credentials")
    (shown,) = holder.done("credential", held["id"][:8])
    assert shown["id"] == held["id"] and shown["display"] is not None and "signature" not in shown
    text = holder.msdk("credential", held["id"]).output
    assert "\x1b" not in text and "\\u{1B}]0;pwn\\u{7}Law" in text
    missing = holder.msdk("credential", "none")
    assert missing.status == FAILED and "begins with \"none\"" in missing.complaint


# Choosing


def test_a_request_that_nothing_answers_says_so(holder: User, registrar: Registrar, name: str) -> None:
    over = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here(registrar)}]
    registrar.ask("lacking", [{"name": "name", "restrictions": here(registrar)}], over, name=name)
    (request,) = holder.done("proofs", "--timeout", "5")
    assert [each["answer"] for each in request["content"]] == ["missing", "missing"]
    assert "`msdk present" not in holder.msdk("proofs").output
    refused = holder.msdk("present", "1", "--yes")
    assert refused.status == FAILED and "no credential for \"name\"" in refused.complaint
    assert "`msdk decline 1`" in refused.complaint
    take(holder, registrar, name, "late")
    assert holder.done("present", "1", "--yes", "--no-wait")[-1]["state"] == WAITING
    assert registrar.verdict("lacking") == VERIFIED


def test_a_revoked_credential_ends_the_proof(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "revoked")
    registrar.revoke("revoked")
    registrar.ask("revoked", [{"name": "name", "restrictions": here(registrar)}], [], {"to": int(time.time())}, name)
    number = holder.done("proofs", "--timeout", "5")[0]["number"]
    refused = holder.msdk("present", number, "--yes")
    assert refused.status == FAILED and "revoked" in refused.complaint
    if "is told" not in refused.complaint:  # the holder knew of it
        holder.done("decline", number, "--reason", "revoked")
    assert registrar.verdict("revoked") in (FALSE, DECLINED) and holder.done("proofs") == []


def test_a_notice_of_revocation_is_shown_once_by_its_name(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "noticed")
    registrar.revoke("noticed")
    (held,) = holder.done("credentials")
    command = f"msdk credential {held['id'][:8]}"
    assert holder.msdk("inbox", "--keep").output == f"{name} (`{command}` shows it): [revocation]\n"
    (notice,) = holder.done("inbox")
    assert (notice["kind"], notice["proven"], notice["credential"]) == ("revocation", True, held["id"])
    assert holder.done("inbox") == [] and [each["revoked"] for each in holder.done("credentials")] == [True]


def test_an_offer_without_a_registry_names_the_member_that_is_missing(
    alice: User, registrar: Registrar, name: str
) -> None:
    config = alice.config.read_text()
    registrar.meet(alice, name)
    alice.config.write_text(config)
    registrar.offer("unknown", name)
    refused = alice.msdk("accept", alice.done("offers", "--timeout", "5")[0]["number"], "--yes")
    assert refused.status == FAILED and '"anoncreds_registries" or "genesis_path"' in refused.complaint


def test_an_offer_without_the_engine_names_the_command_that_helps(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("unready", name)
    number = holder.done("offers", "--timeout", "5")[0]["number"]
    refused = holder.msdk("accept", number, "--yes", MSDK_ANONCREDS_LIB="/nonexistent.so")
    assert refused.status == FAILED and refused.complaint.endswith(" `msdk doctor` prints the line that installs it.\n")


def test_the_user_chooses_among_credentials(holder: User, registrar: Registrar, name: str) -> None:
    take(holder, registrar, name, "older", degree="History")
    take(holder, registrar, name, "newer", degree="Law")
    registrar.ask("chosen", [{"name": "degree", "restrictions": here(registrar)}, {"name": "mail"}], name=name)
    (request,) = holder.done("proofs", "--timeout", "5")
    assert request["content"][0]["shows"] == {"degree": "Law"} and request["content"][1]["answer"] == "unstated"
    assert "--attest takes the value" in holder.msdk("present", request["number"], "--yes").complaint
    mail = ["--attest", '{"mail":"alice@example.org"}']
    older = next(each["id"] for each in holder.done("credentials") if each["values"]["degree"] == "History")
    shown = holder.msdk("proofs", "--with", older[:8], *mail).output
    assert "shows   degree  History" in shown and "states  mail    alice@example.org" in shown
    assert "begins with" in holder.msdk("present", request["number"], "--with", "nothing", "--yes").complaint
    holder.done("present", request["number"], "--with", older[:8], *mail, "--yes", "--no-wait")
    assert registrar.verdict("chosen") == VERIFIED


def test_the_public_objects_are_copied(holder: User, registrar: Registrar, name: str, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "copies"
    assert holder.msdk("copy", folder).output == "The wallet has no credential.\n"
    for url in ("registry.example", "ftp://registry.example", "https://registry.example/?a=b", ""):
        assert "--url" in holder.msdk("copy", folder, "--url", url).complaint
    take(holder, registrar, name, "copied")
    take(holder, registrar, name, "copied-too")
    (copied,) = holder.done("copy", folder, "--url", "https://registry.example/")
    assert copied["cred_def_id"] == registrar.definition
    files = sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file() and each.name[0] != ".")
    here = [str(each.relative_to(registrar.registry)) for each in registrar.registry.rglob("*") if each.name[0] != "."]
    assert files == sorted(each for each in here if (registrar.registry / each).is_file())
    (registry,) = (folder / "rev_reg_def").iterdir()
    assert json.loads(registry.read_text())["value"]["tailsLocation"].startswith("https://registry.example/tails/")
    assert holder.msdk("copy", folder, "--url", "https://registry.example").output == f"degree, {copied['rev_reg_id']}\n"

    (definition,) = (folder / "cred_def").iterdir()
    changed = json.loads(definition.read_text()) | {"tag": "other"}
    definition.write_text(json.dumps(changed))
    refused = holder.msdk("copy", folder)
    assert refused.status == FAILED and "its content differs" in refused.complaint
    assert "1 of 1 are not copied" in refused.complaint and json.loads(definition.read_text()) == changed


# Connections that the issuer has ended


def hang_up(registrar: Registrar, name: str) -> None:
    registrar.program.ask("send", name, message("did-rotate/1.0/hangup"))


def test_the_inbox_loses_no_credential_of_an_ended_connection(holder: User, registrar: Registrar, name: str) -> None:
    registrar.offer("last", name)
    number = holder.done("offers", "--timeout", "5")[0]["number"]
    assert holder.done("accept", number, "--yes", "--no-wait")[-1]["state"] == WAITING
    registrar.issue("last")
    hang_up(registrar, name)
    for _ in range(2):
        holder.done("inbox")
    assert [each["state"] for each in holder.done("connections")] == ["ended"]
    assert holder.done("accept", number)[-1]["state"] == "done"
    assert len(holder.done("credentials")) == 1
    assert holder.msdk("inbox").output == "No message is unread.\n"


def test_nobody_is_asked_about_an_ended_connection(holder: User, registrar: Registrar, name: str) -> None:
    registrar.ask("too late", [{"name": "name", "restrictions": here(registrar)}], name=name)
    number = holder.done("proofs", "--timeout", "5")[0]["number"]
    hang_up(registrar, name)
    holder.done("inbox")
    assert holder.done("proofs") == []
    assert "the connection has ended" in holder.msdk("present", number).complaint
    unsent = holder.msdk("send", name, "hello")
    assert unsent.status == FAILED, "nobody awaits a message over an ended connection"
