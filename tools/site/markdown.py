"""Renders Markdown: headings with anchors, coloured code, examples in several languages side by side, diagrams."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Callable, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

import diagrams

LANGUAGES = {
    "c": "C", "cpp": "C++", "python": "Python", "swift": "Swift", "java": "Java", "go": "Go", "javascript": "JavaScript",
}
"""The languages of examples, in the order in which they stand side by side."""
DRAWN = {"sequence": diagrams.sequence, "states": diagrams.states}
FORMAT = HtmlFormatter(nowrap=True, classprefix="k-")
BESIDE = re.compile(r"<!-- beside: (.*?) -->")


@dataclasses.dataclass(frozen=True)
class Heading:
    """A heading of a page."""

    level: int
    text: str
    anchor: str


@dataclasses.dataclass(frozen=True)
class Rendered:
    html: str
    headings: tuple[Heading, ...]


def anchor(text: str) -> str:
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def coloured(text: str, language: str) -> str:
    """The text as HTML; plain if the language has no colours here."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False) if language else None
    except ClassNotFound:
        lexer = None
    return str(highlight(text, lexer, FORMAT)) if lexer else html.escape(text)


def code(text: str, language: str) -> str:
    if language in DRAWN:
        return f'<figure class="scroll">{DRAWN[language](text)}</figure>\n'
    return f'<pre class="code" tabindex="0"><code>{coloured(text, language)}</code></pre>\n'


def tabs(examples: Sequence[tuple[str, str]]) -> str:
    """The same step in several languages. The reader's choice holds for the whole site."""
    ordered = sorted(examples, key=lambda each: list(LANGUAGES).index(each[0]))
    buttons = "".join(
        f'<button type="button" role="tab" data-language="{name}">{LANGUAGES[name]}</button>' for name, _ in ordered
    )
    panels = "".join(f'<div role="tabpanel" data-language="{name}">{code(text, name)}</div>' for name, text in ordered)
    return f'<div class="tabs"><div role="tablist">{buttons}</div>{panels}</div>\n'


def render(
    text: str, link: Callable[[str], str], example: Callable[[str], tuple[str, str]], mark: Callable[[str], str]
) -> Rendered:
    """The page of a Markdown text.

    `link` gives the address of a link, `example` the language and the text of an example that a comment
    `<!-- beside: … -->` names, and `mark` the HTML of a word that stands as code.
    """
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(text)
    headings = []
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[index + 1].content
            plain = re.sub(r"\[(.*?)\]\(.*?\)|[`*]", r"\1", words)
            headings.append(Heading(int(token.tag[1]), plain, anchor(words)))
            token.attrSet("id", headings[-1].anchor)
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", link(str(child.attrGet("href"))))
    parser.add_render_rule("fence", lambda _, tokens, at, *rest: code(tokens[at].content, language_of(tokens[at])))
    parser.add_render_rule("code_inline", lambda _, tokens, at, *rest: mark(tokens[at].content))
    parser.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return Rendered(parser.renderer.render(grouped(tokens, example), parser.options, {}), tuple(headings))


def language_of(token: Token) -> str:
    return token.info.strip().split(" ")[0]


def grouped(tokens: Sequence[Token], example: Callable[[str], tuple[str, str]]) -> list[Token]:
    """Puts the examples that a comment names into tabs, with the example before the comment."""
    kept: list[Token] = []
    for token in tokens:
        beside = BESIDE.match(token.content) if token.type == "html_block" else None
        if beside is None:
            if token.type != "html_block":
                kept.append(token)
            continue
        first = [kept.pop()] if kept and kept[-1].type == "fence" else []
        named = [example(name.strip()) for name in beside[1].split(",")]
        block = Token("html_block", "", 0)
        block.content = tabs([*((language_of(each), each.content) for each in first), *named])
        kept.append(block)
    return kept
