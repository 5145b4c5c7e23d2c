"""The typed layer above the calls: arguments, results, logs."""

from __future__ import annotations

import asyncio
import ctypes
import json
import logging
import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Union

import pytest

import msdk_vcx as msdk
from msdk_vcx import sync


def test_version() -> None:
    assert msdk.version() == "1.2.3+abcdef0"


def test_the_package_has_the_version_of_its_distribution() -> None:
    project = (pathlib.Path(msdk.__file__).parents[1] / "pyproject.toml").read_text()
    assert f'\nversion = "{msdk.__version__}"\n' in project
    assert sync.__version__ == msdk.__version__


@pytest.mark.parametrize("comment", [None, "€"])
def test_optional_text_and_unicode_reach_the_library(comment: str | None) -> None:
    async def run() -> None:
        await (await msdk.Connection.deserialize("fast")).send_ping(comment)

    asyncio.run(run())


def test_downloaded_messages_are_unwrapped() -> None:
    first, second = asyncio.run(msdk.messages.download())
    assert (first.pairwise_did, first.kind, first.status) == ("did", "message", msdk.MessageStatus.RECEIVED)
    assert first.content == {"content": "hi"}
    assert (second.kind, second.text, second.content, second.thread) == ("", None, {}, None)


@pytest.mark.parametrize(
    ("text", "thread"),
    [
        ('{"@id":"a","~thread":{"thid":"b"}}', "b"), ('{"@id":"a","~thread":{"pthid":"b"}}', "a"), ('{"@id":"a"}', "a"),
        ('{"@id":"a","~thread":"b"}', "a"), ('{"@id":1}', None), ("{}", None),
    ],
)  # fmt: skip
def test_a_message_tells_its_thread(text: str, thread: str | None) -> None:
    assert msdk.Message("did", "uid", msdk.MessageStatus.RECEIVED, "", None, "message", text).thread == thread


@pytest.mark.parametrize(
    ("filters", "given"),
    [
        ({}, "-|-|-"),
        ({"status": msdk.MessageStatus.RECEIVED}, "-|-|MS-103"),
        ({"uids": ["1", "2"], "pairwise_dids": ["a"]}, "a|1,2|-"),
    ],
)
def test_filters_reach_the_library(filters: dict[str, object], given: str) -> None:
    messages = asyncio.run(msdk.messages.download(**filters))  # type: ignore[arg-type]
    assert messages[0].uid == "|".join(reversed(given.split("|")))


def test_a_filter_of_nothing_downloads_nothing() -> None:
    assert asyncio.run(msdk.messages.download(uids=[])) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("messages_download", "messages.download"),
        ("message_download", "messages.get"),
        ("messages_update_status", "messages.update_status"),
        ("download_agent_messages", "messages.download_own"),
    ],
)
def test_old_names_of_functions_warn_and_work(old: str, new: str) -> None:
    function = getattr(msdk, old)
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now") as warned:
        asyncio.run(function([])) if old == "messages_update_status" else function("x").close()
    assert warned[0].filename == __file__


INVITED: Mapping[str, object] = {"@type": "https://didcomm.org/connections/1.0/invitation", "@id": "1"}
OUT_OF_BAND: Mapping[str, object] = {"@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "2"}


@pytest.mark.parametrize(
    "invitation", [INVITED, OUT_OF_BAND, " https://faber.example/?oob=x\n", "did:sov:V4SGRU86Z58d6TV7PBUe6f"]
)
def test_an_invitation_of_any_form_is_left_to_the_library(
    standin: ctypes.CDLL, invitation: Union[str, Mapping[str, object]]
) -> None:
    async def run() -> None:
        with await msdk.Connection.accept(invitation) as connection:
            assert connection._handle == 3 and last_source(standin) == ""
        given = last_invitation(standin)
        assert given == invitation if isinstance(invitation, str) else json.loads(given) == invitation
        with await msdk.Connection.accept(invitation, "faber"):
            assert last_source(standin) == "faber"

    asyncio.run(run())


@pytest.mark.parametrize("form", ['{"wallet_key": "x"}', {"wallet_key": "x"}, "/the/configuration", pathlib.Path("/the/configuration")])
def test_a_configuration_is_taken_in_each_form(standin: ctypes.CDLL, form: msdk.agent.Configuration) -> None:
    async def run() -> None:
        async with msdk.session(form):
            assert is_running(standin)
        await msdk.init(form)
        assert is_running(standin)
        msdk.shutdown()

    asyncio.run(run())


def test_an_inviter_makes_an_out_of_band_invitation_and_the_older_one_by_name(standin: ctypes.CDLL) -> None:
    async def run() -> list[int]:
        goal = await msdk.Connection.create("guest", goal="To meet", goal_code="meet")
        older = await msdk.Connection.create_older("guest")
        return [goal._handle, older._handle]

    assert asyncio.run(run()) == [5, 4]
    assert last_invitation(standin) == "meet To meet 1 -"


def test_an_object_is_shown_with_its_name() -> None:
    async def run() -> None:
        connection = await msdk.Connection.accept("x", "faber")
        assert repr(connection) == "<Connection 3 'faber'>"
        connection.release()
        assert repr(connection) == "<Connection 3 'faber', released>"
        assert repr(await msdk.Connection.accept("x")) == "<Connection 3>"
        restored = await msdk.Connection.deserialize('{"data": {"holder_sm": {"source_id": "a \\"b\\""}}}')
        assert repr(restored) == "<Connection 77 'a \"b\"'>"

    asyncio.run(run())


@pytest.mark.parametrize(("old", "handle"), [("create_with_invite", 1), ("create_with_outofband_invitation", 2)])
def test_old_names_of_accept_warn_and_work(old: str, handle: int) -> None:
    async def run() -> None:
        with await getattr(msdk.Connection, old)("faber", INVITED) as connection:
            assert connection._handle == handle

    with pytest.warns(DeprecationWarning, match=f"Connection.{old} is called Connection.accept now") as warned:
        asyncio.run(run())
    assert warned[0].filename == __file__


def test_the_old_name_of_create_warns_and_works() -> None:
    async def run() -> None:
        with await msdk.Connection.create_outofband("guest") as connection:
            assert connection._handle == 5

    with pytest.warns(DeprecationWarning, match="Connection.create_outofband is called Connection.create now") as warned:
        asyncio.run(run())
    assert warned[0].filename == __file__


def last_source(standin: ctypes.CDLL) -> str:
    standin.standin_last_source.restype = ctypes.c_char_p
    return str(standin.standin_last_source().decode())


def last_invitation(standin: ctypes.CDLL) -> str:
    standin.standin_last_invitation.restype = ctypes.c_char_p
    return str(standin.standin_last_invitation().decode())


@pytest.mark.parametrize("config", [{"wallet_key": "x"}, "/the/configuration", pathlib.Path("/the/configuration")])
def test_a_session_ends_however_its_block_ends(standin: ctypes.CDLL, config: Any) -> None:
    async def run() -> None:
        async with msdk.session(config):
            assert is_running(standin)
            raise KeyError("from the block")

    with pytest.raises(KeyError):
        asyncio.run(run())
    assert not is_running(standin)


def test_a_session_that_does_not_begin_runs_no_block(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        async with msdk.session({}):
            raise AssertionError("not reached")

    with pytest.raises(msdk.VcxError, match="not the configuration"):
        asyncio.run(run())
    assert not is_running(standin)


def is_running(standin: ctypes.CDLL) -> bool:
    standin.standin_is_running.restype = ctypes.c_bool
    return bool(standin.standin_is_running())


def test_states_print_a_connections_names() -> None:
    assert [f"{state}" for state in msdk.State][:5] == ["FAILED", "INITIALIZED", "INVITED", "REQUESTED", "COMPLETED"]
    assert (str(msdk.State.COMPLETED), repr(msdk.State(2))) == ("COMPLETED", "<State.INVITED: 2>")
    assert (f"{msdk.State.COMPLETED:>10}", f"{msdk.State.COMPLETED:d}") == (" COMPLETED", "4")
    assert msdk.State.ACCEPTED is msdk.State.COMPLETED


def test_states_have_the_numbers_of_the_contract() -> None:
    assert (msdk.State.INVITED, msdk.State.REQUESTED, msdk.State.COMPLETED, msdk.State.FAILED) == (2, 3, 4, 0)


@pytest.mark.parametrize("details", ["", "not JSON", "[]", '{"cause": null}'])
def test_an_error_without_usable_details_still_has_its_text(details: str) -> None:
    error = msdk.VcxError(1003, details)
    assert str(error) == f"{error.text} (1003 INVALID_CONNECTION_HANDLE)"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_unknown_code_is_an_error_too() -> None:
    assert str(msdk.VcxError(4711)) == "Unknown Error (4711 UNKNOWN_ERROR)"


def in_another_process(configuration: str) -> str:
    """The library's level for its log, and the lines of `logging`, after a program has configured `logging` and begun."""
    program = f"""
import asyncio, ctypes, logging, os
import msdk_vcx as msdk
{configuration}
async def main():
    async with msdk.session({{'wallet_key': 'x'}}):
        pass
asyncio.run(main())
standin = ctypes.CDLL(os.environ["MSDK_LIBRARY"])
level = standin.standin_log_level()
if level: standin.standin_log()
print("level", level)
"""
    python = {"PYTHONPATH": str(pathlib.Path(msdk.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **python}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=60, check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ("", "level 0\n"),
        ("logging.basicConfig()", "WARNING:msdk.wallet:opened slowly\nlevel 2\n"),
        ("logging.basicConfig(level=logging.DEBUG)", "level 4\n"),
        ("logging.basicConfig(); logging.getLogger('msdk.HTTP').setLevel(logging.DEBUG)", "level 4\n"),
        ("logging.basicConfig(); logging.getLogger('msdk').setLevel(logging.CRITICAL)", "level 0\n"),
        ("logging.basicConfig(); msdk.set_log_handler(logging.getLogger('mine'))", "WARNING:mine.wallet:opened slowly\nlevel 3\n"),
    ],
)
def test_a_session_hands_its_log_to_a_configured_logging_at_its_level(configuration: str, expected: str) -> None:
    assert in_another_process(configuration).endswith(expected)


def test_the_librarys_log_goes_to_logging_and_a_second_logger_replaces_the_first(
    standin: ctypes.CDLL, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "msdk"):
        msdk.set_log_handler()
        assert standin.standin_log_level() == 3
        standin.standin_log()
    assert caplog.record_tuples == [("msdk.wallet", logging.WARNING, "opened slowly")]
    caplog.clear()
    msdk.set_log_handler(logging.getLogger("another"), logging.WARNING)
    assert standin.standin_log_level() == 2
    standin.standin_log()
    assert caplog.record_tuples == [("another.wallet", logging.WARNING, "opened slowly")]


def test_a_released_connection_is_not_there_any_more() -> None:
    async def run() -> None:
        connection = await msdk.Connection.deserialize("fast")
        connection.release()
        for ask in (connection.state, connection.serialize, connection.connect, connection.pw_did):
            with pytest.raises(msdk.VcxError, match="the connection was released") as raised:
                await ask()
            assert raised.value.code == 1003

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/no/such/libmsdk.so", "libm.so.6"])
def test_without_the_library_the_error_says_how_to_name_it(path: str) -> None:
    program = "import msdk_vcx as msdk\ntry: msdk.version()\nexcept ImportError as error: print(error)"
    environment = {**os.environ, "MSDK_LIBRARY": path, "PYTHONPATH": str(pathlib.Path(msdk.__file__).parent.parent)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert "MSDK_LIBRARY" in ended.stdout, ended.stderr


@pytest.mark.parametrize("text", ["hello", "5", "[]", "null", "", "{", "[" * 100_000])
def test_a_message_of_any_text_has_no_content(text: str) -> None:
    message = msdk.Message("did", "uid", msdk.MessageStatus.RECEIVED, "", None, "message", text)
    assert message.content == {} and message.thread is None and message.text == text
