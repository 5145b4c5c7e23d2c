"""The forms of invitations: a URL as a user copies it, and the two kinds of RFC 0160 and RFC 0434."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from typing import Any

from ._held import JSONObject

AROUND = string.whitespace + "\"'<>"
"""The characters that come along when a user copies a URL."""


def members_of(value: JSONObject) -> Mapping[str, Any]:
    """The members of a JSON object; none for text that is no JSON object, which the library refuses."""
    try:
        members = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return {}
    return members if isinstance(members, Mapping) else {}


def is_out_of_band(members: Mapping[str, Any]) -> bool:
    """Whether an invitation says that it is one of RFC 0434, or has the services of one."""
    return "/out-of-band/" in str(members.get("@type", "")) or "service" in members or "services" in members
