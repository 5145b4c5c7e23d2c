#!/usr/bin/env python3
"""An example of a sponsor's backend: gives provisioning tokens to the sponsor's apps, and hears from the agency when
there is a message for one of their users.

    sponsor.py --data DIR [--id NAME] [--address IP] [--port N]

    POST /generate        {"sponseeId": "…"}  →  a token, for vcx_provision_agent_with_token
    POST /notifications   where the agency announces messages; the sponsor's "endpoint" in the agency's configuration

DIR gets two files: `signing-key`, whose verkey the agency has to know, and `webhook-secret`, which the agency signs its
announcements with. When it is ready, it prints a line of JSON: endpoint, id and verkey. Each announcement is a line of
JSON too.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import json
import pathlib
import signal
from typing import Any

from aiohttp import web

import tokens
from keys import SponsorKey, load_or_create
from signature import is_signed

KEPT = 1000
"""Announcements that are remembered."""

MEMBERS = ("msgId", "msgType", "sponseeDetails", "relationshipDid")


class Sponsor:
    """The backend's knowledge: its key, the secret it shares with the agency, and the agency's announcements."""

    def __init__(self, name: str, seed: bytes, secret: bytes) -> None:
        self.name, self.key = name, SponsorKey(seed)
        self._secret = secret
        self.announced: collections.deque[dict[str, Any]] = collections.deque(maxlen=KEPT)

    def application(self) -> web.Application:
        application = web.Application(client_max_size=64 << 10)
        application.router.add_post("/generate", self.generate)
        application.router.add_post("/notifications", self.hear)
        return application

    async def generate(self, request: web.Request) -> web.Response:
        """A token. A real backend first authenticates the user: anyone with a token gets a Cloud Agent at its cost."""
        try:
            sponsee = (await read(request))["sponseeId"]
            if not isinstance(sponsee, str):
                raise ValueError("sponseeId is not a text")
            return web.json_response(tokens.issue(self.key, self.name, sponsee))
        except (ValueError, KeyError) as error:
            return refusal(400, f"no token: {error}")

    async def hear(self, request: web.Request) -> web.Response:
        """An announcement. The agency repeats it when the answer is lost, so one that is known is only acknowledged."""
        body = await request.read()
        if not is_signed(body, request.headers, self._secret):
            return refusal(401, "this is no announcement of the agency, or an old one")
        try:
            announcement = await read(request)
        except ValueError as error:
            return refusal(400, str(error))
        if any(not isinstance(announcement.get(name), str) for name in MEMBERS):
            return refusal(400, f"an announcement has the texts {', '.join(MEMBERS)}")
        if not self.knows(announcement):
            self.announced.append(announcement)
            self.notify(announcement)
        return web.Response(status=204)

    def knows(self, announcement: dict[str, Any]) -> bool:
        return any(all(known[name] == announcement[name] for name in MEMBERS) for known in self.announced)

    def notify(self, announcement: dict[str, Any]) -> None:
        """Where a real backend wakes the user's app: `sponseeDetails` is what the app registered."""
        print(json.dumps(announcement), flush=True)


async def read(request: web.Request) -> dict[str, Any]:
    """The JSON object of a body; ValueError for anything else."""
    try:
        value = json.loads(await request.read())
    except RecursionError:
        raise ValueError("the body is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("the body is not a JSON object")
    return value


def refusal(status: int, reason: str) -> web.Response:
    return web.json_response({"error": reason}, status=status)


async def serve(sponsor: Sponsor, address: str, port: int) -> None:
    """Listens until it is told to end."""
    runner = web.AppRunner(sponsor.application(), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, address, port).start()
        host, port = runner.addresses[0][:2]
        facts = {"endpoint": f"http://{host}:{port}", "id": sponsor.name, "verkey": sponsor.key.verkey}
        print(json.dumps(facts), flush=True)
        ended = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        await ended.wait()
    finally:
        await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description="An example of a sponsor's backend.")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder for the key and the secret")
    parser.add_argument("--id", default="example-sponsor", help="the id agreed with the agency")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8090, help="0 takes a free one")
    arguments = parser.parse_args()
    arguments.data.mkdir(parents=True, exist_ok=True)
    seed = load_or_create(arguments.data / "signing-key")
    load_or_create(arguments.data / "webhook-secret")
    secret = (arguments.data / "webhook-secret").read_text().strip().encode()  # the text itself, as the agency has it
    asyncio.run(serve(Sponsor(arguments.id, seed, secret), arguments.address, arguments.port))


if __name__ == "__main__":
    main()
