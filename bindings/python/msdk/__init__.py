"""Connections with Aries agents, and the messages that come over them: asyncio over libmsdk.so."""

from . import wallet
from .agent import (
    create_pairwise_agent,
    health_check,
    init,
    init_from_file,
    provision,
    resolve_message_by_url,
    shutdown,
    update_institution_info,
    version,
)
from .connection import Connection, Existing
from .errors import VcxError
from .logs import set_log_handler
from .messages import (
    Message,
    extract_attached_message,
    extract_thread_id,
    message_download,
    messages_download,
    messages_update_status,
)
from .state import MessageStatus, Same, State

__all__ = [
    "Connection",
    "Existing",
    "Message",
    "MessageStatus",
    "Same",
    "State",
    "VcxError",
    "create_pairwise_agent",
    "extract_attached_message",
    "extract_thread_id",
    "health_check",
    "init",
    "init_from_file",
    "message_download",
    "messages_download",
    "messages_update_status",
    "provision",
    "resolve_message_by_url",
    "set_log_handler",
    "shutdown",
    "update_institution_info",
    "version",
    "wallet",
]
