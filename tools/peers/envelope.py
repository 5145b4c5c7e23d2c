"""DIDComm v1 for the scripted peer: keys, envelopes (RFC 0019), forwards (RFC 0094), signed fields (RFC 0234).

A second implementation, on purpose: it shares no line with the library it is used against.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from nacl import bindings as sodium

JSON = dict[str, Any]
SIGNATURE = "https://didcomm.org/signature/1.0/ed25519Sha512_single"
_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def b58encode(data: bytes) -> str:
    digits, number = "", int.from_bytes(data, "big")
    while number:
        number, digit = divmod(number, 58)
        digits = _ALPHABET[digit] + digits
    zeros = len(data) - len(data.lstrip(b"\0"))
    return "1" * zeros + digits


def b58decode(text: str) -> bytes:
    number = 0
    for character in text:
        number = number * 58 + _ALPHABET.index(character)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def b64encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def b64decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


class Key:
    """An Ed25519 key pair and the DID that derives from it."""

    def __init__(self, seed: bytes | None = None) -> None:
        self.public, self._secret = sodium.crypto_sign_seed_keypair(seed) if seed else sodium.crypto_sign_keypair()
        self.verkey = b58encode(self.public)
        self.did = b58encode(self.public[:16])

    @property
    def box_secret(self) -> bytes:
        return bytes(sodium.crypto_sign_ed25519_sk_to_curve25519(self._secret))

    def sign(self, data: bytes) -> bytes:
        return bytes(sodium.crypto_sign(data, self._secret)[: sodium.crypto_sign_BYTES])


def _box_key(verkey: str) -> bytes:
    return bytes(sodium.crypto_sign_ed25519_pk_to_curve25519(b58decode(verkey)))


def _recipient(content_key: bytes, verkey: str, sender: Key | None) -> JSON:
    """The content key for one recipient: in a sealed box, or in a box from the sender with the sender's key sealed."""
    box_key = _box_key(verkey)
    if sender is None:
        sealed = sodium.crypto_box_seal(content_key, box_key)
        return {"encrypted_key": b64encode(sealed), "header": {"kid": verkey}}
    nonce = secrets.token_bytes(sodium.crypto_box_NONCEBYTES)
    boxed = sodium.crypto_box(content_key, nonce, box_key, sender.box_secret)
    told = b64encode(sodium.crypto_box_seal(sender.verkey.encode(), box_key))
    return {"encrypted_key": b64encode(boxed), "header": {"kid": verkey, "iv": b64encode(nonce), "sender": told}}


def pack(message: Mapping[str, Any], recipients: Sequence[str], sender: Key | None = None) -> JSON:
    """Encrypts a message for the recipients; with a sender they learn, and can be sure of, who it is."""
    content_key = secrets.token_bytes(32)
    header = {
        "enc": "xchacha20poly1305_ietf",
        "typ": "JWM/1.0",
        "alg": "Authcrypt" if sender else "Anoncrypt",
        "recipients": [_recipient(content_key, verkey, sender) for verkey in recipients],
    }
    protected = b64encode(json.dumps(header).encode())
    nonce = secrets.token_bytes(12)  # the label names another cipher than the one that everybody uses
    plain = json.dumps(message).encode()
    sealed = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plain, protected.encode(), nonce, content_key)
    return {
        "protected": protected,
        "iv": b64encode(nonce),
        "ciphertext": b64encode(sealed[:-16]),
        "tag": b64encode(sealed[-16:]),
    }


def unpack(envelope: Mapping[str, Any], keys: Mapping[str, Key]) -> tuple[JSON, str | None]:
    """Decrypts an envelope with one of our keys (by verkey). Returns the message and the sender's verkey, if told."""
    header = json.loads(b64decode(envelope["protected"]))
    entry = next(each for each in header["recipients"] if each["header"]["kid"] in keys)
    key = keys[entry["header"]["kid"]]
    box_public, encrypted, sender = _box_key(key.verkey), b64decode(entry["encrypted_key"]), None
    if header["alg"] == "Authcrypt":
        told = sodium.crypto_box_seal_open(b64decode(entry["header"]["sender"]), box_public, key.box_secret)
        sender = told.decode()
        nonce = b64decode(entry["header"]["iv"])
        content_key = sodium.crypto_box_open(encrypted, nonce, _box_key(sender), key.box_secret)
    else:
        content_key = sodium.crypto_box_seal_open(encrypted, box_public, key.box_secret)
    sealed = b64decode(envelope["ciphertext"]) + b64decode(envelope["tag"])
    plain = sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
        sealed, envelope["protected"].encode(), b64decode(envelope["iv"]), content_key
    )
    return json.loads(plain), sender


def forward(envelope: JSON, recipient: str, routing_keys: Sequence[str]) -> JSON:
    """Wraps an envelope once for each routing key, the one nearest to the recipient first."""
    to = recipient
    for key in routing_keys:
        kind = "https://didcomm.org/routing/1.0/forward"
        envelope = pack({"@type": kind, "@id": str(uuid.uuid4()), "to": to, "msg": envelope}, [key])
        to = key
    return envelope


def signed(value: JSON, key: Key) -> JSON:
    """A value as a signed field: eight bytes of time and the value's JSON, under the key's signature."""
    data = int(time.time()).to_bytes(8, "big") + json.dumps(value).encode()
    signature = b64encode(key.sign(data))
    return {"@type": SIGNATURE, "signer": key.verkey, "sig_data": b64encode(data), "signature": signature}


def opened(field: JSON) -> JSON:
    """The value of a signed field; raises `nacl.exceptions.BadSignatureError` when the signature is wrong."""
    data = b64decode(field["sig_data"])
    sodium.crypto_sign_open(b64decode(field["signature"]) + data, b58decode(field["signer"]))
    value: JSON = json.loads(data[8:])
    return value
