"""Provisioning tokens: a sponsor's word to an agency that somebody may have a Cloud Agent."""

from __future__ import annotations

import base64
import datetime
import re
import secrets
import string

from keys import SponsorKey

NONCE = string.ascii_uppercase + string.digits
MAXIMUM = 256
"""Longest id of a user that agencies take."""

TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}")
"""The beginning of any text that an agency may read as a time."""


def issue(key: SponsorKey, sponsor_id: str, sponsee_id: str, now: datetime.datetime | None = None) -> dict[str, str]:
    """A token for one user, good once and for some minutes.

    The signature covers nonce, time, user and sponsor one after the other with nothing between, and the time as it is
    written. A user with a time in the id could therefore cut the token there, and use it as another user. Raises ValueError
    for such an id, and for one that no agency takes.
    """
    if not sponsee_id or len(sponsee_id.encode()) > MAXIMUM or not sponsee_id.isprintable():
        raise ValueError(f"sponseeId is a text of 1 to {MAXIMUM} bytes without control characters")
    if TIME.search(sponsee_id):
        raise ValueError("sponseeId must not contain a time")
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
