"""A student's file: how far the diploma has come, and what the university needs to go on after a restart."""

from __future__ import annotations

import dataclasses
import enum
import json
import secrets
import time
from collections.abc import AsyncIterator

import msdk_vcx as msdk

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
    """A student, with the exchanges as the library serializes them: empty texts before they have begun."""

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
    connection: str = ""
    credential: str = ""
    request: str = ""

    @property
    def values(self) -> dict[str, str | int]:
        """The content of the diploma."""
        return {"name": self.name, "degree": self.degree, "year": self.year}

    async def add(self) -> None:
        await msdk.wallet.add_record(RECORD, self.id, json.dumps(dataclasses.asdict(self)))

    async def keep(self) -> None:
        """Replaces the file in the wallet. Called after each step, so that a restart finds the last one."""
        await msdk.wallet.update_record_value(RECORD, self.id, json.dumps(dataclasses.asdict(self)))

    @staticmethod
    async def all() -> AsyncIterator[Student]:
        """Every student in the wallet."""
        async with await msdk.wallet.search(RECORD) as records:
            async for record in records:
                known = json.loads(record.value)
                yield Student(**{**known, "diploma": Diploma(known["diploma"]), "check": Check(known["check"])})
