"""The university's office: it invites students, issues and revokes their diplomas, and verifies proofs of them.

Everything here works for one student at a time in a task of its own, and goes on after a restart where the student's file
in the wallet says. Nothing here knows of web pages.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import pathlib
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Self

import msdk_vcx as msdk

from student import Check, Diploma, Student

PATIENCE = 15 * 60.0
"""Seconds that a student has for each step."""

GRACE = 10.0
"""Seconds for the proof of a revoked diploma. A wallet that knows of the revocation has none to give, and may say nothing."""

LOOK = 1.0
"""Seconds between two looks at whether the diploma was revoked, while a proof is awaited."""

PAUSE = 5.0
"""Seconds before another attempt when the agency, or the student's, does not answer."""

RECENT = 5
"""The library takes graduates of so many years."""

log = logging.getLogger("university")


class Office:
    """The students and their exchanges. Use it in `async with`, inside of `msdk.session`."""

    def __init__(self, folder: pathlib.Path, endpoint: str) -> None:
        self.students: dict[str, Student] = {}
        self._folder, self._endpoint = folder, endpoint
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._definition = await self._define()
        self._definition_id = await self._definition.id()
        async for student in Student.all():
            self.students[student.id] = student
            self._go_on(student)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Ends all tasks. The next start goes on with the unfinished ones."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._definition.release()

    async def _define(self) -> msdk.CredentialDefinition:
        """The definition of the diplomas. At the first start it is made and published, which takes seconds."""
        try:
            known = await msdk.wallet.get_record("definition", "diploma")
            return await msdk.CredentialDefinition.deserialize(known.value)
        except msdk.WalletError:
            log.info("making the keys of the diplomas")
        with await msdk.Schema.create("diploma", "1.0", ["name", "degree", "year"]) as schema:
            schema_id = await schema.id()
        tails = str(self._folder / "tails")
        made = await msdk.CredentialDefinition.create(schema_id, "alumni", max_credentials=100, tails_folder=tails)
        await msdk.wallet.add_record("definition", "diploma", await made.serialize())
        return made

    # For a student

    async def enrol(self, name: str, degree: str, year: int) -> Student:
        """Makes an invitation for a student, who gets the diploma once the wallet has accepted it."""
        student = Student(name, degree, year)
        goal = "To get your diploma"
        with await msdk.Connection.create(student.id, goal_code="issue-vc", goal=goal) as connection:
            invitation = await connection.connect()
            student.link = f"{self._endpoint}?oob={encoded(invitation)}"
            student.connection = await connection.serialize()
        await student.add()
        self.students[student.id] = student
        self._go_on(student)
        return student

    async def ask(self, student: Student) -> None:
        """Asks for a proof of a diploma that is valid now, and from the last years. The year itself stays with the student."""
        if student.diploma not in (Diploma.ISSUED, Diploma.REVOKED) or student.check is Check.ASKED:
            return
        student.check = Check.ASKED  # at once, for a second click while the request is on its way
        try:
            await self._request(student)
        except msdk.MsdkError:
            student.check = Check.NONE
            raise
        await student.keep()
        self._go_on(student)

    async def _request(self, student: Student) -> None:
        ours = [{"cred_def_id": self._definition_id}]
        recent = msdk.WantedPredicate("year", ">=", time.localtime().tm_year - RECENT, ours)
        now = int(time.time())
        with await msdk.ProofRequest.create(
            "Access to the library", [msdk.Wanted(["name", "degree"], ours)], [recent], {"to": now}
        ) as request:
            with await msdk.Connection.deserialize(student.connection) as connection:
                await request.send(connection)
            student.request, student.reason = await request.serialize(), ""

    async def revoke(self, student: Student) -> None:
        """Revokes the diploma, publishes that, and tells the student's wallet."""
        if student.diploma is not Diploma.ISSUED:
            return
        with await msdk.IssuerCredential.deserialize(student.credential) as credential:
            await credential.revoke()
            student.credential, student.diploma = await credential.serialize(), Diploma.REVOKED
        await student.keep()

    # The tasks

    def _go_on(self, student: Student) -> None:
        """Begins the task that the student's file asks for, if any."""
        if student.diploma in (Diploma.INVITED, Diploma.OFFERED, Diploma.REQUESTED):
            self._begin(self._repeat(self._issue, student))
        elif student.check is Check.ASKED:
            self._begin(self._repeat(self._verify, student))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _repeat(self, work: Callable[[Student], Awaitable[None]], student: Student) -> None:
        """Does the work, and begins again at the last step when the network fails. Any other failure ends it."""
        while True:
            try:
                return await work(student)
            except (msdk.NetworkError, msdk.LedgerError) as error:
                log.warning("%s: tries again: %s", student.id, error)
                await asyncio.sleep(PAUSE)
            except (msdk.MsdkError, asyncio.TimeoutError) as error:
                log.warning("%s: %r", student.id, error)
                return await self._end(student, reason_of(error, student))

    async def _issue(self, student: Student) -> None:
        """Waits for the student's wallet, and issues the diploma. Each step that is done is in the student's file."""
        with await msdk.Connection.deserialize(student.connection) as connection:
            await connection.completed(timeout=PATIENCE)
            student.connection = await connection.serialize()
            with await self._credential(student) as credential:
                if student.diploma is Diploma.INVITED:
                    await credential.offer(connection)
                    await self._keep(student, Diploma.OFFERED, credential)
                if student.diploma is Diploma.OFFERED:
                    await credential.requested(timeout=PATIENCE)
                    await self._keep(student, Diploma.REQUESTED, credential)
                await credential.issue()
                await self._keep(student, Diploma.ISSUED, credential)

    async def _credential(self, student: Student) -> msdk.IssuerCredential:
        """The diploma as it is in the student's file, or a new one. A new one is kept before it is offered, because the
        wallet remembers the offer by it: a process that ends in between offers the same diploma again, not a second one."""
        if student.credential:
            return await msdk.IssuerCredential.deserialize(student.credential)
        credential = await msdk.IssuerCredential.create(self._definition, student.values, "Diploma")
        await self._keep(student, student.diploma, credential)
        return credential

    async def _keep(self, student: Student, diploma: Diploma, credential: msdk.IssuerCredential) -> None:
        student.diploma, student.credential = diploma, await credential.serialize()
        await student.keep()

    async def _verify(self, student: Student) -> None:
        """Waits for the proof. A wallet without a valid diploma declines, or sends a proof that is not verified."""
        with await msdk.ProofRequest.deserialize(student.request) as request:
            verdict = await self._verdict(request, student)
            if verdict:
                shown = (await request.shown()).revealed["attribute_0"]
                student.check, student.reason = Check.PASSED, f"{shown['name']}, {shown['degree']}"
            else:
                student.check, student.reason = Check.REFUSED, "; ".join(each.text for each in verdict.reasons)
        student.request = ""
        await student.keep()

    async def _verdict(self, request: msdk.ProofRequest, student: Student) -> msdk.Verdict:
        """Waits for the proof, and less long from the revocation of the diploma on."""
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                return await request.verdict(timeout=LOOK)
            except asyncio.TimeoutError:
                if student.diploma is Diploma.REVOKED:
                    ends = min(ends, time.monotonic() + GRACE)
                if time.monotonic() > ends:
                    raise

    async def _end(self, student: Student, reason: str) -> None:
        """Notes why an exchange has ended. A student without a diploma needs no mailbox any more."""
        student.reason = reason
        if student.check is Check.ASKED:
            student.check, student.request = Check.REFUSED, ""
        else:
            student.diploma = Diploma.ENDED
            with contextlib.suppress(msdk.MsdkError):
                await (await msdk.Connection.deserialize(student.connection)).delete()
        await student.keep()


def reason_of(error: Exception, student: Student) -> str:
    """The end of an exchange, in words for the student."""
    if student.diploma is Diploma.REVOKED:
        return "your diploma was revoked"
    if isinstance(error, asyncio.TimeoutError):
        return "the wallet did not answer in time"
    return "the wallet declined" if isinstance(error, msdk.EndedError) else str(error)


def encoded(invitation: dict[str, Any] | None) -> str:
    """An invitation as it stands in a URL (RFC 0434)."""
    return base64.urlsafe_b64encode(json.dumps(invitation, separators=(",", ":")).encode()).decode().rstrip("=")
