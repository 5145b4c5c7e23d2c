"""The types of sync.py. Written by scripts/bindings from the package's asynchronous sources."""

import contextlib
import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, TypeVar, Union

from ._serving import OfAgent

_Self = TypeVar("_Self")
__version__: str

from ._held import JSONObject
from ._held import FilePath
from .agent import Configuration
from .messages import HandedMessage
from .resolver import Resolver
from .verification import Restrictions
from .verification import WantedItems
from .verification import WantedPredicates
from .wallet import Query
from .agent import shutdown as shutdown
from .agent import update_institution_info as update_institution_info
from .agent import version as version
from .connection import Existing as Existing
from .credential import CredentialInfo as CredentialInfo
from .credential import HeldCredential as HeldCredential
from .credential import Offer as Offer
from .display import Attachment as Attachment
from .display import Display as Display
from .errors import ConfigurationError as ConfigurationError
from .errors import EndedError as EndedError
from .errors import HandleError as HandleError
from .errors import LedgerError as LedgerError
from .errors import MalformedError as MalformedError
from .errors import MsdkError as MsdkError
from .errors import NetworkError as NetworkError
from .errors import StateError as StateError
from .errors import UnsupportedError as UnsupportedError
from .errors import VcxError as VcxError
from .errors import WalletError as WalletError
from .issuing import Place as Place
from .issuing import Proposal as Proposal
from .kept import KeptObject as KeptObject
from .ledger import AuthorAgreement as AuthorAgreement
from .logs import set_log_handler as set_log_handler
from .messages import Applied as Applied
from .messages import Message as Message
from .proof import Candidate as Candidate
from .proof import Choice as Choice
from .proof import Found as Found
from .proof import Item as Item
from .proof import Predicate as Predicate
from .proof import ReceivedRequest as ReceivedRequest
from .proof import Selection as Selection
from .resolver import Question as Question
from .resolver import remove_resolver as remove_resolver
from .resolver import set_resolver as set_resolver
from .state import BackupState as BackupState
from .state import ComMethod as ComMethod
from .state import CredentialState as CredentialState
from .state import IssuerState as IssuerState
from .state import MessageStatus as MessageStatus
from .state import ProofState as ProofState
from .state import RequestState as RequestState
from .state import Same as Same
from .state import State as State
from .verification import ProvedCredential as ProvedCredential
from .verification import Remark as Remark
from .verification import Shown as Shown
from .verification import Verdict as Verdict
from .verification import Wanted as Wanted
from .verification import WantedPredicate as WantedPredicate
from .wallet import Record as Record
class Held(OfAgent):

    def __init__(self, handle: int, name: Optional[str]=...) -> None:
        ...

    def __repr__(self) -> str:
        ...

    @classmethod
    def open(cls: type[_Self], object_id: str) -> _Self:
        ...

    @classmethod
    def kept(cls: type[_Self], source_id: str) -> Optional[_Self]:
        ...

    def release(self) -> None:
        ...

    def __enter__(self: _Self) -> _Self:
        ...

    def __exit__(self, *_: object) -> None:
        ...

class Agent:
    Connection: type[_Connection]
    Credential: type[_Credential]
    CredentialDefinition: type[_CredentialDefinition]
    IssuerCredential: type[_IssuerCredential]
    Proof: type[_Proof]
    ProofRequest: type[_ProofRequest]
    Schema: type[_Schema]
    WalletBackup: type[_WalletBackup]

    def __init__(self, number: int) -> None:
        ...

    @classmethod
    def open(cls, config: Configuration) -> Agent:
        ...

    def close(self) -> None:
        ...

    def __enter__(self) -> Agent:
        ...

    def __exit__(self, *_: object) -> None:
        ...

    def __getattr__(self, name: str) -> Any:
        ...

    def __dir__(self) -> list[str]:
        ...

    def __repr__(self) -> str:
        ...

class Connection(Held):

    @classmethod
    def accept(cls, invitation: JSONObject, source_id: Optional[str]=...) -> Connection:
        ...

    @classmethod
    def create(cls, source_id: str, *, goal_code: Optional[str]=..., goal: Optional[str]=..., handshake: bool=..., request: Optional[JSONObject]=...) -> Connection:
        ...

    @classmethod
    def create_older(cls, source_id: str) -> Connection:
        ...

    @classmethod
    def at_public_did(cls, source_id: str) -> Connection:
        ...

    @classmethod
    def create_outofband(cls, source_id: str, *, goal_code: Optional[str]=..., goal: Optional[str]=..., handshake: bool=..., request: Optional[JSONObject]=...) -> Connection:
        ...

    @classmethod
    def create_with_invite(cls, source_id: str, invitation: JSONObject) -> Connection:
        ...

    @classmethod
    def create_with_outofband_invitation(cls, source_id: str, invitation: JSONObject) -> Connection:
        ...

    @classmethod
    def accept_connection_invite(cls, source_id: str, invitation: JSONObject, options: Optional[JSONObject]=...) -> tuple[Connection, str]:
        ...

    @classmethod
    def deserialize(cls, data: str) -> Connection:
        ...

    @staticmethod
    def find_existing(invitation: JSONObject, connections: Iterable[str]) -> Existing:
        ...

    def connect(self, options: Optional[JSONObject]=...) -> dict[str, Any]:
        ...

    def completed(self, timeout: Optional[float]=..., interval: float=...) -> None:
        ...

    def next(self, *kinds: str, timeout: Optional[float]=..., interval: float=...) -> Message:
        ...

    def messages(self, *kinds: str, timeout: Optional[float]=..., interval: float=...) -> Iterator[Message]:
        ...

    def update_state(self) -> State:
        ...

    def update_state_with_message(self, message: HandedMessage) -> State:
        ...

    def state(self) -> State:
        ...

    def invite_details(self, abbreviated: bool=...) -> Optional[dict[str, Any]]:
        ...

    def pw_did(self) -> str:
        ...

    def thread_id(self) -> str:
        ...

    def serialize(self) -> str:
        ...

    def send_ping(self, comment: Optional[str]=...) -> None:
        ...

    def send_message(self, message: JSONObject, *, kind: str=..., title: str=...) -> str:
        ...

    def redirect(self, existing: Connection) -> None:
        ...

    def redirect_details(self) -> Optional[dict[str, Any]]:
        ...

    def send_reuse(self, invitation: JSONObject) -> None:
        ...

    def send_discovery_features(self, query: Optional[str]=..., comment: Optional[str]=...) -> None:
        ...

    def send_answer(self, question: HandedMessage, answer: JSONObject) -> None:
        ...

    def send_invite_action(self, goal_code: str, ack_on: Iterable[str]=...) -> dict[str, Any]:
        ...

    def sign_data(self, data: bytes) -> bytes:
        ...

    def verify_signature(self, data: bytes, signature: bytes) -> bool:
        ...

    def info(self) -> dict[str, Any]:
        ...

    def their_pw_did(self) -> str:
        ...

    def problem_report(self) -> Optional[dict[str, Any]]:
        ...

    def delete(self) -> None:
        ...

class Credential(Held):

    @staticmethod
    def offers(connection: Connection) -> list[Any]:
        ...

    @staticmethod
    def parse_offer(offer: Union[HandedMessage, list[Any]]) -> Offer:
        ...

    @classmethod
    def from_offer(cls, offer: Union[HandedMessage, list[Any]], source_id: str=...) -> Credential:
        ...

    @classmethod
    def from_message(cls, connection: Connection, uid: str, source_id: str=...) -> Credential:
        ...

    @classmethod
    def proposing(cls, attributes: Optional[Mapping[str, Union[str, int]]]=..., filter: Optional[Mapping[str, str]]=..., comment: Optional[str]=..., source_id: str=..., version: Optional[str]=..., format: Optional[str]=...) -> Credential:
        ...

    @classmethod
    def deserialize(cls, data: str) -> Credential:
        ...

    def propose(self, connection: Connection) -> None:
        ...

    def propose_instead(self, connection: Connection, attributes: Optional[Mapping[str, Union[str, int]]]=..., filter: Optional[Mapping[str, str]]=..., comment: Optional[str]=...) -> None:
        ...

    def offered(self, timeout: Optional[float]=..., interval: float=...) -> Offer:
        ...

    def accept(self, connection: Optional[Connection]=...) -> None:
        ...

    def decline(self, connection: Optional[Connection]=..., comment: Optional[str]=...) -> None:
        ...

    def stored(self, timeout: Optional[float]=..., interval: float=...) -> CredentialInfo:
        ...

    def update_state(self) -> CredentialState:
        ...

    def update_state_with_message(self, message: HandedMessage) -> CredentialState:
        ...

    def state(self) -> CredentialState:
        ...

    def thread_id(self) -> str:
        ...

    def info(self) -> CredentialInfo:
        ...

    def is_revoked(self) -> bool:
        ...

    def problem_report(self) -> Optional[dict[str, Any]]:
        ...

    def presentation_proposal(self) -> dict[str, Any]:
        ...

    def serialize(self) -> str:
        ...

    def delete(self) -> None:
        ...

class CredentialDefinition(Held):

    @classmethod
    def create(cls, schema_id: str, tag: str, name: str=..., max_credentials: Optional[int]=..., tails_folder: Optional[FilePath]=..., source_id: str=...) -> CredentialDefinition:
        ...

    @classmethod
    def deserialize(cls, data: str) -> CredentialDefinition:
        ...

    def id(self) -> str:
        ...

    def publish_rest(self) -> bool:
        ...

    def serialize(self) -> str:
        ...

class CredentialSearch:

    def __init__(self, handle: int) -> None:
        ...

    def __enter__(self) -> CredentialSearch:
        ...

    def __exit__(self, *_: object) -> None:
        ...

    def __iter__(self) -> Iterator[HeldCredential]:
        ...

    def next(self, count: int) -> list[HeldCredential]:
        ...

    def close(self) -> None:
        ...

class IssuerCredential(Held):

    @classmethod
    def create(cls, definition: CredentialDefinition, values: Union[Mapping[str, Union[str, int]], str], name: str=..., source_id: str=..., version: Optional[str]=..., format: Optional[str]=...) -> IssuerCredential:
        ...

    @classmethod
    def from_proposal(cls, proposal: HandedMessage, source_id: str=...) -> IssuerCredential:
        ...

    @classmethod
    def deserialize(cls, data: str) -> IssuerCredential:
        ...

    def proposal(self) -> Proposal:
        ...

    def plan(self, definition: CredentialDefinition, values: Union[Mapping[str, Union[str, int]], str], name: str=...) -> None:
        ...

    def decline(self, connection: Connection, reason: Optional[str]=...) -> None:
        ...

    def offer(self, connection: Connection) -> None:
        ...

    def offer_message(self) -> dict[str, Any]:
        ...

    def requested(self, timeout: Optional[float]=..., interval: float=...) -> None:
        ...

    def issue(self) -> None:
        ...

    def revoke(self) -> None:
        ...

    def update_state(self) -> IssuerState:
        ...

    def update_state_with_message(self, message: HandedMessage) -> IssuerState:
        ...

    def state(self) -> IssuerState:
        ...

    def thread_id(self) -> str:
        ...

    def place(self) -> Place:
        ...

    def problem_report(self) -> Optional[dict[str, Any]]:
        ...

    def serialize(self) -> str:
        ...

@dataclasses.dataclass(frozen=True)
class Notification(OfAgent):
    uid: str
    pairwise_did: str
    message_type: Optional[str]
    sender: Optional[str]

    def download(self) -> list[Message]:
        ...

class Proof(Held):

    @staticmethod
    def requests(connection: Connection) -> list[Any]:
        ...

    @staticmethod
    def parse_request(request: HandedMessage) -> dict[str, Any]:
        ...

    @classmethod
    def from_request(cls, request: HandedMessage, source_id: str=...) -> Proof:
        ...

    @classmethod
    def from_message(cls, connection: Connection, uid: str, source_id: str=...) -> Proof:
        ...

    @classmethod
    def proposing(cls, preview: JSONObject, comment: str, source_id: str=..., version: Optional[str]=..., format: Optional[str]=...) -> Proof:
        ...

    @classmethod
    def deserialize(cls, data: str) -> Proof:
        ...

    def propose(self, connection: Connection) -> None:
        ...

    def credentials(self) -> Found:
        ...

    def request(self) -> ReceivedRequest:
        ...

    def thread_id(self) -> str:
        ...

    def generate(self, selection: Selection) -> None:
        ...

    def send(self, connection: Optional[Connection]=...) -> None:
        ...

    def decline(self, connection: Optional[Connection]=..., reason: Optional[str]=..., proposal: Optional[JSONObject]=...) -> None:
        ...

    def accepted(self, timeout: Optional[float]=..., interval: float=...) -> None:
        ...

    def update_state(self) -> ProofState:
        ...

    def update_state_with_message(self, message: HandedMessage) -> ProofState:
        ...

    def state(self) -> ProofState:
        ...

    def presentation(self) -> dict[str, Any]:
        ...

    def problem_report(self) -> Optional[dict[str, Any]]:
        ...

    def serialize(self) -> str:
        ...

class ProofRequest(Held):

    @classmethod
    def create(cls, name: str, attributes: WantedItems=..., predicates: WantedPredicates=..., non_revoked: Optional[Mapping[str, int]]=..., source_id: str=..., version: Optional[str]=..., format: Optional[str]=...) -> ProofRequest:
        ...

    @classmethod
    def from_proposal(cls, proposal: HandedMessage, source_id: str=...) -> ProofRequest:
        ...

    @classmethod
    def deserialize(cls, data: str) -> ProofRequest:
        ...

    def send(self, connection: Connection) -> None:
        ...

    def send_instead(self, connection: Connection, name: str, attributes: WantedItems=..., predicates: WantedPredicates=..., non_revoked: Optional[Mapping[str, int]]=...) -> None:
        ...

    def decline(self, connection: Connection, reason: Optional[str]=...) -> None:
        ...

    def message(self) -> dict[str, Any]:
        ...

    def await_over(self, connection: Connection) -> None:
        ...

    def proposal(self) -> dict[str, Any]:
        ...

    def verdict(self, timeout: Optional[float]=..., interval: float=...) -> Verdict:
        ...

    def result(self) -> Optional[Verdict]:
        ...

    def shown(self) -> Shown:
        ...

    def presentation(self) -> dict[str, Any]:
        ...

    def update_state(self) -> RequestState:
        ...

    def update_state_with_message(self, message: HandedMessage) -> RequestState:
        ...

    def state(self) -> RequestState:
        ...

    def problem_report(self) -> Optional[dict[str, Any]]:
        ...

    def thread_id(self) -> str:
        ...

    def serialize(self) -> str:
        ...

class Schema(Held):

    @classmethod
    def create(cls, name: str, version: str, attributes: Iterable[str], source_id: str=...) -> Schema:
        ...

    @classmethod
    def fetch(cls, schema_id: str, source_id: str=...) -> Schema:
        ...

    @classmethod
    def deserialize(cls, data: str) -> Schema:
        ...

    def id(self) -> str:
        ...

    def attributes(self) -> list[str]:
        ...

    def is_published(self) -> bool:
        ...

    def serialize(self) -> str:
        ...

class Search:

    def __init__(self, type: str, handle: int) -> None:
        ...

    def __enter__(self) -> Search:
        ...

    def __exit__(self, *_: object) -> None:
        ...

    def __iter__(self) -> Iterator[Record]:
        ...

    def next(self, count: int) -> list[Record]:
        ...

    def total_count(self) -> Optional[int]:
        ...

    def close(self) -> None:
        ...

class WalletBackup(OfAgent):

    def __init__(self, handle: int) -> None:
        ...

    @classmethod
    def create(cls, passphrase: str, source_id: str=...) -> WalletBackup:
        ...

    @classmethod
    def deserialize(cls, text: str) -> WalletBackup:
        ...

    def serialize(self) -> str:
        ...

    def update_state(self) -> BackupState:
        ...

    def ready(self, timeout: Optional[float]=..., interval: float=...) -> None:
        ...

    def send(self, path: FilePath) -> None:
        ...

def agent_update_info(id: str, value: str, method: ComMethod=...) -> None:
    ...

def author_agreement() -> Optional[AuthorAgreement]:
    ...

def create_pairwise_agent() -> dict[str, str]:
    ...

def create_web_did(place: str, document: Optional[Mapping[str, Any]]=..., pre_rotation: bool=..., ttl: Optional[int]=...) -> str:
    ...

def deactivate_web_did(did: str) -> str:
    ...

def delete_object(object_id: str) -> None:
    ...

def extract_attached_message(message: HandedMessage) -> str:
    ...

def extract_thread_id(message: HandedMessage) -> str:
    ...

def get_provision_token(config: Mapping[str, Any], sponsee_id: str, sponsor_id: str) -> dict[str, Any]:
    ...

def health_check() -> None:
    ...

def init(config: Configuration) -> None:
    ...

def init_from_file(path: FilePath) -> None:
    ...

def kept_objects(type: Optional[str]=..., *, source_id: Optional[str]=..., thread: Optional[str]=..., pairwise_did: Optional[str]=..., their_did: Optional[str]=..., state: Optional[int]=..., finished: Optional[bool]=..., limit: Optional[int]=...) -> list[KeptObject]:
    ...

def parse_push(payload: str) -> Notification:
    ...

def provision(config: Mapping[str, Any], token: Optional[Mapping[str, Any]]=...) -> dict[str, Any]:
    ...

def publish_public_did() -> dict[str, Any]:
    ...

def qr_code(text: str) -> str:
    ...

def resolve_message_by_url(url: str) -> dict[str, Any]:
    ...

@contextlib.contextmanager
def session(config: Configuration) -> Iterator[None]:
    ...

def update_web_did(did: str, document: Optional[Mapping[str, Any]]=..., rotate: bool=..., pre_rotation: Optional[bool]=..., ttl: Optional[int]=...) -> str:
    ...

class messages:
    @staticmethod
    def spelled(kind: str) -> str:
        ...
    @staticmethod
    def text_of_content(message: HandedMessage) -> str:
        ...
    @staticmethod
    def text_of_message(message: HandedMessage) -> str:
        ...
    @staticmethod
    def download(status: Optional[MessageStatus]=..., uids: Optional[Iterable[str]]=..., pairwise_dids: Optional[Iterable[str]]=...) -> list[Message]:
        ...
    @staticmethod
    def listen(*kinds: str, timeout: Optional[float]=...) -> Iterator[Message]:
        ...
    @staticmethod
    def get(uid: str) -> Message:
        ...
    @staticmethod
    def extract_attached_message(message: HandedMessage) -> str:
        ...
    @staticmethod
    def extract_thread_id(message: HandedMessage) -> str:
        ...
    @staticmethod
    def download_own(status: Optional[MessageStatus]=..., uids: Optional[Iterable[str]]=...) -> list[dict[str, Any]]:
        ...
    @staticmethod
    def parse_push(payload: str) -> Notification:
        ...
    @staticmethod
    def mark_read(*messages: Message) -> None:
        ...
    @staticmethod
    def update_status(messages: Iterable[Message], status: MessageStatus=...) -> None:
        ...

class wallet:
    @staticmethod
    def add_record(type: str, id: str, value: str, tags: Optional[Mapping[str, str]]=...) -> None:
        ...
    @staticmethod
    def get_record(type: str, id: str) -> Record:
        ...
    @staticmethod
    def update_record_value(type: str, id: str, value: str) -> None:
        ...
    @staticmethod
    def update_record_tags(type: str, id: str, tags: Mapping[str, str]) -> None:
        ...
    @staticmethod
    def add_record_tags(type: str, id: str, tags: Mapping[str, str]) -> None:
        ...
    @staticmethod
    def delete_record_tags(type: str, id: str, names: Iterable[str]) -> None:
        ...
    @staticmethod
    def delete_record(type: str, id: str) -> None:
        ...
    @staticmethod
    def search(type: str, query: Optional[Query]=..., *, records: bool=..., count: bool=..., value: bool=..., tags: bool=...) -> Search:
        ...
    @staticmethod
    def search_credentials(*, schema_id: Optional[str]=..., schema_name: Optional[str]=..., schema_version: Optional[str]=..., cred_def_id: Optional[str]=..., issuer_did: Optional[str]=..., attributes: Optional[Mapping[str, Optional[str]]]=..., revoked: Optional[bool]=..., connection: Optional[Connection]=..., received_from: Optional[int]=..., received_to: Optional[int]=...) -> CredentialSearch:
        ...
    @staticmethod
    def get_credential(id: str) -> HeldCredential:
        ...
    @staticmethod
    def export(path: FilePath, key: str) -> None:
        ...
    @staticmethod
    def import_wallet(config: Mapping[str, Any]) -> None:
        ...
    @staticmethod
    def restore_backup(config: Mapping[str, Any]) -> None:
        ...
    @staticmethod
    def rekey(new_key: str, derivation: Optional[str]=...) -> None:
        ...

_Connection = Connection
_Credential = Credential
_CredentialDefinition = CredentialDefinition
_IssuerCredential = IssuerCredential
_Proof = Proof
_ProofRequest = ProofRequest
_Schema = Schema
_WalletBackup = WalletBackup
