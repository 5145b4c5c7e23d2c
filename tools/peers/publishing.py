"""The two parts of ACA-Py's admin API that publish schemas, definitions and revocations: for Indy's wallet, and for the wallet
that version 1 has for AnonCreds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Options = Mapping[str, Any]


class Admin(Protocol):
    """An agent, as its admin API sees it."""

    def call(self, method: str, path: str, body: Any = None, **query: str) -> Any: ...


class Publishing(Protocol):
    """The calls of an issuer that publishes objects."""

    form: str
    """The name of the credentials' format in the admin API."""
    wallet: str
    """The type of the wallet."""
    revoke: str
    """The path that revokes a credential."""

    def schema(self, agent: Admin, author: str, attributes: Sequence[str]) -> str: ...

    def definition(self, agent: Admin, author: str, schema: str, tag: str, options: Options) -> str: ...

    def registries(self, agent: Admin, definition: str) -> Any:
        """The definition's registries that are ready."""


class IndyPublishing:
    form, wallet, revoke = "indy", "askar", "/revocation/revoke"

    def schema(self, agent: Admin, author: str, attributes: Sequence[str]) -> str:
        body = {"schema_name": "degree", "schema_version": "1.0", "attributes": attributes}
        return str(agent.call("POST", "/schemas", body)["schema_id"])

    def definition(self, agent: Admin, author: str, schema: str, tag: str, options: Options) -> str:
        body = {"schema_id": schema, "tag": tag, **options}
        return str(agent.call("POST", "/credential-definitions", body)["credential_definition_id"])

    def registries(self, agent: Admin, definition: str) -> Any:
        query = {"cred_def_id": definition, "state": "active"}
        return agent.call("GET", "/revocation/registries/created", **query)["rev_reg_ids"]


class AnonCredsPublishing:
    form, wallet, revoke = "anoncreds", "askar-anoncreds", "/anoncreds/revocation/revoke"

    def schema(self, agent: Admin, author: str, attributes: Sequence[str]) -> str:
        schema = {"issuerId": author, "name": "degree", "version": "1.0", "attrNames": attributes}
        made = agent.call("POST", "/anoncreds/schema", {"schema": schema, "options": {}})
        return str(made["schema_state"]["schema_id"])

    def definition(self, agent: Admin, author: str, schema: str, tag: str, options: Options) -> str:
        definition = {"issuerId": author, "schemaId": schema, "tag": tag}
        body = {"credential_definition": definition, "options": options}
        made = agent.call("POST", "/anoncreds/credential-definition", body)
        return str(made["credential_definition_state"]["credential_definition_id"])

    def registries(self, agent: Admin, definition: str) -> Any:
        query = {"cred_def_id": definition, "state": "finished"}
        return agent.call("GET", "/anoncreds/revocation/registries", **query)["rev_reg_ids"]


OF_VERSION: dict[str, Publishing] = {"0.12": IndyPublishing(), "1.7": AnonCredsPublishing()}
