"""A student's file: how far the diploma has come, and what the pages show of it."""

from __future__ import annotations

import dataclasses
import enum
import json
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

RECORD = "student"
"""The type of the records in the wallet."""


class Diploma(str, enum.Enum):
    """How far a diploma has come."""

    INVITED = "invited"
    OFFERED = "offered"
    REQUESTED = "requested"
    ISSUED = "issued"
    REVOKED = "revoked"
    ENDED = "ended"


class Check(str, enum.Enum):
    """How far the last proof has come."""

    NONE = "none"
    ASKED = "asked"
    PASSED = "passed"
    REFUSED = "refused"


@dataclasses.dataclass
class Student:
    """A student. The connection, the diploma and the requests for proofs are in the wallet under the student's id."""

    name: str
    degree: str
    year: int
    id: str = dataclasses.field(default_factory=lambda: secrets.token_urlsafe(12))
    enrolled: float = dataclasses.field(default_factory=time.time)
    diploma: Diploma = Diploma.INVITED
    check: Check = Check.NONE
    reason: str = ""
    """Why the diploma has ended, or the proof was refused; after a proof, the values that it shows."""
    link: str = ""

    @property
    def values(self) -> dict[str, str | int]:
        """The content of the diploma."""
        return {"name": self.name, "degree": self.degree, "year": self.year}

    async def add(self, wallet: Any) -> None:
        await wallet.add_record(RECORD, self.id, json.dumps(dataclasses.asdict(self)))

    async def note(self, wallet: Any) -> None:
        """Replaces the file in the wallet."""
        await wallet.update_record_value(RECORD, self.id, json.dumps(dataclasses.asdict(self)))

    @staticmethod
    async def all(wallet: Any) -> AsyncIterator[Student]:
        """Every student in the wallet."""
        async with await wallet.search(RECORD) as records:
            async for record in records:
                known = json.loads(record.value)
                yield Student(**{**known, "diploma": Diploma(known["diploma"]), "check": Check(known["check"])})
