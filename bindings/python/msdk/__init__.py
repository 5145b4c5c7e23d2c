"""Connections with Aries agents, and the messages that come over them: asyncio over libmsdk.so."""

from . import wallet
from .agent import (
    agent_update_info,
    get_provision_token,
    init,
    provision,
    resolve_message_by_url,
    shutdown,
    version,
)
from .connection import Connection
from .errors import VcxError
from .logs import set_log_handler
from .messages import (
    Message,
    Notification,
    download_agent_messages,
    messages_download,
    messages_update_status,
    parse_push,
)
from .state import ComMethod, MessageStatus, State

__all__ = [
    "ComMethod",
    "Connection",
    "Message",
    "MessageStatus",
    "Notification",
    "State",
    "VcxError",
    "agent_update_info",
    "download_agent_messages",
    "get_provision_token",
    "init",
    "messages_download",
    "messages_update_status",
    "parse_push",
    "provision",
    "resolve_message_by_url",
    "set_log_handler",
    "shutdown",
    "version",
    "wallet",
]
