"""The agency's signature of its requests: Standard Webhooks, version 1 (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

WINDOW = 300
"""Seconds by which the time of a request may differ from the time here. Somebody who has recorded a request can repeat it
only for so long."""


def is_signed(body: bytes, headers: Mapping[str, str], secret: bytes, now: float | None = None) -> bool:
    """Whether the agency made the request, and not long ago: its HMAC-SHA256 covers id, time and body as they came."""
    name, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (at.isascii() and at.isdecimal() and len(at) < 20) or abs((now or time.time()) - int(at)) > WINDOW:
        return False
    signed = f"{name}.{at}.".encode(errors="replace") + body
    expected = b"v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, each.encode(errors="replace")) for each in signatures)
