"""The site in Chromium, where it is installed: the search, the copies, and pages as narrow as a telephone."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENTS = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build" / "environments")

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")

Shown = Callable[[str], str]
"""A page as Chromium has it after its scripts ran, by its file and query."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("site")
    python = ENVIRONMENTS / "docs" / "bin" / "python"
    subprocess.run([python, ROOT / "tools" / "site" / "build", folder], check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture(scope="module")
def shown(site: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    profile = tmp_path_factory.mktemp("profile")

    def show(page: str) -> str:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        return subprocess.run(
            ["chromium", "--headless=new", *sandbox, "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=20000",
             f"--user-data-dir={profile}", "--dump-dom", f"{site.as_uri()}/{page}"],
            check=True, capture_output=True, text=True, timeout=120).stdout

    return show


def test_a_search_finds_pages_of_every_kind_and_says_when_it_finds_nothing(shown: Shown) -> None:
    found = set(re.findall(r'href="\./([a-z]+)/[^"]*"', results(shown("index.html?search=revoke"))))
    assert {"guide", "api", "python"} <= found
    assert "Nothing found for “zzzyx”." in shown("index.html?search=zzzyx")


def results(page: str) -> str:
    return page[page.index('id="found"'):].split("</header>")[0]


def test_every_block_of_code_can_be_copied(shown: Shown) -> None:
    page = shown("guide/connect.html")
    assert page.count('<pre class="code"') == page.count('class="copy"') > 5


MEASURE = """
<!doctype html><meta charset="utf-8"><body><pre id="result"></pre><script>
const pages = PAGES, result = document.getElementById("result"), frame = document.createElement("iframe");
frame.style = "width: 390px; height: 900px; border: 0";
document.body.append(frame);
function next() {
  const page = pages.shift();
  if (!page) { result.textContent += "all"; return; }
  frame.onload = () => { measure(page); next(); };
  frame.src = page;
}
function measure(page) {
  const inner = frame.contentDocument, tell = (fault) => { result.textContent += `${page}: ${fault}\\n`; };
  if (inner.documentElement.scrollWidth > 390) tell(`${inner.documentElement.scrollWidth} pixels`);
  const walker = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT), range = inner.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (const word of node.data.matchAll(/[A-Za-z0-9_]{4,}/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((each) => each.top)).size > 1) tell(`${word[0]} is broken`);
    }
  }
}
next();
</script>
"""


def test_a_telephone_shows_no_page_too_wide_and_breaks_no_word(site: pathlib.Path, shown: Shown) -> None:
    pages = sorted(str(page.relative_to(site)) for page in site.rglob("*.html") if "source" not in page.parts)
    (site / "measure.html").write_text(MEASURE.replace("PAGES", str(pages)))
    told = re.search(r'<pre id="result">(.*?)</pre>', shown("measure.html"), re.DOTALL)
    assert told is not None and told[1] == "all"
