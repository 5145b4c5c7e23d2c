#!/usr/bin/env python3
"""An example of a push relay: takes an agency's announcements of messages, and has Firebase wake the app.

    relay.py --account FILE --secret FILE [--address IP] [--port N] [--firebase URL]

    POST /notifications   where the agency posts announcements for the com method type 4

FILE of --account is the service account of the Firebase project, as its console gives it. FILE of --secret holds the
text that is the sponsor's "webhook_secret" in the agency's configuration. When it is ready, it prints a line of JSON:
endpoint. The result of each announcement is a line of JSON too, without the device's token.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import signal
import time
from typing import Any

import aiohttp
from aiohttp import web

from firebase import PRODUCTION, Firebase, Outcome
from signature import WINDOW, is_signed

PREFIX = "FCM:"
"""Apps register their token with this in front, or without."""

STATUS = {
    Outcome.DELIVERED: 204,
    Outcome.DEVICE_GONE: 204,  # nothing is gained by repeating it
    Outcome.REFUSED: 204,
    Outcome.TRY_LATER: 503,  # the agency comes again
}


class Relay:
    """Between an agency and Firebase."""

    def __init__(self, firebase: Firebase, secret: bytes) -> None:
        self._firebase, self._secret = firebase, secret
        self._settled: dict[str, float] = {}

    def application(self) -> web.Application:
        application = web.Application(client_max_size=64 << 10)
        application.router.add_post("/notifications", self.hear)
        return application

    async def hear(self, request: web.Request) -> web.Response:
        """An announcement: checked, passed on, and answered with what the agency should do next."""
        body = await request.read()
        if not is_signed(body, request.headers, self._secret):
            return refusal(401, "this is no announcement of the agency, or an old one")
        if self._is_settled(name := request.headers["webhook-id"]):
            return web.Response(status=204)
        try:
            device, data = wake_up(json.loads(body))
        except (ValueError, KeyError, TypeError, RecursionError):
            return refusal(400, "this is no announcement")
        outcome = await self._firebase.send(device, data)
        if outcome is not Outcome.TRY_LATER:
            self._settled[name] = time.monotonic()
        print(json.dumps({"msgId": data["msgId"], "outcome": outcome.value}), flush=True)
        return web.Response(status=STATUS[outcome])

    def _is_settled(self, name: str) -> bool:
        """Whether the announcement with this id has had its effect: the agency repeats it when the answer is lost, and
        somebody who has recorded it can. Ids are forgotten when the signature has become too old."""
        end = time.monotonic() - 2 * WINDOW
        while self._settled and next(iter(self._settled.values())) < end:
            del self._settled[next(iter(self._settled))]
        return name in self._settled


def wake_up(announcement: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """The device's token, and the data for the app, all texts as Firebase wants them: `msdk_parse_push` reads them."""
    device = text(announcement, "sponseeDetails").removeprefix(PREFIX)
    if not device:
        raise ValueError
    data = {name: text(announcement, name) for name in ("msgId", "msgType", "relationshipDid")}
    if isinstance(details := announcement.get("metaData"), dict):
        data["metaData"] = json.dumps(details)
    return device, data


def text(announcement: dict[str, Any], name: str) -> str:
    value = announcement[name]
    if not isinstance(value, str):
        raise ValueError
    return value


def refusal(status: int, reason: str) -> web.Response:
    return web.json_response({"error": reason}, status=status)


async def serve(account: pathlib.Path, secret: bytes, base: str, address: str, port: int) -> None:
    """Listens until it is told to end."""
    async with aiohttp.ClientSession() as session:
        relay = Relay(Firebase(account, session, base), secret)
        runner = web.AppRunner(relay.application(), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, address, port).start()
            host, port = runner.addresses[0][:2]
            print(json.dumps({"endpoint": f"http://{host}:{port}"}), flush=True)
            ended = asyncio.Event()
            for number in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, ended.set)
            await ended.wait()
        finally:
            await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description="An example of a push relay for Firebase.")
    parser.add_argument("--account", type=pathlib.Path, required=True, help="the project's service account")
    parser.add_argument("--secret", type=pathlib.Path, required=True, help="file with the agency's webhook secret")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8091, help="0 takes a free one")
    parser.add_argument("--firebase", default=PRODUCTION, help="another place of Firebase's interface, for tests")
    arguments = parser.parse_args()
    secret = arguments.secret.read_text().strip().encode()
    if not secret:
        parser.error("the secret is empty")
    asyncio.run(serve(arguments.account, secret, arguments.firebase, arguments.address, arguments.port))


if __name__ == "__main__":
    main()
