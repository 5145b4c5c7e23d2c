"""Connections with Aries agents, and the messages that come over them: asyncio over libmsdk.so."""

from . import wallet
from .agent import init, provision, resolve_message_by_url, shutdown, version
from .connection import Connection
from .errors import VcxError
from .logs import set_log_handler
from .messages import Message, messages_download, messages_update_status
from .state import MessageStatus, State

__all__ = [
    "Connection",
    "Message",
    "MessageStatus",
    "State",
    "VcxError",
    "init",
    "messages_download",
    "messages_update_status",
    "provision",
    "resolve_message_by_url",
    "set_log_handler",
    "shutdown",
    "version",
    "wallet",
]
