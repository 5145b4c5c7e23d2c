"""Firebase Cloud Messaging: the HTTP v1 call that delivers a notification to a device."""

from __future__ import annotations

import asyncio
import enum
import json
import pathlib
from typing import Any

import aiohttp
import google.auth.exceptions
import google.auth.transport.requests
import google.oauth2.service_account

SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
PRODUCTION = "https://fcm.googleapis.com"
TIMEOUT = 4.0
"""Seconds for all that a notification takes: after five, the agency takes the relay for dead and comes again."""


class Outcome(enum.Enum):
    """The result of a notification."""

    DELIVERED = "delivered"
    DEVICE_GONE = "device gone"
    """The token is none (any more): sending again is useless."""
    REFUSED = "refused"
    """Firebase does not take it, now or later."""
    TRY_LATER = "try later"


class Firebase:
    """One Firebase project, with a service account that may send in its name."""

    def __init__(self, account: pathlib.Path, session: aiohttp.ClientSession, base: str = PRODUCTION) -> None:
        project = json.loads(account.read_text())["project_id"]
        self._url = f"{base.rstrip('/')}/v1/projects/{project}/messages:send"
        self._credentials = google.oauth2.service_account.Credentials.from_service_account_file(  # type: ignore[no-untyped-call]
            str(account), scopes=[SCOPE]
        )
        self._session = session
        self._renewing = asyncio.Lock()

    async def send(self, device: str, data: dict[str, str]) -> Outcome:
        """Wakes the app on a device with `data`. The device shows nothing by itself: what the message says is in the
        mailbox, and only the app can read it."""
        message = {
            "token": device,
            "data": data,
            "android": {"priority": "HIGH"},
            "apns": {
                "headers": {"apns-push-type": "background", "apns-priority": "5"},
                "payload": {"aps": {"content-available": 1}},
            },
        }
        try:
            async with asyncio.timeout(TIMEOUT):
                outcome = await self._post(message)
                if outcome is None:  # the access token was not good: once more with a new one
                    outcome = await self._post(message, renewed=True)
                return outcome or Outcome.TRY_LATER
        except (google.auth.exceptions.GoogleAuthError, aiohttp.ClientError, TimeoutError):
            return Outcome.TRY_LATER

    async def _post(self, message: dict[str, Any], renewed: bool = False) -> Outcome | None:
        headers = {"Authorization": f"Bearer {await self._access_token(renewed)}"}
        body = {"message": message}
        async with self._session.post(self._url, json=body, headers=headers) as answer:
            if answer.status == 200:
                return Outcome.DELIVERED
            if answer.status == 401:
                return None
            if answer.status == 429 or answer.status >= 500:
                return Outcome.TRY_LATER
            return Outcome.DEVICE_GONE if "UNREGISTERED" in await answer.text() else Outcome.REFUSED

    async def _access_token(self, renewed: bool) -> str:
        """The access token, fetched when there is none, or none that is valid, or by order."""
        async with self._renewing:
            if renewed or not self._credentials.valid:
                request = google.auth.transport.requests.Request()
                await asyncio.to_thread(self._credentials.refresh, request)
            return str(self._credentials.token)
