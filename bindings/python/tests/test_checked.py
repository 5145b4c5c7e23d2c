"""Arguments of a wrong type, and of a wrong form, are errors of the caller."""

from __future__ import annotations

import asyncio
import inspect
import json
import pathlib
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, Optional, Union

import pytest

import msdk_vcx as msdk
from msdk_vcx._checked import checked, fits
from msdk_vcx.errors import error_of


async def connection() -> msdk.Connection:
    return await msdk.Connection.deserialize("fast")


def issue(values: Any) -> Any:
    return msdk.IssuerCredential.create(msdk.CredentialDefinition(1), values)


def request(attributes: Any = (), predicates: Any = ()) -> Any:
    return msdk.ProofRequest.create("Check", attributes, predicates)


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: msdk.Connection.create(5), "Connection.create() takes str as source_id, not int"),  # type: ignore[arg-type]
    (lambda: msdk.Connection.accept(None), "Connection.accept() takes str or Mapping as invitation, not NoneType"),  # type: ignore[arg-type]
    (lambda: msdk.wallet.add_record("a", 1, "b"), "add_record() takes str as id, not int"),  # type: ignore[arg-type]
    (lambda: msdk.wallet.add_record("a", "1", "b", {"x": 1}), 'add_record() takes str as tags["x"], not int'),  # type: ignore[dict-item]
    (lambda: msdk.wallet.add_record("a", "1", "b", {1: "x"}), "add_record() takes str as a key of tags, not int"),  # type: ignore[dict-item]
    (lambda: msdk.wallet.add_record("a", "1", "b", "x"), "add_record() takes Mapping[str, str] or None as tags, not str"),  # type: ignore[arg-type]
    (lambda: msdk.messages.download(uids="abc"), "download() takes Iterable[str] or None as uids, not str"),
    (lambda: msdk.messages.download(uids=["a", 1]), "download() takes str as uids[1], not int"),  # type: ignore[list-item]
    (lambda: msdk.messages.download("MS-103"), "download() takes MessageStatus or None as status, not str"),  # type: ignore[arg-type]
    (lambda: msdk.messages.mark_read("7"), "mark_read() takes Message as messages, not str"),  # type: ignore[arg-type]
    (lambda: msdk.agent_update_info("a", "b", 2), "agent_update_info() takes ComMethod as method, not int"),  # type: ignore[arg-type]
    (lambda: msdk.init(b"{}"), "init() takes Mapping, str or PathLike as config, not bytes"),  # type: ignore[arg-type]
    (lambda: msdk.Credential.from_offer(7), "Credential.from_offer() takes Message, str, Mapping or list as offer, not int"),  # type: ignore[arg-type]
    (lambda: msdk.Schema.create("a", "1.0", "name"), "Schema.create() takes Iterable[str] as attributes, not str"),
    (lambda: issue({"age": 1.10}), 'IssuerCredential.create() takes str or int as values["age"], not float'),
    (lambda: issue(28), "IssuerCredential.create() takes Mapping[str, str or int] or str as values, not int"),
    (lambda: request(["name"]), "ProofRequest.create() takes Wanted as attributes[0], not str"),
    (lambda: request({"a": "name"}), 'ProofRequest.create() takes Wanted as attributes["a"], not str'),
    (lambda: request("name"), "ProofRequest.create() takes Sequence[Wanted] or Mapping[str, Wanted] as attributes, not str"),
    (lambda: msdk.Wanted(5), "Wanted() takes str or Sequence[str] as names, not int"),  # type: ignore[arg-type]
    (lambda: msdk.Wanted(["a", 5]), "Wanted() takes str as names[1], not int"),  # type: ignore[list-item]
    (lambda: msdk.Wanted("a", "d"), "Wanted() takes Mapping, Sequence[Mapping] or None as restrictions, not str"),  # type: ignore[arg-type]
    (lambda: msdk.Wanted("a", ["d"]), "Wanted() takes Mapping as restrictions[0], not str"),  # type: ignore[list-item]
    (lambda: msdk.WantedPredicate("age", ">=", "18"), "WantedPredicate() takes int as bound, not str"),  # type: ignore[arg-type]
    (lambda: msdk.WantedPredicate("age", ">=", 18, non_revoked={"to": 1.5}), 'WantedPredicate() takes int as non_revoked["to"], not float'),  # type: ignore[dict-item]
    (lambda: msdk.Selection({"a": "c"}), 'Selection() takes Choice as choices["a"], not str'),  # type: ignore[dict-item]
    (lambda: msdk.Choice("c"), "Choice() takes Candidate as credential, not str"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("call", "told"), WRONG)
def test_a_wrong_type_is_named_as_the_callers_argument(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(TypeError) as raised:
        asyncio.run(call())
    assert str(raised.value) == told


def test_an_object_of_another_kind_is_refused() -> None:
    async def run() -> None:
        with await msdk.ProofRequest.create("x") as request, await msdk.Proof.from_request("{}") as proof:
            await request.send(proof)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="ProofRequest.send.. takes Connection as connection, not Proof"):
        asyncio.run(run())


def test_missing_and_unknown_arguments_are_type_errors_too() -> None:
    async def run() -> None:
        given: list[tuple[dict[str, Any], str]] = [
            ({}, "missing a required argument: 'source_id'"),
            ({"source_id": "a", "gaol": "b"}, "got an unexpected keyword argument 'gaol'"),
        ]
        for arguments, told in given:
            with pytest.raises(TypeError) as raised:
                await msdk.Connection.create(**arguments)
            assert str(raised.value) == f"Connection.create() {told}"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        (1, float, True), ("1", float, False), (None, Optional[str], True), (b"", Union[str, bytes], True),
        ("a", Sequence[str], False), (["a", 1], Sequence[str], False), ((), Sequence[str], True), (iter("ab"), Sequence[str], False),
        ({"a": 1}, Mapping[str, Any], True), ({1: 1}, Mapping[str, Any], False), ([], Mapping[str, Any], False),
        (pathlib.Path("x"), msdk._held.FilePath, True), (5, Any, True),
    ],
)  # fmt: skip
def test_a_value_fits_an_annotation(value: Any, hint: Any, expected: bool) -> None:
    assert fits(value, hint) is expected


def public_functions() -> Iterator[tuple[str, Any]]:
    """Each function and method that programs call with arguments."""
    for name in msdk.__all__:
        member = getattr(msdk, name)
        functions = vars(member).items() if inspect.isclass(member) or inspect.ismodule(member) else [(name, member)]
        for each, function in functions:
            function = getattr(function, "__func__", function)
            home = member.__name__ if inspect.ismodule(member) else member.__module__
            is_own = inspect.isfunction(function) and function.__module__ == home and not each.startswith("_")
            if is_own and set(inspect.signature(function).parameters) - {"self", "cls"}:
                yield f"{name}.{each}", function


def test_every_public_function_checks_its_arguments() -> None:
    assert [name for name, function in public_functions() if not hasattr(function, "__wrapped__")] == ALLOWED


def test_the_annotations_of_every_public_function_can_be_read() -> None:
    for name, function in public_functions():
        assert "return" in typing.get_type_hints(function), name


ALLOWED = ["messages.spelled", "messages.text_of_content", "messages.text_of_message"]
"""The functions that only the package uses."""


def test_a_checked_function_stays_what_it_is() -> None:
    @checked
    async def waits(number: int) -> int:
        """Waits."""
        return number

    assert inspect.iscoroutinefunction(waits) and waits.__doc__ == "Waits." and asyncio.run(waits(number=3)) == 3


@pytest.mark.parametrize(
    ("cause", "family"),
    [
        ("the text is not an absolute URL", msdk.MalformedError),
        ("the URL neither carries a message nor leads to one", msdk.MalformedError),
        ("the URL could not be fetched: HTTP 404", msdk.NetworkError),
    ],
)
def test_a_url_is_malformed_or_out_of_reach(cause: str, family: type[msdk.VcxError]) -> None:
    error = error_of(1013, json.dumps({"cause": cause}))
    assert type(error) is family and error.cause == cause
