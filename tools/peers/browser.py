"""A browser at the example university, as a student or the registrar uses it."""

from __future__ import annotations

import html
import re
import urllib.parse
import urllib.request

from alice import wait_until


class Browser:
    """Follows forms and redirects, and keeps the page and its address."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint, self.address, self.page = endpoint, endpoint, ""

    def open(self, path: str, form: dict[str, str] | None = None, **headers: str) -> str:
        data = None if form is None else urllib.parse.urlencode(form).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(urllib.parse.urljoin(self.endpoint, path), data, named)
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.address, self.page = answer.url, answer.read().decode()
        return self.page

    def wait(self, state: str) -> str:
        """Waits as the page's script does, and loads the page."""
        student = self.address
        wait_until(state, lambda: self.open(f"{student}/state") == state, 60)
        return self.open(student)

    @property
    def invitation(self) -> str:
        found = re.search(r'class="invitation" href="([^"]*)"', self.page)
        assert found is not None, self.page
        return html.unescape(found[1])
