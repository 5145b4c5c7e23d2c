"""The university's office: it invites students, issues and revokes their diplomas, and verifies proofs of them.

Everything here works for one student at a time in a task of its own. The wallet keeps the connections and the exchanges, so a
task goes on after a restart where their states say. Nothing here knows of web pages.
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
from typing import Any, Self, TypeVar

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

Kept = TypeVar("Kept")


class Office:
    """The students of one university, and their exchanges. Use it in `async with`."""

    def __init__(self, agent: msdk.Agent, folder: pathlib.Path, endpoint: str) -> None:
        self.students: dict[str, Student] = {}
        self._agent, self._folder, self._endpoint = agent, folder, endpoint
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._definition = await self._agent.CredentialDefinition.kept("diploma") or await self._define()
        self._definition_id = await self._definition.id()
        async for student in Student.all(self._agent.wallet):
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
        """Makes and publishes the definition of the diplomas, which takes seconds."""
        log.info("making the keys of the diplomas")
        with await self._agent.Schema.create("diploma", "1.0", ["name", "degree", "year"]) as schema:
            schema_id = await schema.id()
        tails = str(self._folder / "tails")
        return await self._agent.CredentialDefinition.create(
            schema_id, "alumni", source_id="diploma", max_credentials=100, tails_folder=tails)

    # For a student

    async def enrol(self, name: str, degree: str, year: int) -> Student:
        """Makes an invitation for a student, who gets the diploma once the wallet has accepted it."""
        student = Student(name, degree, year)
        goal = "To get your diploma"
        with await self._agent.Connection.create(student.id, goal_code="issue-vc", goal=goal) as connection:
            student.link = f"{self._endpoint}?oob={encoded(await connection.connect())}"
        await student.add(self._agent.wallet)
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
        await self._note(student)
        self._go_on(student)

    async def _request(self, student: Student) -> None:
        ours = [{"cred_def_id": self._definition_id}]
        recent = msdk.WantedPredicate("year", ">=", time.localtime().tm_year - RECENT, ours)
        wanted, now = [msdk.Wanted(["name", "degree"], ours)], {"to": int(time.time())}
        with await self._agent.ProofRequest.create(
            "Access to the library", wanted, [recent], now, source_id=student.id
        ) as request, await self._connection(student) as connection:
            await request.send(connection)
        student.reason = ""

    async def revoke(self, student: Student) -> None:
        """Revokes the diploma, publishes that, and tells the student's wallet."""
        if student.diploma is not Diploma.ISSUED:
            return
        with await self._credential(student) as credential:
            await credential.revoke()
        await self._note(student, Diploma.REVOKED)

    # The student's objects, as the wallet keeps them

    async def _connection(self, student: Student) -> msdk.Connection:
        return found(await self._agent.Connection.kept(student.id))

    async def _credential(self, student: Student) -> msdk.IssuerCredential:
        """The diploma, or a new one."""
        kept = await self._agent.IssuerCredential.kept(student.id)
        return kept or await self._agent.IssuerCredential.create(
            self._definition, student.values, "Diploma", source_id=student.id)

    async def _note(self, student: Student, diploma: Diploma | None = None) -> None:
        student.diploma = diploma or student.diploma
        await student.note(self._agent.wallet)

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
        """Waits for the student's wallet, and issues the diploma. Does the steps that its state still asks for."""
        with await self._connection(student) as connection:
            await connection.completed(timeout=PATIENCE)
            with await self._credential(student) as credential:
                if await credential.state() is msdk.IssuerState.CREATED:
                    await credential.offer(connection)
                await self._note(student, Diploma.OFFERED)
                if await credential.state() is msdk.IssuerState.OFFERED:
                    await credential.requested(timeout=PATIENCE)
                await self._note(student, Diploma.REQUESTED)
                if await credential.state() is msdk.IssuerState.REQUESTED:
                    await credential.issue()
                await self._note(student, Diploma.ISSUED)

    async def _verify(self, student: Student) -> None:
        """Waits for the proof. A wallet without a valid diploma declines, or sends a proof that is not verified."""
        with found(await self._agent.ProofRequest.kept(student.id)) as request:
            verdict = await self._verdict(request, student)
            if verdict:
                shown = (await request.shown()).revealed["attribute_0"]
                student.check, student.reason = Check.PASSED, f"{shown['name']}, {shown['degree']}"
            else:
                student.check, student.reason = Check.REFUSED, "; ".join(each.text for each in verdict.reasons)
        await self._note(student)
        await self._forget_requests(student)

    async def _forget_requests(self, student: Student) -> None:
        """Deletes what the student has shown: the university does not need it any more."""
        for each in await self._agent.kept_objects("proof", source_id=student.id):
            await self._agent.delete_object(each.id)

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
            student.check = Check.REFUSED
            await self._note(student)
            return await self._forget_requests(student)
        await self._note(student, Diploma.ENDED)
        with contextlib.suppress(msdk.MsdkError):
            await (await self._connection(student)).delete()


def found(kept: Kept | None) -> Kept:
    """An object that the wallet keeps since an earlier step."""
    if kept is None:
        raise msdk.MsdkError("the wallet does not keep the object of an earlier step")
    return kept


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
