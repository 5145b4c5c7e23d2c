"""The sponsor's signing key, and the secret it shares with the agency: files that only the owner can read."""

from __future__ import annotations

import os
import pathlib
import secrets

from nacl.signing import SigningKey

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data: bytes) -> str:
    """Bitcoin's base58, in which verkeys are written."""
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def load_or_create(path: pathlib.Path) -> bytes:
    """The 32 bytes of a file of hexadecimal digits; new ones where there is no file. Fails on anything else."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        data = bytes.fromhex(path.read_text().strip())
        if len(data) != 32:
            raise ValueError(f"{path} does not hold 32 bytes") from None
        return data
    data = secrets.token_bytes(32)
    with os.fdopen(descriptor, "w") as file:
        file.write(data.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return data


class SponsorKey:
    """The Ed25519 key that signs tokens."""

    def __init__(self, seed: bytes) -> None:
        self._key = SigningKey(seed)
        self.verkey = base58(bytes(self._key.verify_key))

    def sign(self, data: bytes) -> bytes:
        """The 64 bytes of the signature alone."""
        return bytes(self._key.sign(data).signature)
