"""The agreement that an Indy network requires of the authors who write to its ledger."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Mapping
from typing import Any, Optional

from ._calls import call, call_now
from ._checked import checked
from ._serving import OfAgent


@checked
@dataclasses.dataclass(frozen=True)
class AuthorAgreement(OfAgent):
    """The agreement. `mechanisms` has the ways in which a user can accept it, each with its meaning."""

    text: str
    version: str
    digest: str
    mechanisms: Mapping[str, str]

    def accept(self, mechanism: str, seconds: Optional[int] = None) -> dict[str, Any]:
        """Writes to the ledger with the user's acceptance from now on, until shutdown. Sends nothing.

        `mechanism` is one of `mechanisms`, `seconds` the time since 1970 if it is not now; the network learns the day.
        Returns the member `author_agreement` of the configuration, in which a later start has the same acceptance.
        """
        seconds = int(time.time()) if seconds is None else seconds
        call_now(
            "vcx_set_active_txn_author_agreement_meta", self.text, self.version, self.digest, mechanism, seconds
        )
        return {
            "taaDigest": self.digest,
            "acceptanceMechanismType": mechanism,
            "timeOfAcceptance": seconds,
        }


async def author_agreement() -> Optional[AuthorAgreement]:
    """The agreement that the network of the first ledger requires, to be shown to the user; None if it requires none."""
    agreement = json.loads(await call("vcx_get_ledger_author_agreement"))
    if not agreement:
        return None
    return AuthorAgreement(agreement["text"], agreement["version"], agreement["digest"], agreement["aml"])
