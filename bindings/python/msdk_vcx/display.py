"""The parts of a message that are for people: words, and attachments such as a logo. Nobody has checked them."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Mapping
from typing import Any, Optional


@dataclasses.dataclass(frozen=True)
class Attachment:
    """An attachment of a message. `data` is as the sender wrote it: `base64`, `json` or `links`.

    Lists of credentials leave the data out, and so does the library where they are too large.
    """

    id: Optional[str]
    mime_type: Optional[str]
    filename: Optional[str]
    description: Optional[str]
    data: Optional[Mapping[str, Any]]

    @property
    def content(self) -> Optional[bytes]:
        """The bytes of `base64`; None without it, or if it is malformed."""
        text = (self.data or {}).get("base64")
        if not isinstance(text, str):
            return None
        try:
            return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_" if {"-", "_"} & set(text) else None)
        except (binascii.Error, ValueError):
            return None

    @classmethod
    def _read(cls, members: Mapping[str, Any]) -> Attachment:
        return cls(
            id=members.get("@id"),
            mime_type=members.get("mime-type"),
            filename=members.get("filename"),
            description=members.get("description"),
            data=members.get("data"),
        )


@dataclasses.dataclass(frozen=True)
class Display:
    """The sender's words, as far as the message has them, and its attachments."""

    comment: Optional[str] = None
    goal_code: Optional[str] = None
    goal: Optional[str] = None
    attachments: tuple[Attachment, ...] = ()

    @classmethod
    def _read(cls, members: Optional[Mapping[str, Any]]) -> Display:
        members = members or {}
        attachments = tuple(Attachment._read(each) for each in members.get("attachments", ()))
        return cls(members.get("comment"), members.get("goal_code"), members.get("goal"), attachments)
