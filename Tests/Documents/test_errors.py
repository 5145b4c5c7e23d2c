"""The errors that the documents name: each by a call that has it, with the details beside the code."""

from __future__ import annotations

import asyncio
import ctypes
import json
from collections.abc import Callable
from typing import Any

import pytest

import msdk_vcx as msdk
from agency import Agency
from app import App
from msdk_vcx._library import library
from peer import Peer
from samples import CONNECTION_INVITATION, KEY

CHAPTER = "Errors"
Start = Callable[[str], App]
CODES = {
    "success": 0, "invalid state": 1081, "invalid configuration": 1004, "invalid JSON": 1016, "invalid value": 1007,
    "incompatible parameter": 1111, "invalid message pack": 1019, "object cache": 1070, "not ready": 1005, "I/O": 1074,
    "serialization": 1050, "not base58": 1014, "invalid provisioning token": 1107, "already initialized": 1044,
    "action not supported": 1103, "encode": 1022, "invalid import configuration": 1076, "missing backup key": 1078,
    "invalid handle": 1048, "invalid connection handle": 1003, "invalid credential handle": 1053,
    "invalid issuer credential handle": 1015, "invalid disclosed proof handle": 1049, "invalid proof handle": 1017,
    "invalid definition handle": 1037, "invalid schema handle": 1042, "missing payment method": 1087, "invalid DID": 1008,
    "invalid verkey": 1009, "invalid nonce": 1011, "invalid URL": 1013, "invalid DID document": 1108,
    "invalid attachment": 1100, "create connection": 1061, "invalid connection invitation": 1045,
    "invalid redirect detail": 1104, "delete connection": 1060, "no agent information": 1106,
    "connection exists": 1062, "no such connection": 1063, "post message failed": 1010, "invalid agency response": 1020,
    "out of thread": 1109, "wallet create": 1058, "wallet access": 1075, "invalid wallet handle": 1057,
    "duplicate wallet": 1051, "no such record": 1073, "duplicate record": 1072, "no such wallet": 1079,
    "wallet open": 1052, "missing wallet key": 1069, "duplicate link secret": 1084, "duplicate DID": 1083,
    "invalid structure": 1080, "invalid parameter": 1067, "timeout": 1038, "logging": 1090, "no pool open": 1030,
    "invalid genesis path": 1024, "pool connect": 1025, "create wallet backup": 1096, "exported wallet": 1097,
    "dead drop": 1099, "invalid credential offer": 1043, "invalid proof request": 1086,
}
# A call of an initialised app, and the code it has.
CALLS: dict[str, tuple[int, str, list[Any]]] = {
    "a configuration that is no JSON": (1004, "agent_provision_async", ["no JSON"]),
    "a member that is missing": (1016, "messages_update_status", ["MS-106", [{"uids": []}]]),
    "text that is no JSON": (1016, "connection_deserialize", ["no JSON"]),
    "a required text that is null": (1007, "connection_create_with_invite", ["x", None]),
    "a required text that is empty": (1007, "wallet_add_record", ["", "id", "value", {}]),
    "a file that exists already": (1074, "wallet_export", ["/", "a backup key"]),
    "a token that is none": (1107, "provision_agent_with_token_async", [{}, "no token"]),
    "a second initialisation": (1044, "init_with_config", [{"wallet_key": "x"}]),
    "an import without its members": (1076, "wallet_import", [{"wallet_name": "x"}]),
    "an unknown connection": (1003, "connection_serialize", [4711]),
    "a URL that is none": (1013, "resolve_message_by_url", ["no URL"]),
    "an attachment that cannot be decoded": (
        1100, "extract_attached_message",
        [{"~attach": [{"@id": "1", "mime-type": "application/json", "data": {"base64": "%"}}]}],
    ),
    "an invitation that is none": (1045, "connection_create_with_invite", ["x", "{}"]),
    "an out-of-band invitation that is none": (1104, "connection_create_with_outofband_invitation", ["x", "{}"]),
    "a record that is not there": (1073, "wallet_get_record", ["type", "id", {}]),
    "a search that is not open": (1057, "wallet_close_search", [4711]),
    "tags that are no texts": (1080, "wallet_add_record", ["type", "id", "value", {"tag": 1}]),
    "a query that is none": (1067, "wallet_open_search", ["type", {"$unknown": []}, {}]),
    "a message that is not there": (1020, "download_message", ["no such uid"]),
    "a level that is none": (1007, "set_log_max_lvl", [9]),
}


def test_each_code_of_the_list_has_a_text() -> None:
    texts = {name: library().function("vcx_error_c_message")(code).decode() for name, code in CODES.items()}
    assert [name for name, text in texts.items() if not text or text == "Unknown Error"] == []


@pytest.mark.parametrize("call", CALLS)
def test_the_code_of(app: App, call: str) -> None:
    code, function, arguments = CALLS[call]
    error = app.refusal(function, *arguments)
    assert error.code == code and error.cause


def test_the_code_of_a_record_that_is_there(app: App) -> None:
    app.vcx("wallet_add_record", "type", "id", "value", {})
    assert app.refusal("wallet_add_record", "type", "id", "value", {}).code == 1072


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"wallet_key": None}, 1069),
        ({"wallet_key": KEY}, 1075),
        ({"wallet_key_derivation": "ARGON2I_INT"}, 1075),
        ({"wallet_name": "another"}, 1079),
        ({"agency_did": "short"}, 1008),
        ({"agency_verkey": "short"}, 1009),
        ({"agency_endpoint": "no URL"}, 1013),
        ({"institution_logo_url": "no URL"}, 1013),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else str(value),
)
def test_the_code_of_a_configuration_with_another(app: App, change: dict[str, Any], code: int) -> None:
    app.vcx("shutdown", False)
    config = {name: value for name, value in {**app.config, **change}.items() if value is not None}
    assert app.refusal("init_with_config", config).code == code
    app.vcx("init_with_config", app.config)


def test_the_code_of_a_wallet_that_is_not_open(app: App) -> None:
    app.vcx("shutdown", False)
    assert app.refusal("wallet_get_record", "type", "id", {}).code == 1057


def test_the_code_of_a_configuration_file_that_is_not_there(start: Start) -> None:
    assert start("Alice").refusal("init", "/no/such/file").code == 1004


def test_the_code_of_a_wallet_that_is_imported_twice(app: App) -> None:
    path = app.home / "backup"
    app.vcx("wallet_export", str(path), "a backup key")
    app.vcx("shutdown", False)
    imported = {
        "wallet_name": "imported", "wallet_key": KEY, "wallet_key_derivation": "RAW",
        "exported_wallet_path": str(path), "backup_key": "a backup key",
    }
    app.vcx("wallet_import", imported)
    assert app.refusal("wallet_import", imported).code == 1051


def test_the_code_of_an_agency_that_is_away(start: Start, tmp_path_factory: pytest.TempPathFactory) -> None:
    with Agency(tmp_path_factory.mktemp("away")) as away:
        app = start("Alice")
        app.begin(away.provisioning())
    assert app.refusal("messages_download", None, None, None).code == 1010


def test_the_code_of_a_connection_that_is_not_completed(app: App, peer: Peer) -> None:
    handle = app.vcx("connection_create_with_invite", "peer", peer.invitation())
    assert app.refusal("connection_send_ping", handle, None).code == 1005


def test_the_code_of_a_connection_without_an_agent(app: App) -> None:
    handle = app.vcx("connection_create_with_invite", "acme", CONNECTION_INVITATION)
    assert app.refusal("connection_update_state", handle).code == 1008


def test_the_code_of_a_response_to_another_request(app: App, peer: Peer) -> None:
    handle = app.vcx("connection_create_with_invite", "peer", peer.invitation())
    app.vcx("connection_connect", handle, {})
    request = peer.receive("connections/1.0/request")[0]
    response = peer.response({**request, "@id": "another"})
    assert app.refusal("connection_update_state_with_message", handle, response).code == 1109


@pytest.mark.parametrize(
    ("url", "family"), [("no URL", msdk.MalformedError), ("http://127.0.0.1:1/nobody", msdk.NetworkError)]
)
def test_a_malformed_url_is_no_failure_of_the_network(url: str, family: type[msdk.VcxError]) -> None:
    with pytest.raises(family) as raised:
        asyncio.run(msdk.resolve_message_by_url(url))
    assert raised.value.code == 1013


def test_the_code_of_a_second_logger() -> None:
    """The second one that a program sets by the C functions, so this needs no app."""
    function = library().function("vcx_set_default_logger")
    assert {function(b"off"), function(b"off")} <= {0, 1090}
    assert function(b"off") == 1090


def details() -> dict[str, Any]:
    """The last error of this thread."""
    text = ctypes.c_char_p()
    library().function("vcx_get_current_error")(ctypes.byref(text))
    told: dict[str, Any] = json.loads(text.value or b"null")
    return told


def test_the_details_of_a_refused_call_are_told_on_its_thread() -> None:
    assert library().function("vcx_set_log_max_lvl")(9) == 1007
    told = details()
    assert set(told) == {"error", "message", "cause", "backtrace"}
    assert told["cause"] in told["message"] and told["error"] in told["message"]


def test_the_details_of_a_failed_operation_are_told_in_its_callback() -> None:
    with pytest.raises(msdk.VcxError) as raised:
        asyncio.run(msdk.Connection.deserialize("no JSON"))
    error = raised.value
    assert error.code == 1016 and error.cause and error.cause in error.message
