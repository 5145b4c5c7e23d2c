"""The client that `run` measures: a program with msdk, which takes commands from its input. Its callback writes the text of each
message, and the clock."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from typing import Any

import msdk_vcx as msdk
from msdk_vcx._library import library
from msdk_vcx._table import CALLBACKS

output = threading.Lock()


def write(value: Any) -> None:
    with output:
        print(json.dumps(value), flush=True)


def told(_handle: int, _code: int, text: bytes) -> None:
    """The callback, on a thread of the library."""
    now = time.monotonic_ns()
    content = json.loads(json.loads(json.loads(text)["decryptedPayload"])["@msg"])
    if "content" in content:
        write([content["content"], now])


callback = CALLBACKS["vcx_string_cb"](told)


class Client:
    """The commands. There is one connection."""

    connection: msdk.Connection
    exchanges: list[msdk.IssuerCredential]

    async def begin(self, config: dict[str, Any], more: dict[str, Any]) -> None:
        self.config = {**await msdk.provision(config), **more}
        await msdk.init(self.config)

    async def accept(self, invitation: Any) -> None:
        self.connection = await msdk.Connection.accept(invitation, "peer")
        await self.connection.connect()

    async def complete(self) -> None:
        """Polls, since nothing else may be subscribed."""
        while await self.connection.update_state() is not msdk.State.COMPLETED:
            await asyncio.sleep(0.1)

    async def listen(self) -> None:
        assert library().function("msdk_messages_subscribe")(1, callback) == 0

    async def read(self) -> None:
        await msdk.messages.mark_read(*await msdk.messages.download(msdk.MessageStatus.RECEIVED))

    async def begin_exchanges(self, count: int) -> None:
        """Offers so many credentials, which nobody requests."""
        with await msdk.Schema.create("degree", "1.0", ["name"]) as schema:
            definition = await msdk.CredentialDefinition.create(await schema.id(), "bench")
        values = {"name": "Alice"}
        self.exchanges = [await msdk.IssuerCredential.create(definition, values, "x") for _ in range(count)]
        for each in self.exchanges:
            await each.offer(self.connection)

    async def poll_exchanges(self) -> None:
        await asyncio.gather(*(each.update_state() for each in self.exchanges))

    async def forget(self) -> None:
        """Another session, which knows no message."""
        msdk.shutdown()
        await msdk.init(self.config)

    async def download(self) -> int:
        return len(await msdk.messages.download(msdk.MessageStatus.RECEIVED))


async def main() -> None:
    client, loop = Client(), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command, *arguments = json.loads(line)
        write(await getattr(client, command)(*arguments))
    msdk.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
