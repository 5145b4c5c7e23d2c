"""Connections with Aries agents, messages, credentials and proofs: asyncio over libmsdk.so."""

from . import _table, messages, wallet
from ._renamed import renamed
from .agent import (
    agent_update_info,
    create_pairwise_agent,
    get_provision_token,
    health_check,
    init,
    init_from_file,
    provision,
    publish_public_did,
    resolve_message_by_url,
    session,
    shutdown,
    update_institution_info,
    version,
)
from .agents import Agent
from .backup import WalletBackup
from .connection import Connection, Existing
from .credential import Credential, CredentialInfo, HeldCredential, Offer
from .display import Attachment, Display
from .errors import (
    ConfigurationError,
    EndedError,
    HandleError,
    LedgerError,
    MalformedError,
    MsdkError,
    NetworkError,
    StateError,
    UnsupportedError,
    VcxError,
    WalletError,
)
from .issuing import CredentialDefinition, IssuerCredential, Place, Proposal, Schema
from .kept import KeptObject, delete_object, kept_objects
from .ledger import AuthorAgreement, author_agreement
from .logs import set_log_handler
from .messages import (
    Applied,
    Message,
    Notification,
    extract_attached_message,
    extract_thread_id,
    parse_push,
)
from .proof import Candidate, Choice, Found, Item, Predicate, Proof, ReceivedRequest, Selection
from .qr import qr_code
from .resolver import Question, remove_resolver, set_resolver
from .state import (
    BackupState,
    ComMethod,
    CredentialState,
    IssuerState,
    MessageStatus,
    ProofState,
    RequestState,
    Same,
    State,
)
from .verification import ProofRequest, ProvedCredential, Remark, Shown, Verdict, Wanted, WantedPredicate
from .webvh import create_web_did, deactivate_web_did, update_web_did

__version__ = _table.VERSION

messages_download = renamed("messages_download", "messages.download", messages.download)
message_download = renamed("message_download", "messages.get", messages.get)
messages_update_status = renamed("messages_update_status", "messages.update_status", messages.update_status)
download_agent_messages = renamed("download_agent_messages", "messages.download_own", messages.download_own)

__all__ = [
    "Agent",
    "Applied",
    "Attachment",
    "AuthorAgreement",
    "BackupState",
    "Candidate",
    "Choice",
    "ComMethod",
    "ConfigurationError",
    "Connection",
    "Credential",
    "CredentialDefinition",
    "CredentialInfo",
    "CredentialState",
    "Display",
    "EndedError",
    "Existing",
    "Found",
    "HandleError",
    "HeldCredential",
    "IssuerCredential",
    "IssuerState",
    "Item",
    "KeptObject",
    "LedgerError",
    "MalformedError",
    "Message",
    "MessageStatus",
    "MsdkError",
    "NetworkError",
    "Notification",
    "Offer",
    "Place",
    "Predicate",
    "Proof",
    "ProofRequest",
    "ProvedCredential",
    "ProofState",
    "Proposal",
    "Question",
    "ReceivedRequest",
    "Remark",
    "RequestState",
    "Same",
    "Schema",
    "Selection",
    "Shown",
    "State",
    "StateError",
    "UnsupportedError",
    "VcxError",
    "Verdict",
    "WalletBackup",
    "WalletError",
    "Wanted",
    "WantedPredicate",
    "agent_update_info",
    "author_agreement",
    "create_pairwise_agent",
    "create_web_did",
    "deactivate_web_did",
    "delete_object",
    "download_agent_messages",
    "extract_attached_message",
    "extract_thread_id",
    "get_provision_token",
    "health_check",
    "init",
    "init_from_file",
    "kept_objects",
    "message_download",
    "messages",
    "messages_download",
    "messages_update_status",
    "parse_push",
    "provision",
    "publish_public_did",
    "qr_code",
    "remove_resolver",
    "resolve_message_by_url",
    "session",
    "set_log_handler",
    "set_resolver",
    "shutdown",
    "update_institution_info",
    "update_web_did",
    "version",
    "wallet",
]
