"""Runs the library in a process of its own, command by command: a JSON line in, a JSON line out.

The library's settings and wallet belong to the process, so every test has its own; and a process can be killed.
"""

from __future__ import annotations

import asyncio
import ctypes
import dataclasses
import json
import operator
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, TextIO

import msdk_vcx as msdk
from msdk_vcx._calls import call, call_now, text_of
from msdk_vcx._library import library
from msdk_vcx._table import CALLBACKS, FUNCTIONS


class Driver:
    """The commands. Connections, credentials and proofs are named by the test."""

    def __init__(self) -> None:
        self.connections: dict[str, msdk.Connection] = {}
        self.credentials: dict[str, msdk.Credential] = {}
        self.proofs: dict[str, msdk.Proof] = {}
        self.requests: dict[str, msdk.ProofRequest] = {}
        self.definitions: dict[str, msdk.CredentialDefinition] = {}
        self.issued: dict[str, msdk.IssuerCredential] = {}
        self.kept: dict[str, tuple[Any, dict[str, Any]]] = {
            "connection": (msdk.Connection, self.connections),
            "definition": (msdk.CredentialDefinition, self.definitions),
            "holder": (msdk.Credential, self.credentials),
            "issuer": (msdk.IssuerCredential, self.issued),
            "prover": (msdk.Proof, self.proofs),
            "verifier": (msdk.ProofRequest, self.requests),
        }
        """The class of each kind of objects, and those of the test."""
        self.heard: list[Any] = []
        self.listening: asyncio.Future[None]

    async def provision(self, config: Any, token: Any = None) -> Any:
        return await msdk.provision(config, token)

    async def get_token(self, config: Any, sponsee: str, sponsor: str) -> Any:
        return await msdk.get_provision_token(config, sponsee, sponsor)

    async def hear_by(self, id: str, value: str, method: int) -> None:
        await msdk.agent_update_info(id, value, msdk.ComMethod(method))

    async def own_messages(self) -> Any:
        return await msdk.messages.download_own(msdk.MessageStatus.RECEIVED)

    async def follow(self, notification: str) -> Any:
        announced = await msdk.parse_push(notification)
        return [dataclasses.asdict(each) for each in await announced.download()]

    async def init(self, config: Any) -> None:
        await msdk.init(config)

    async def resolve(self, url: str) -> Any:
        return await msdk.resolve_message_by_url(url)

    async def create(self, name: str, invitation: Any) -> None:
        self.connections[name] = await msdk.Connection.accept(invitation, name)

    async def invite(self, name: str, out_of_band: bool, more: Any) -> None:
        """The inviter's side; the invitation is made by `connect`."""
        cls = msdk.Connection
        self.connections[name] = await (cls.create(name, **more) if out_of_band else cls.create_older(name))

    async def connect(self, name: str, options: Any = None) -> Any:
        return await self.connections[name].connect(options)

    async def accept(self, name: str, invitation: Any) -> str:
        self.connections[name], text = await msdk.Connection.accept_connection_invite(name, invitation)
        return text

    async def update(self, name: str) -> int:
        return await self.connections[name].update_state()

    async def update_with(self, name: str, text: str) -> int:
        return await self.connections[name].update_state_with_message(text)

    async def state(self, name: str) -> int:
        return await self.connections[name].state()

    async def handle(self, name: str) -> int:
        """For the functions of the C API that take a connection."""
        return self.connections[name]._handle

    async def details(self, name: str) -> Any:
        return await self.connections[name].invite_details()

    async def pw_did(self, name: str) -> str:
        return await self.connections[name].pw_did()

    async def serialize(self, name: str) -> str:
        return await self.connections[name].serialize()

    async def deserialize(self, name: str, text: str) -> None:
        self.connections[name] = await msdk.Connection.deserialize(text)

    async def ping(self, name: str, comment: str) -> None:
        await self.connections[name].send_ping(comment)

    async def send(self, name: str, message: Any) -> str:
        return await self.connections[name].send_message(message)

    async def redirect(self, name: str, existing: str) -> None:
        await self.connections[name].redirect(self.connections[existing])

    async def sign(self, name: str, data: str) -> str:
        return (await self.connections[name].sign_data(data.encode())).hex()

    async def verify(self, name: str, data: str, signature: str) -> bool:
        return await self.connections[name].verify_signature(data.encode(), bytes.fromhex(signature))

    async def do(self, name: str, method: str, *arguments: Any) -> Any:
        """Any other method of a connection."""
        return await getattr(self.connections[name], method)(*arguments)

    async def take_offer(self, name: str, connection: str, uid: str) -> int:
        self.credentials[name] = await msdk.Credential.from_message(self.connections[connection], uid)
        return await self.credentials[name].state()

    async def credential(self, name: str, method: str, *arguments: Any) -> Any:
        """Any method of a credential."""
        return await self._do(self.credentials[name], method, *arguments)

    async def propose(self, name: str, connection: str, attributes: Any, definition: str, form: Any) -> None:
        """Proposes a credential of a definition to its issuer."""
        filter = {"cred_def_id": definition}
        self.credentials[name] = await msdk.Credential.proposing(attributes, filter, "please", **form)
        await self.credentials[name].propose(self.connections[connection])

    async def counter(self, name: str, connection: str, attributes: Any, definition: str | None = None) -> None:
        """Answers an offer with a proposal of other values. ACA-Py 1.7 fails if it names no definition."""
        filter = {"cred_def_id": definition} if definition else None
        await self.credentials[name].propose_instead(self.connections[connection], attributes, filter)

    async def take_request(self, name: str, connection: str, uid: str) -> int:
        self.proofs[name] = await msdk.Proof.from_message(self.connections[connection], uid)
        return await self.proofs[name].state()

    async def proof(self, name: str, method: str, *arguments: Any) -> Any:
        """Any method of a proof."""
        return await self._do(self.proofs[name], method, *arguments)

    async def choose_first(self, name: str, attested: dict[str, str]) -> Any:
        """Builds a proof from the first credentials that fit; returns the items that it answers with one."""
        selection = (await self.proofs[name].credentials()).first(attested)
        await self.proofs[name].generate(selection)
        return sorted(selection.choices)

    async def choose_any(self, name: str) -> None:
        """Builds a proof from the first credentials that fit, also revoked ones."""
        found = await self.proofs[name].credentials()
        await self.proofs[name].generate(
            msdk.Selection({item.referent: msdk.Choice(item.candidates[0]) for item in found})
        )

    async def request_proof(self, name: str, connection: str, wanted: list[Any]) -> None:
        self.requests[name] = await msdk.ProofRequest.create("Check", [msdk.Wanted(**each) for each in wanted])
        await self.requests[name].send(self.connections[connection])

    async def verdict(self, name: str, timeout: float) -> Any:
        return dataclasses.asdict(await self.requests[name].verdict(timeout))

    async def shown(self, name: str) -> Any:
        return dataclasses.asdict(await self.requests[name].shown())

    async def create_web_did(self, place: str) -> str:
        return await msdk.create_web_did(place)

    async def define(self, name: str, attributes: list[str], more: Any, tag: str | None = None) -> str:
        """Publishes a schema and a definition, which is named like the schema."""
        with await msdk.Schema.create(name, "1.0", attributes) as schema:
            self.definitions[name] = await msdk.CredentialDefinition.create(await schema.id(), tag or name, **more)
        return await self.definitions[name].id()

    async def prepare(self, name: str, definition: str, values: Any) -> None:
        self.issued[name] = await msdk.IssuerCredential.create(self.definitions[definition], values, "Degree")

    async def take_proposal(self, name: str, message: Any) -> Any:
        """Takes up a holder's proposal, a message of the mailbox; returns what it proposes."""
        self.issued[name] = await msdk.IssuerCredential.from_proposal(json.loads(message["text"]))
        return dataclasses.asdict(await self.issued[name].proposal())

    async def plan(self, name: str, definition: str, values: Any) -> None:
        await self.issued[name].plan(self.definitions[definition], values, "Degree")

    async def issue(self, name: str, method: str, *arguments: Any) -> Any:
        """Any method of a credential that is issued."""
        return await self._do(self.issued[name], method, *arguments)

    async def restore(self, name: str, text: str) -> None:
        self.issued[name] = await msdk.IssuerCredential.deserialize(text)

    async def make(self, kind: str, name: str, method: str, arguments: list[Any], options: Any = None) -> str:
        """Makes an object of a kind by a class method; returns its text."""
        cls, objects = self.kept[kind]
        objects[name] = await getattr(cls, method)(*self._given(arguments), **(options or {}))
        return str(await objects[name].serialize())

    async def step(self, kind: str, name: str, method: str, *arguments: Any) -> tuple[int, str]:
        """Any method of an object; returns the state after it, and the object's text."""
        object = self.kept[kind][1][name]
        await getattr(object, method)(*self._given(arguments))
        return int(await object.state()), await object.serialize()

    async def tell(self, kind: str, name: str, method: str) -> Any:
        """The answer of a method of an object."""
        return await getattr(self.kept[kind][1][name], method)()

    async def forget(self, kind: str, name: str) -> None:
        self.kept[kind][1].pop(name).release()

    async def want(self, name: str, wanted: Any, form: Any) -> str:
        """Makes the request of a proof, with its message, and returns its text."""
        items = {item: msdk.Wanted(**each) for item, each in wanted.items()}
        self.requests[name] = await msdk.ProofRequest.create("Check", items, **form)
        await self.requests[name].message()
        return await self.requests[name].serialize()

    async def together(self, names: list[str], method: str, *arguments: Any) -> Any:
        """The same method of several credentials that are issued, all at once."""
        return await asyncio.gather(*(self.issue(name, method, *arguments) for name in names))

    async def calls(self, function: str, arguments: list[list[Any]]) -> Any:
        """Calls of one function of the C API, all at once."""
        return await asyncio.gather(*(call(function, *each) for each in arguments))

    async def time_beside_keys(self, connection: str) -> dict[str, float]:
        """The seconds for a ping, and for the keys of a definition that are made meanwhile."""
        begin, made = time.monotonic(), asyncio.ensure_future(self.define("aside", ["x"], {}))
        await asyncio.sleep(0.1)
        await self.connections[connection].send_ping("still here?")
        ping = time.monotonic() - begin
        await made
        return {"ping": ping, "keys": time.monotonic() - begin}

    async def _do(self, object: Any, method: str, *arguments: Any) -> Any:
        answer = await getattr(object, method)(*self._given(arguments))
        kinds = (msdk.CredentialInfo, msdk.Offer, msdk.Proposal)
        return dataclasses.asdict(answer) if isinstance(answer, kinds) else answer

    def _given(self, arguments: Any) -> list[Any]:
        """A connection among the arguments is `{"connection": NAME}`, a definition `{"definition": NAME}`."""

        def object(each: Any) -> Any:
            if not isinstance(each, dict) or len(each) != 1:
                return each
            ((kind, name),) = each.items()
            return self.kept[kind][1][name] if kind in ("connection", "definition") else each

        return [object(each) for each in arguments]

    async def accept_agreement(self) -> Any:
        """Accepts the agreement of the ledger, as a program does that shows it to its user."""
        agreement = await msdk.author_agreement()
        assert agreement is not None
        (mechanism,) = agreement.mechanisms
        agreement.accept(mechanism)
        return agreement.text, agreement.version

    async def library(self, function: str, *arguments: Any) -> Any:
        """Any other function of the package, such as "messages.get"."""
        answer = operator.attrgetter(function)(msdk)(*arguments)
        answer = await answer if asyncio.iscoroutine(answer) else answer
        return dataclasses.asdict(answer) if isinstance(answer, msdk.Message) else answer

    async def vcx(self, function: str, *arguments: Any) -> Any:
        """Any function of the C API, with texts and numbers as a C program gives them."""
        result, _, callback = FUNCTIONS[function]
        if callback is not None:
            return await call(function, *arguments)
        return text_of(function, *arguments) if result is ctypes.c_char_p else call_now(function, *arguments)

    async def cause_within(self, function: str, *arguments: Any) -> str:
        """The cause of the current error within the callback of a call that succeeds."""
        loop, shape = asyncio.get_running_loop(), FUNCTIONS[function][2]
        assert shape is not None
        told: asyncio.Future[str] = loop.create_future()

        def receive(_: int, code: int) -> None:
            cause = f"error {code}" if code else library().error(0).cause
            loop.call_soon_threadsafe(told.set_result, cause)

        callback = CALLBACKS[shape](receive)
        given = [each.encode() if isinstance(each, str) else each for each in arguments]
        assert library().function(function)(1, *given, callback) == 0
        return await told

    async def existing(self, invitation: Any, names: list[str]) -> Any:
        texts = [await self.connections[name].serialize() for name in names]
        found = await msdk.Connection.find_existing(invitation, texts)
        return found.index, found.same

    async def download(self, name: str, status: str | None) -> Any:
        dids = [await self.connections[name].pw_did()]
        wanted = None if status is None else msdk.MessageStatus(status)
        return [dataclasses.asdict(each) for each in await msdk.messages.download(wanted, pairwise_dids=dids)]

    async def listen(self) -> None:
        """Begins to note each message of any connection as it comes."""

        async def note() -> None:
            async for each in msdk.messages.listen():
                self.heard.append(dataclasses.asdict(each))

        self.listening = asyncio.ensure_future(note())

    async def keep_account(self, path: str, connection: str) -> None:
        """Begins to note each message in a file: when the library tells of it, and when it is marked as read. Pings of the
        connection are applied between."""

        async def note(file: TextIO) -> None:
            async for each in msdk.messages.listen("message", "ping"):
                text = each.content["comment" if each.kind == "ping" else "content"]
                file.write(f"told {each.uid} {text}\n")
                if each.kind == "ping":
                    await until_done(lambda: self.connections[connection].update_state_with_message(each))
                await until_done(lambda: msdk.messages.mark_read(each))
                file.write(f"read {each.uid} {text}\n")

        async def until_done(step: Callable[[], Awaitable[Any]]) -> None:
            """Repeats a step while the Cloud Agent is away."""
            while True:
                try:
                    await step()
                    return
                except msdk.VcxError as error:
                    print(error, file=sys.stderr, flush=True)
                    await asyncio.sleep(0.1)

        self.listening = asyncio.ensure_future(until_done(lambda: note(open(path, "a", buffering=1))))

    async def heard_so_far(self) -> Any:
        if self.listening.done():
            self.listening.result()
        return self.heard

    async def mark_read(self, message: Any) -> None:
        await msdk.messages.update_status([msdk.Message(**message)])

    async def add_record(self, type: str, id: str, value: str) -> None:
        await msdk.wallet.add_record(type, id, value)

    async def get_record(self, type: str, id: str) -> str:
        return (await msdk.wallet.get_record(type, id)).value

    async def update_record(self, type: str, id: str, value: str) -> None:
        await msdk.wallet.update_record_value(type, id, value)


async def answer(driver: Driver, line: str) -> Any:
    command, arguments = json.loads(line)
    try:
        return {"result": await getattr(driver, command)(*arguments)}
    except msdk.VcxError as error:
        return {"error": [error.code, error.cause]}


async def main() -> None:
    driver, loop = Driver(), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await answer(driver, line)), flush=True)
    msdk.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
