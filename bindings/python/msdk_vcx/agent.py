"""The life of the library in a process: provision once, init at every start, shutdown at the end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import typing
from collections.abc import AsyncIterator, Mapping
from typing import Any, Optional, Union

from . import _handed
from ._arrivals import begin, forget
from ._calls import call, call_now, text_of
from ._checked import checked
from ._held import FilePath, JSONObject, text_of_json
from .errors import VcxError
from .logs import follow_logging
from .state import ComMethod

Configuration = Union[Mapping[str, Any], FilePath]
"""A configuration that `provision` returned: as a mapping, as JSON text, or the path of a file that holds it."""


@checked
async def provision(config: Mapping[str, Any], token: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
    """Creates the wallet and a mailbox at the Cloud Agent that `config` names, with a sponsor's token where it wants one.

    Returns the configuration for `init`, which holds the wallet's key: keep it, and keep it secret. The configuration has
    `"keep_objects": true` unless `config` says otherwise. When this fails without an answer of the agency, do it again with
    the same token: the wallet remembers how it was used.
    """
    follow_logging()
    request = json.dumps({"protocol_type": "4.0", "keep_objects": True, **config})
    if token is None:
        text = await call("vcx_agent_provision_async", request)
    else:
        text = await call("vcx_provision_agent_with_token_async", request, json.dumps(token))
    answer: dict[str, Any] = json.loads(text)
    return answer


@checked
async def get_provision_token(config: Mapping[str, Any], sponsee_id: str, sponsor_id: str) -> dict[str, Any]:
    """A token from an agency that signs tokens for the sponsor; `config` is that of `provision`. Most sponsors give
    tokens themselves."""
    request = {"vcx_config": dict(config), "sponsee_id": sponsee_id, "sponsor_id": sponsor_id}
    token: dict[str, Any] = json.loads(await call("vcx_get_provision_token", json.dumps(request)))
    return token


@checked
async def agent_update_info(id: str, value: str, method: ComMethod = ComMethod.PUSH) -> None:
    """Tells the Cloud Agent where to announce messages. The same `id` replaces an earlier one; an empty `value` ends it."""
    await call("vcx_agent_update_info", json.dumps({"id": id, "value": value, "type": method.value}))


def _is_text(config: Configuration) -> bool:
    """Whether a configuration is there itself, and not the path of its file."""
    return isinstance(config, Mapping) or (isinstance(config, str) and config.lstrip().startswith("{"))


def text_of_configuration(config: Configuration) -> str:
    """The JSON text of a configuration."""
    if _is_text(config):
        return text_of_json(typing.cast(JSONObject, config))
    return pathlib.Path(typing.cast(FilePath, config)).read_text(encoding="utf-8")


@checked
async def init(config: Configuration) -> None:
    """Opens the wallet, and uses the configuration that `provision` returned. If it is cancelled, the wallet is closed.

    `config` is the configuration, also as JSON text, or the path of a file that holds it.
    """
    if _is_text(config):
        text = text_of_configuration(config)
        await _begin("vcx_init_with_config", text)
        begin(text)
    else:
        await init_from_file(typing.cast(FilePath, config))


@checked
async def init_from_file(path: FilePath) -> None:
    """The same as `init` with a path. A text is always a path here."""
    await _begin("vcx_init", os.fspath(path))
    with contextlib.suppress(OSError):  # the file, which the library has read, may be gone by now
        begin(text_of_configuration(pathlib.Path(path)))


async def _begin(name: str, argument: str) -> None:
    """Initialises. A cancelled caller waits for the end of the call, which takes no network, and undoes it."""
    follow_logging()
    begun = asyncio.ensure_future(call(name, argument, unclaimed=lambda _: shutdown()))
    try:
        await asyncio.shield(begun)
    except asyncio.CancelledError:
        with contextlib.suppress(VcxError):
            await begun
            shutdown()
        raise


@checked
@contextlib.asynccontextmanager
async def session(config: Configuration) -> AsyncIterator[None]:
    """Initialises the library for an `async with` block, and shuts it down at its end, however it ends.

    `config` is the one of `init`.
    """
    await init(config)
    try:
        yield
    finally:
        shutdown()


@checked
def shutdown(delete: bool = False) -> None:
    """Closes the wallet and releases every object; with `delete` it deletes the wallet too."""
    call_now("vcx_shutdown", delete)
    forget()
    _handed.forget()


@checked
def update_institution_info(name: str, logo_url: str) -> None:
    """Changes the name and the picture that peers see, until shutdown."""
    call_now("vcx_update_institution_info", name, logo_url)


async def health_check() -> None:
    """Raises if the Cloud Agent cannot be reached."""
    await call("vcx_health_check")


async def publish_public_did() -> dict[str, Any]:
    """Opens the mailbox of `institution_did`, and publishes its endpoint on the ledger, so that peers can reach it.

    Returns `did`, `verkey`, `endpoint`, `routing_keys`, `document` and `published`. The program publishes the document of a
    DID that is not Indy's itself. Await peers with `Connection.at_public_did`.
    """
    published: dict[str, Any] = json.loads(await call("msdk_public_did_publish"))
    return published


async def create_pairwise_agent() -> dict[str, str]:
    """Makes keys and a mailbox in advance: for one `Connection.connect`, as `pairwise_agent_info` in its options."""
    info: dict[str, str] = json.loads(await call("vcx_create_pairwise_agent"))
    return info


def version() -> str:
    """The version of the library, such as "0.1.0+1a2b3c4"."""
    return text_of("vcx_version")


@checked
async def resolve_message_by_url(url: str) -> dict[str, Any]:
    """The invitation in a URL (as a QR code holds it), or the one that a short link leads to."""
    message: dict[str, Any] = json.loads(await call("vcx_resolve_message_by_url", url))
    return message
