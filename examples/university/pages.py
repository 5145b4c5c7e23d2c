"""The pages, as HTML without outside resources. Every text of a user goes through `escape`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from student import Check, Diploma, Student

DEGREES = ("Mathematics", "Medicine", "History", "Law")

WORDS = {
    Diploma.INVITED: "waits for the wallet",
    Diploma.OFFERED: "offered",
    Diploma.REQUESTED: "being issued",
    Diploma.ISSUED: "issued",
    Diploma.REVOKED: "revoked",
    Diploma.ENDED: "ended",
}


def page(title: str, body: str, head: str = "") -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} · University of Example</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
{head}
</head>
<body>
<header><a class="name" href="/">University of Example</a><nav><a href="/registrar">Registrar</a></nav></header>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
<footer>An example of an issuer and verifier with msdk.</footer>
</body>
</html>
"""


def home() -> str:
    """The form that begins it all."""
    options = "".join(f"<option>{escape(each)}</option>" for each in DEGREES)
    return page(
        "Your diploma, in your wallet",
        f"""<p class="lead">Take your diploma with you, and prove what you have learned wherever you are asked, without us.</p>
<form class="card" method="post" action="/students">
<label>Your name <input name="name" required maxlength="80" autocomplete="name"></label>
<label>Degree <select name="degree">{options}</select></label>
<label>Year <input name="year" type="number" required min="1950" max="2100" value="2025"></label>
<button>Get the diploma</button>
</form>""",
    )


def student(one: Student, width: int) -> str:
    """The student's own page, with a QR code of this width. It loads itself anew when something has happened."""
    here = f"/students/{escape(one.id)}"
    state = f"{one.diploma.value} {one.check.value}"
    return page(
        f"Welcome, {one.name}",
        f"""<ol class="steps">{connect(one, here, width)}{receive(one)}{prove(one, here)}</ol>""",
        f"""<script defer src="/page.js" data-url="{here}/state" data-state="{escape(state)}"></script>
<noscript><meta http-equiv="refresh" content="3"></noscript>""",
    )


def step(title: str, mark: str, content: str) -> str:
    return f'<li class="card {mark}"><h2>{escape(title)}</h2>{content}</li>'


def connect(one: Student, here: str, width: int) -> str:
    if one.diploma is Diploma.ENDED:
        return step("Connect", "bad", f"<p>This has ended: {escape(one.reason)}.</p><p><a href=\"/\">Begin again</a></p>")
    if one.diploma is not Diploma.INVITED:
        return step("Connect", "done", "<p>Your wallet is connected with us.</p>")
    return step(
        "Connect",
        "now",
        f"""<p>Scan this code with your wallet.</p>
<img class="code" src="{here}/code.svg" alt="QR code of the invitation" width="{width}" height="{width}">
<p class="small">On this device: <a class="invitation" href="{escape(one.link)}">open the invitation</a></p>""",
    )


def receive(one: Student) -> str:
    facts = f"<p>{escape(one.degree)}, {one.year}, for {escape(one.name)}</p>"
    if one.diploma is Diploma.ISSUED:
        return step("Receive the diploma", "done", f"{facts}<p>It is in your wallet.</p>")
    if one.diploma is Diploma.REVOKED:
        return step("Receive the diploma", "bad", f"{facts}<p>The registrar has revoked it.</p>")
    if one.diploma in (Diploma.OFFERED, Diploma.REQUESTED):
        return step("Receive the diploma", "now", f"{facts}<p>Accept it in your wallet.</p>")
    return step("Receive the diploma", "", facts)


def prove(one: Student, here: str) -> str:
    title = "Enter the library"
    if one.diploma not in (Diploma.ISSUED, Diploma.REVOKED):
        return step(title, "", "<p>It is open to graduates of the last five years.</p>")
    if one.check is Check.ASKED:
        return step(title, "now", "<p>Your wallet asks you whether to show your diploma.</p>")
    label = "Prove that you may enter" if one.check is Check.NONE else "Prove it again"
    button = f'<form method="post" action="{here}/proofs"><button>{label}</button></form>'
    if one.check is Check.PASSED:
        return step(title, "done", f"<p class=\"verdict\">Come in, {escape(one.reason)}.</p>{button}")
    if one.check is Check.REFUSED:
        return step(title, "bad", f"<p class=\"verdict\">No entry: {escape(one.reason)}.</p>{button}")
    return step(title, "now", f"<p>Show your name and your degree. The year stays with you.</p>{button}")


def registrar(students: Iterable[Student]) -> str:
    rows = "".join(map(row, students)) or '<tr><td colspan="4">No student yet.</td></tr>'
    return page(
        "Registrar",
        f"""<p class="lead">All diplomas, the newest first.</p>
<div class="card"><table>
<thead><tr><th>Name</th><th>Degree</th><th>Diploma</th><th></th></tr></thead>
<tbody>{rows}</tbody>
</table></div>""",
    )


def row(one: Student) -> str:
    action = ""
    if one.diploma is Diploma.ISSUED:
        action = f'<form method="post" action="/students/{escape(one.id)}/revoke"><button class="quiet">Revoke</button></form>'
    facts = f"<td>{escape(one.name)}</td><td>{escape(one.degree)}, {one.year}</td>"
    return f'<tr>{facts}<td><span class="badge {one.diploma.value}">{WORDS[one.diploma]}</span></td><td>{action}</td></tr>'


def problem(title: str, text: str) -> str:
    return page(title, f'<p class="lead">{escape(text)}</p><p><a href="/">To the first page</a></p>')
