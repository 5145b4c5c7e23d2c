"""Several agents in a process: each has its own wallet, mailbox and name."""

from __future__ import annotations

import inspect
import types
import typing
from typing import Any

from . import _handed
from ._arrivals import begin, forget
from ._calls import call, call_unheard
from ._checked import checked
from ._serving import STANDARD, bound, serving
from .agent import Configuration, text_of_configuration
from .logs import follow_logging

if typing.TYPE_CHECKING:
    from .backup import WalletBackup as _WalletBackup
    from .connection import Connection as _Connection
    from .credential import Credential as _Credential
    from .issuing import CredentialDefinition as _CredentialDefinition
    from .issuing import IssuerCredential as _IssuerCredential
    from .issuing import Schema as _Schema
    from .proof import Proof as _Proof
    from .verification import ProofRequest as _ProofRequest

_OF_THE_PROCESS = {"Agent", "init", "init_from_file", "session", "shutdown"}
"""The names of the package that are about the agent of `init`."""


@checked
class Agent:
    """An agent beside the one of `init`. It has the functions and classes of the package, which work for it:

        async with await msdk.Agent.open(config) as alice:
            connection = await alice.Connection.accept(url)
            await connection.completed(timeout=60)
            await alice.wallet.add_record("connection", "faber", await connection.serialize())

    An object belongs to the agent whose function made it; objects of two agents in one call are an error.
    """

    Connection: type[_Connection]
    Credential: type[_Credential]
    CredentialDefinition: type[_CredentialDefinition]
    IssuerCredential: type[_IssuerCredential]
    Proof: type[_Proof]
    ProofRequest: type[_ProofRequest]
    Schema: type[_Schema]
    WalletBackup: type[_WalletBackup]

    def __init__(self, number: int) -> None:
        self._number = number

    @classmethod
    async def open(cls, config: Configuration) -> Agent:
        """Opens the wallet of a configuration that `provision` returned. No two agents can have one wallet.

        `config` is the configuration, also as JSON text, or the path of a file that holds it.
        """
        follow_logging()
        text = text_of_configuration(config)
        agent: int = await call("msdk_agent_open", text, unclaimed=_close_unclaimed)
        begin(text, agent)
        return cls(agent)

    async def close(self) -> None:
        """Closes the wallet, and releases the agent's objects. Calls under way end, with an error if they need the wallet."""
        with serving(STANDARD):
            await call("msdk_agent_close", self._number)
        forget(self._number)
        _handed.forget(self._number)

    async def __aenter__(self) -> Agent:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __getattr__(self, name: str) -> Any:
        import msdk_vcx

        if name in _OF_THE_PROCESS or name not in msdk_vcx.__all__:
            raise AttributeError(f"an agent has no attribute {name!r}")
        return _for(self._number, getattr(msdk_vcx, name))

    def __dir__(self) -> list[str]:
        import msdk_vcx

        return sorted({*super().__dir__(), *msdk_vcx.__all__} - _OF_THE_PROCESS)

    def __repr__(self) -> str:
        return f"<Agent {self._number}>"


class Offered:
    """A module or a class of the package, whose functions work for one agent."""

    def __init__(self, agent: int, inner: Any) -> None:
        self._agent, self._inner = agent, inner

    def __getattr__(self, name: str) -> Any:
        return _for(self._agent, getattr(self._inner, name))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        with serving(self._agent):
            return self._inner(*arguments, **options)

    def __repr__(self) -> str:
        return f"<{self._inner!r} for agent {self._agent}>"


def _for(agent: int, value: Any) -> Any:
    """The value of the package for an agent: values that make no calls as they are."""
    if isinstance(value, types.ModuleType) or (inspect.isclass(value) and _has_functions(value)):
        return Offered(agent, value)
    return bound(value, lambda *_: agent) if inspect.isroutine(value) else value


def _has_functions(kind: type) -> bool:
    """Whether a class has functions that make objects, and that therefore need an agent."""
    return any(isinstance(each, classmethod) for each in vars(kind).values())


def _close_unclaimed(number: int) -> None:
    call_unheard("msdk_agent_close", number)
