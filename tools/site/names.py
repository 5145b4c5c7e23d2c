"""Names as a page shows them."""

from __future__ import annotations

import html
import re


def breakable(name: str) -> str:
    """A name that may break after its underscores, dots and slashes, and nowhere else."""
    return re.sub(r"([_./](?=\w))", r"\1<wbr>", html.escape(name))
