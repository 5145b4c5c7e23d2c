"""Checks of the built pages: every link leads somewhere, and the reference has each function once."""

from __future__ import annotations

import html
import os
import pathlib
import re

from documents import Wrong


def check_reference(folder: pathlib.Path, functions: set[str]) -> None:
    """Each function of the header has one entry."""
    pages = [page.read_text() for page in (folder / "api").glob("*.html")]
    found = [name for page in pages for name in re.findall(r'class="entry" id="(\w+)"', page)]
    missing, twice = functions - set(found), {name for name in found if found.count(name) > 1}
    if missing or twice:
        raise Wrong(f"the reference lacks {sorted(missing)}, and has twice {sorted(twice)}")


def check_links(folder: pathlib.Path) -> None:
    """Every link within the site leads to a file, and to a place in it, and its text is no path of a document."""
    ids = {page: set(re.findall(r'\bid="([^"]+)"', page.read_text())) for page in folder.rglob("*.html")}
    for page in ids:
        if bare := re.search(r"<a[^>]*>[^<]*\.(?:md|html)</a>", page.read_text()):
            raise Wrong(f"{page.relative_to(folder)}: a link has no title: {bare[0]}")
        for target in re.findall(r'<a[^>]* href="([^"]+)"', page.read_text()):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = html.unescape(target).partition("#")
            file = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
            if file not in ids or (anchor and anchor not in ids[file] and "source" not in file.relative_to(folder).parts):
                raise Wrong(f"{page.relative_to(folder)}: {target} leads nowhere")
