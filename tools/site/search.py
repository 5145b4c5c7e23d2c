"""The index of the site's search: a line for each part of a page, in a script that the pages load when somebody searches."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

PART = re.compile(r'(?:<section class="entry" id="([^"]+)">)?<h([1-3])(?: id="([^"]*)")?[^>]*>(.*?)</h\2>|<tr id="([^"]+)">')
LONGEST = 1500
"""Characters of a part that are searched."""


def plain(text: str) -> str:
    """The words of a piece of HTML, without its blocks of code."""
    without = re.sub(r"<pre.*?</pre>|<svg.*?</svg>|<button.*?</button>|<wbr>", "", text, flags=re.DOTALL)
    words = re.sub(r"</?(?:a|code|strong|em|span)\b[^>]*>", "", without)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", words)).split())


def parts(page: str, title: str, body: str) -> Iterator[tuple[str, str, str, str]]:
    """The parts of a page: address, title of the page, heading, text."""
    found = list(PART.finditer(body))
    for each, following in zip(found, [*found[1:], None]):
        anchor = each[1] or each[3] or each[5] or ""
        address = page + (f"#{anchor}" if anchor else "")
        text = plain(body[each.end() : following.start() if following else len(body)])
        yield address, title, plain(each[4]) if each[4] else each[5], text[:LONGEST]


def script(entries: list[tuple[str, str, str, str]]) -> str:
    return "window.searched(" + json.dumps(entries, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/") + ");\n"
