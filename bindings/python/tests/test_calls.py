"""The generic call: futures, command handles, callbacks from foreign threads, errors, cancellation."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import threading
import time
from typing import Any, Callable

import pytest

import msdk_vcx as msdk
from msdk_vcx import _calls
from msdk_vcx._calls import call
from msdk_vcx._library import library


def serialize(handle: int) -> Any:
    async def run() -> Any:
        return await asyncio.wait_for(call("vcx_connection_serialize", handle), 5)

    return asyncio.run(run())


def eventually(test: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while not test() and time.monotonic() < end:
        time.sleep(0.01)
    return test()


def test_an_answer_from_a_foreign_thread_arrives() -> None:
    assert serialize(0) == "text"


def test_an_answer_before_the_call_returns_arrives() -> None:
    assert serialize(8) == "text"


def test_text_is_copied_inside_the_callback() -> None:
    assert serialize(3) == "Grüße"


def test_no_text_is_none() -> None:
    assert serialize(4) is None


def test_text_that_is_not_utf8_raises_instead_of_hanging() -> None:
    with pytest.raises(UnicodeDecodeError):
        serialize(5)


def test_a_second_answer_is_ignored() -> None:
    assert serialize(6) == "first"


def test_a_refused_call_raises_with_the_details_of_the_callers_thread() -> None:
    with pytest.raises(msdk.VcxError) as raised:
        serialize(1)
    assert (raised.value.code, raised.value.cause) == (1007, "refused at once")


def test_a_failed_call_raises_with_the_details_of_the_callbacks_thread() -> None:
    with pytest.raises(msdk.VcxError) as raised:
        serialize(2)
    error = raised.value
    assert (error.code, error.name) == (1003, "INVALID_CONNECTION_HANDLE")
    assert error.cause == "told on the callback's thread"
    assert error.message == "Error: e\n  Caused by: told on the callback's thread\n"
    assert str(error) == f"{error.text}: told on the callback's thread (1003 INVALID_CONNECTION_HANDLE)"


def test_many_calls_at_once_get_their_own_answers() -> None:
    async def run() -> list[Any]:
        handles = [3 if number % 2 else 7 for number in range(200)]
        return await asyncio.gather(*(call("vcx_connection_serialize", handle) for handle in handles))

    assert asyncio.run(run()) == ["text", "Grüße"] * 100


def test_bytes_go_and_come_with_their_length() -> None:
    async def run() -> Any:
        return [await call("vcx_connection_sign_data", 1, data) for data in (b"\0ab", b"")]

    assert asyncio.run(run()) == [b"ba\0", b""]


def test_text_with_a_nul_is_refused_before_it_is_cut() -> None:
    with pytest.raises(ValueError, match="NUL"):
        asyncio.run(msdk.Connection.deserialize("before\0after"))


def test_a_synchronous_function_cannot_be_awaited() -> None:
    with pytest.raises(TypeError, match="vcx_connection_release"):
        asyncio.run(call("vcx_connection_release", 1))


def test_a_connection_is_released_once(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        before = standin.standin_releases()
        with await msdk.Connection.deserialize("fast") as connection:
            pass
        connection.release()
        del connection
        gc.collect()
        assert (standin.standin_releases(), standin.standin_last_released()) == (before + 1, 77)

    asyncio.run(run())


def test_a_forgotten_connection_is_released(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        before = standin.standin_releases()
        await msdk.Connection.deserialize("fast")
        gc.collect()
        assert standin.standin_releases() == before + 1

    asyncio.run(run())


def test_the_object_of_a_cancelled_call_is_released(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        before = standin.standin_releases()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(msdk.Connection.deserialize("slow"), 0.01)
        await asyncio.sleep(0.3)
        assert standin.standin_releases() == before + 1

    asyncio.run(run())


def test_the_object_of_a_call_whose_loop_is_closed_is_released(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        task = asyncio.ensure_future(msdk.Connection.deserialize("slow"))
        await asyncio.sleep(0.01)
        task.cancel()

    before = standin.standin_releases()
    asyncio.run(run())
    assert eventually(lambda: standin.standin_releases() == before + 1)


def test_an_object_that_comes_with_the_cancellation_is_released(
    standin: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle = _calls._Call._settle

    async def run() -> None:
        before = standin.standin_releases()
        task = asyncio.ensure_future(msdk.Connection.deserialize("fast"))

        def settle_and_cancel(call: _calls._Call, result: Any, error: Any) -> None:
            settle(call, result, error)
            task.cancel()

        monkeypatch.setattr(_calls._Call, "_settle", settle_and_cancel)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert standin.standin_releases() == before + 1

    asyncio.run(run())


def test_an_object_that_is_collected_during_a_lookup_is_released(standin: ctypes.CDLL) -> None:
    before = standin.standin_releases()

    def collect() -> None:
        with library()._lock:
            msdk.Connection._release(77)

    thread = threading.Thread(target=collect, daemon=True)
    thread.start()
    thread.join(5)
    assert not thread.is_alive()
    assert standin.standin_releases() == before + 1
