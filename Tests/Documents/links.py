"""A web server with short links: each answers with a text, or leads on."""

from __future__ import annotations

from loopback import Handler, LoopbackServer


class Links(LoopbackServer):
    """Serves `texts` by path, and redirects the paths in `leads`."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.leads: dict[str, str] = {}
        super().__init__(self._handler())
        self.url = self.endpoint

    def _handler(self) -> type[Handler]:
        texts, leads = self.texts, self.leads

        class Link(Handler):
            def do_GET(self) -> None:
                if self.path in leads:
                    self.answer(302, headers={"Location": leads[self.path]})
                else:
                    body = texts.get(self.path, "").encode()
                    self.answer(200 if body else 404, body)

        return Link
