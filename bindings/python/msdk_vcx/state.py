"""States of objects, and of messages in the mailbox."""

from __future__ import annotations

import enum


class _Named(enum.IntEnum):
    """A number that prints as its name."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, specification: str) -> str:
        return format(int(self), specification) if specification[-1:] == "d" else format(self.name, specification)


class State(_Named):
    """How far a connection has come. One that we were invited to goes INVITED, REQUESTED, COMPLETED."""

    FAILED = 0
    INITIALIZED = 1
    INVITED = 2
    REQUESTED = 3
    COMPLETED = 4
    UNFULFILLED = 5
    EXPIRED = 6
    REVOKED = 7
    REDIRECTED = 8
    REJECTED = 9
    PROPOSED = 10

    # The same numbers in the words of libvcx, which other objects share.
    NONE = 0
    OFFER_SENT = 2
    REQUEST_RECEIVED = 3
    ACCEPTED = 4


class CredentialState(_Named):
    """How far a credential has come. One that is offered goes OFFERED, REQUESTED, STORED; CREATED and PROPOSED may come
    first."""

    FAILED = 0
    CREATED = 1
    REQUESTED = 2
    OFFERED = 3
    STORED = 4
    REJECTED = 9
    PROPOSED = 10


class ProofState(_Named):
    """How far a proof has come. One that is requested goes REQUESTED, SENT, ACCEPTED; PROPOSED and SENT may come first."""

    FAILED = 0
    PROPOSED = 1
    SENT = 2
    REQUESTED = 3
    ACCEPTED = 4
    REJECTED = 9


class RequestState(_Named):
    """How far a requested proof has come. It goes CREATED, SENT, VERIFIED or NOT_VERIFIED; a prover may propose instead."""

    NOT_VERIFIED = 0
    CREATED = 1
    SENT = 2
    PROPOSED = 3
    VERIFIED = 4
    REJECTED = 9


class IssuerState(_Named):
    """How far a credential that this side issues has come. It goes CREATED, OFFERED, REQUESTED, ISSUED; a holder may begin
    with a proposal, or answer an offer with one: PROPOSED."""

    FAILED = 0
    CREATED = 1
    OFFERED = 2
    REQUESTED = 3
    ISSUED = 4
    REJECTED = 9
    PROPOSED = 10


class BackupState(_Named):
    """How far a backup of the wallet has come. READY follows REQUESTED, and SENT."""

    UNINITIALIZED = 0
    REQUESTED = 1
    READY = 2
    SENT = 3


class MessageStatus(str, enum.Enum):
    """The status of a message in the mailbox."""

    CREATED = "MS-101"
    SENT = "MS-102"
    RECEIVED = "MS-103"
    ACCEPTED = "MS-104"
    REJECTED = "MS-105"
    REVIEWED = "MS-106"
    REDIRECTED = "MS-107"
    UNKNOWN = "unknown"
    """Any other status: an agency of another make may have more."""

    @classmethod
    def _missing_(cls, value: object) -> MessageStatus:
        return cls.UNKNOWN


class Same(str, enum.Enum):
    """The part that a connection shares with a new invitation."""

    INVITATION = "invitation"
    INVITER = "inviter"
    NONE = "none"


class ComMethod(int, enum.Enum):
    """How a Cloud Agent announces messages. Each needs its own kind of `value` in `agent_update_info`."""

    PUSH = 1
    """A push token ("FCM:…"), by the agency's own account."""
    WEBHOOK = 2
    """The web address of an institution's program."""
    SPONSOR = 3
    """A text of the sponsor's choosing. The agency tells the sponsor, and the sponsor wakes the app."""
    SPONSOR_PUSH = 4
    """A push token ("FCM:…"), by the sponsor's account."""
