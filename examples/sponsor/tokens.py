"""Provisioning tokens: a sponsor's word to an agency that somebody may have a Cloud Agent."""

from __future__ import annotations

import base64
import datetime
import secrets
import string

from keys import SponsorKey

NONCE = string.ascii_uppercase + string.digits
MAXIMUM = 256
"""Longest id of a user that agencies take."""


def issue(key: SponsorKey, sponsor_id: str, sponsee_id: str, now: datetime.datetime | None = None) -> dict[str, str]:
    """A token for one user, good once and for some minutes.

    The signature covers nonce, time, user and sponsor one after the other with nothing between, and the time as it is
    written. Raises ValueError for an id that no agency takes.
    """
    if not sponsee_id or len(sponsee_id.encode()) > MAXIMUM or not sponsee_id.isprintable():
        raise ValueError(f"sponseeId is a text of 1 to {MAXIMUM} bytes without control characters")
    nonce = "".join(secrets.choice(NONCE) for _ in range(16))
    timestamp = (now or datetime.datetime.now(datetime.timezone.utc)).isoformat(timespec="microseconds")
    signature = key.sign((nonce + timestamp + sponsee_id + sponsor_id).encode())
    return {
        "sponseeId": sponsee_id,
        "sponsorId": sponsor_id,
        "nonce": nonce,
        "timestamp": timestamp,
        "sig": base64.b64encode(signature).decode(),
        "sponsorVerKey": key.verkey,
    }
