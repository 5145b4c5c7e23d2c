"""QR codes, as the command `msdk` draws them."""

from __future__ import annotations

import asyncio

from . import _programs
from ._checked import checked
from .errors import MsdkError


@checked
async def qr_code(text: str) -> str:
    """The QR code of a text, such as the URL of an invitation, as a picture in SVG.

    Runs the command `msdk`, which is in the wheel. Raises `MsdkError` without it, and for a text that is too long.
    """
    program = _programs.path("msdk")
    if program is None:
        raise MsdkError("this installation of msdk-vcx has no command msdk; a wheel of `make wheel` has it")
    pipe = asyncio.subprocess.PIPE
    drawing = await asyncio.create_subprocess_exec(str(program), "qr", "--svg", stdin=pipe, stdout=pipe, stderr=pipe)
    picture, complaint = await drawing.communicate(text.encode())
    if drawing.returncode != 0:
        raise MsdkError(complaint.decode(errors="replace").strip())
    return picture.decode()
