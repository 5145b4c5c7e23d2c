#!/usr/bin/env python3
"""A university that issues diplomas to students' wallets, revokes them, and verifies them at the door of its library.

    university.py --agency URL --data DIR [--url URL] [--address IP] [--port N]
    university.py --agency URL --data DIR --prepare

DIR gets the wallet, its key and the registry, which is served under /registry for the students' wallets. When it is ready,
it prints a line of JSON with its URL. SIGTERM and Ctrl-C end it; the next start goes on with every student. --prepare
only makes the wallet and the configuration. The university publishes on an Indy ledger, and not in its registry, if the
configuration has a `genesis_path`. Several --data are as many universities in one process, each with an agent of its own, at
N and the ports after it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import logging
import os
import pathlib
import re
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import msdk_vcx as msdk
from aiohttp import web
from multidict import MultiMapping

import pages
from office import Office
from student import Student

HERE = pathlib.Path(__file__).resolve().parent
CONTENT = {"style.css": "text/css", "page.js": "text/javascript"}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Desk:
    """The web pages of the office."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def application(self, registry: pathlib.Path) -> web.Application:
        application = web.Application(middlewares=[guarded], client_max_size=16 << 10)
        add = application.router.add_route
        add("GET", "/", self.home)
        add("GET", "/registrar", self.registrar)
        add("POST", "/students", self.enrol)
        add("GET", "/students/{id}", self.student)
        add("GET", "/students/{id}/state", self.state)
        add("GET", "/students/{id}/code.svg", self.code)
        add("POST", "/students/{id}/proofs", self.ask)
        add("POST", "/students/{id}/revoke", self.revoke)
        for name in CONTENT:
            add("GET", f"/{name}", self.content)
        application.router.add_static("/registry", registry)
        return application

    async def home(self, _: web.Request) -> web.Response:
        return html(pages.home())

    async def enrol(self, request: web.Request) -> web.Response:
        """A real university first asks the students who they are."""
        form = await form_of(request)
        name, degree, year = (str(form.get(field, "")).strip() for field in ("name", "degree", "year"))
        if not 0 < len(name) <= 80 or degree not in pages.DEGREES or not (year.isdecimal() and len(year) == 4):
            return html(pages.problem("That is not complete", "Please give your name, your degree and the year."), 400)
        student = await self.office.enrol(name, degree, int(year))
        raise web.HTTPSeeOther(f"/students/{student.id}")

    async def student(self, request: web.Request) -> web.Response:
        student = self._student(request)
        return html(pages.student(student, await width_of(student.link)))

    async def state(self, request: web.Request) -> web.Response:
        student = self._student(request)
        return web.Response(text=f"{student.diploma.value} {student.check.value}")

    async def code(self, request: web.Request) -> web.Response:
        picture = await msdk.qr_code(self._student(request).link)
        return web.Response(text=picture, content_type="image/svg+xml")

    async def ask(self, request: web.Request) -> web.Response:
        student = self._student(request)
        await self.office.ask(student)
        raise web.HTTPSeeOther(f"/students/{student.id}")

    async def registrar(self, _: web.Request) -> web.Response:
        """A real university lets only its registrar in here."""
        return html(pages.registrar(sorted(self.office.students.values(), key=lambda one: -one.enrolled)))

    async def revoke(self, request: web.Request) -> web.Response:
        await self.office.revoke(self._student(request))
        raise web.HTTPSeeOther("/registrar")

    async def content(self, request: web.Request) -> web.Response:
        name = request.path.removeprefix("/")
        return web.Response(text=(HERE / name).read_text(), content_type=CONTENT[name])

    def _student(self, request: web.Request) -> Student:
        """The id in the address cannot be guessed, and so it also shows that the reader is the student."""
        student = self.office.students.get(request.match_info["id"])
        if student is None:
            raise web.HTTPNotFound()
        return student


async def form_of(request: web.Request) -> MultiMapping[Any]:
    """The fields of a form as browsers send those of these pages."""
    if request.content_type != "application/x-www-form-urlencoded" or (request.charset or "utf-8").lower() != "utf-8":
        raise web.HTTPBadRequest()
    try:
        return await request.post()
    except ValueError:
        raise web.HTTPBadRequest() from None


def html(text: str, status: int = 200) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html", headers={"Cache-Control": "no-store"})


def is_of_another_site(request: web.Request) -> bool:
    """Whether a browser sent the form from a page of another site. Browsers name the kind of the site to https and to this
    machine only, and the page's origin everywhere. Programs name neither."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site not in ("none", "same-origin")
    return origin is not None and origin.partition("://")[2] != request.host


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses forms of other sites, loads nothing from elsewhere, and tells failures in a page."""
    if request.method == "POST" and is_of_another_site(request):
        return html(pages.problem("Refused", "This form belongs to another site."), 403)
    try:
        response = await handler(request)
    except web.HTTPNotFound:
        response = html(pages.problem("Nothing here", "There is no such page."), 404)
    except web.HTTPBadRequest:
        response = html(pages.problem("That did not work", "The form cannot be read."), 400)
    except msdk.MsdkError as error:
        logging.exception("%s %s", request.method, request.path)
        response = html(pages.problem("That did not work", f"{error}. Please try again."), 502)
    response.headers["Content-Security-Policy"] = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def account(folder: pathlib.Path, agency: str) -> dict[str, Any]:
    """The configuration of the university's wallet. The first start makes the wallet, and a mailbox at the agency."""
    key = private(folder / "wallet-key", lambda: secrets.token_urlsafe(32))
    config = folder / "config.json"
    if not config.exists():
        async with aiohttp.ClientSession(raise_for_status=True) as client, client.get(f"{agency}/agency") as answer:
            facts = await answer.json(content_type=None)
        wanted = {
            "agency_endpoint": agency, "agency_did": facts["DID"], "agency_verkey": facts["verKey"],
            "wallet_name": "university", "wallet_key": key, "storage_config": {"path": str(folder / "wallets")},
            "institution_name": "University of Example",
        }  # fmt: skip
        made = await msdk.provision(wanted)
        private(config, lambda: json.dumps({**made, "wallet_key": None}))
    return {**json.loads(config.read_text()), "wallet_key": key}


def private(file: pathlib.Path, make: Callable[[], str]) -> str:
    """The text in a file that only its owner can read; it is made if there is none. It is there whole or not at all."""
    if not file.exists():
        draft = file.with_suffix(".draft")
        with open(draft, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as writer:
            writer.write(make())
            writer.flush()
            os.fsync(writer.fileno())
        draft.rename(file)
    return file.read_text()


async def width_of(link: str) -> int:
    """The pixels for a link's QR code, four for each of its modules: cameras of telephones read it from a screen then."""
    found = re.search(r'viewBox="0 0 (\d+)', await msdk.qr_code(link))
    return 4 * int(found[1]) if found else 480


@contextlib.asynccontextmanager
async def served(application: web.Application, listener: socket.socket) -> AsyncIterator[None]:
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=2)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        yield
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def university(folder: pathlib.Path, agency: str, address: tuple[str, int], url: str | None) -> AsyncIterator[str]:
    """A university that works and serves its pages. Yields its URL."""
    registry = folder / "registry"
    with socket.create_server(address) as listener:
        url = url or "http://{}:{}".format(*listener.getsockname()[:2])
        config = await account(folder, agency)
        publishing = {"type": "file", "path": str(registry), "write": True, "tails_base_url": f"{url}/registry/tails/"}
        registries = {} if config.get("genesis_path") else {"anoncreds_registries": [publishing]}
        async with await msdk.Agent.open({**config, **registries}) as agent:
            async with Office(agent, folder, config["agency_endpoint"]) as office:
                async with served(Desk(office).application(registry), listener):
                    yield url


async def run(arguments: argparse.Namespace) -> None:
    """Serves until a signal tells it to end."""
    agency: str = arguments.agency.rstrip("/")
    folders = [folder.resolve() for folder in arguments.data]
    for folder in folders:
        (folder / "registry").mkdir(parents=True, exist_ok=True)
    if arguments.prepare:
        for folder in folders:
            await account(folder, agency)
        return
    ended = asyncio.Event()
    for kind in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(kind, ended.set)
    async with contextlib.AsyncExitStack() as stack:
        for number, (folder, url) in enumerate(itertools.zip_longest(folders, arguments.url or [])):
            address = (arguments.address, arguments.port and arguments.port + number)
            opened = await stack.enter_async_context(university(folder, agency, address, url))
            print(json.dumps({"endpoint": opened}), flush=True)
        await ended.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="An example of an issuer and verifier.")
    parser.add_argument("--agency", required=True, help="the URL of the agency that keeps the university's mailboxes")
    parser.add_argument(
        "--data", type=pathlib.Path, required=True, action="append",
        help="folder for the wallet, its key and the registry; once for each university")
    parser.add_argument("--prepare", action="store_true", help="make the wallet and the configuration, and end")
    parser.add_argument(
        "--url", action="append", help="the address that students and their wallets use, if it is another one; likewise")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    arguments = parser.parse_args()
    if len(arguments.url or []) > len(arguments.data):
        parser.error("there are more --url than --data")
    asyncio.run(run(arguments))


if __name__ == "__main__":
    main()
