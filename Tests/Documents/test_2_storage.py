"""State machines that are kept as text, and the wallet's records with their tags."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from agency import ROOT, Agency
from app import RAW_KEY, App
from samples import CONNECTION_INVITATION

CHAPTER = "2 Storage"
RECORD_EXISTS, NO_RECORD, NO_SUCH_SEARCH = 1072, 1073, 1057
OF_THE_LIBRARY = "Indy::Key"


def tags_of(app: App, id: str) -> Any:
    return app.given("wallet_get_record", "TestType", id, {"retrieveTags": True})["tags"]


def found(app: App, query: Any, options: Any) -> Any:
    """The first page of a search, which is closed again."""
    search = app.vcx("wallet_open_search", "TestType", query, options)
    page = app.given("wallet_search_next_records", search, 10)
    app.vcx("wallet_close_search", search)
    return page


def test_a_state_machine_becomes_text_and_comes_back_under_a_new_handle(app: App) -> None:
    handle = app.vcx("connection_create_with_invite", "acme", CONNECTION_INVITATION)
    text = app.vcx("connection_serialize", handle)
    app.vcx("connection_release", handle)
    again = app.vcx("connection_deserialize", text)
    assert again != handle
    assert app.vcx("connection_serialize", again) == text


def test_a_step_changes_the_text_that_the_app_keeps(app: App) -> None:
    handle = app.vcx("connection_create", "acme")
    before = app.vcx("connection_serialize", handle)
    app.vcx("connection_connect", handle, {})
    assert app.vcx("connection_serialize", handle) != before


def test_private_keys_cannot_be_read(app: App) -> None:
    assert app.refusal("wallet_open_search", OF_THE_LIBRARY, {}, {}).code == 1067
    assert app.refusal("wallet_get_record", OF_THE_LIBRARY, app.config["sdk_to_remote_verkey"], {}).code == 1067


def types_in(app: App) -> dict[str, int]:
    """The types of all records, and how many there are of each, as `msdk wallet` lists them."""
    environment = {"HOME": str(app.home), "MSDK_WALLET_KEY": RAW_KEY}
    command = [str(ROOT / ".build" / "release" / "msdk-cli"), "wallet", "list", "app", "--derivation", "RAW"]
    listed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    return {type: int(count) for count, type in (line.split() for line in listed.splitlines())}


def test_the_link_secret_is_made_once(app: App, agency: Agency) -> None:
    assert types_in(app)["Indy::MasterSecret"] == 1
    app.vcx("shutdown", False)
    app.begin(agency.provisioning())
    assert types_in(app)["Indy::MasterSecret"] == 1


def test_add_a_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {})
    assert app.given("wallet_get_record", "TestType", "RecordId", {})["value"] == "RecordValue"


def test_type_and_id_name_one_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {})
    assert app.refusal("wallet_add_record", "TestType", "RecordId", "another", {}).code == RECORD_EXISTS
    app.vcx("wallet_add_record", "AnotherType", "RecordId", "another", {})


def test_update_the_value_of_a_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {"Tag1": "value1"})
    app.vcx("wallet_update_record_value", "TestType", "RecordId", "NewValue")
    record = app.given("wallet_get_record", "TestType", "RecordId", {"retrieveTags": True})
    assert (record["value"], record["tags"]) == ("NewValue", {"Tag1": "value1"})


def test_get_the_parts_of_a_record_that_the_options_name(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {"Tag1": "value1"})
    options = {"retrieveType": True, "retrieveValue": True, "retrieveTags": True}
    whole = {"type": "TestType", "id": "RecordId", "value": "RecordValue", "tags": {"Tag1": "value1"}}
    assert app.given("wallet_get_record", "TestType", "RecordId", options) == whole
    least = {"retrieveType": False, "retrieveValue": False, "retrieveTags": False}
    parts = {"type": None, "id": "RecordId", "value": None, "tags": None}
    assert app.given("wallet_get_record", "TestType", "RecordId", least) == parts


def test_delete_a_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {})
    app.vcx("wallet_delete_record", "TestType", "RecordId")
    assert app.refusal("wallet_get_record", "TestType", "RecordId", {}).code == NO_RECORD


def test_add_tags_to_a_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {"Tag1": "old"})
    app.vcx("wallet_add_record_tags", "TestType", "RecordId", {"Tag1": "value1", "Tag2": "value2"})
    assert tags_of(app, "RecordId") == {"Tag1": "value1", "Tag2": "value2"}


def test_update_the_tags_of_a_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {"Tag0": "value0"})
    app.vcx("wallet_update_record_tags", "TestType", "RecordId", {"Tag1": "value1", "Tag2": "value2"})
    assert tags_of(app, "RecordId") == {"Tag1": "value1", "Tag2": "value2"}


def test_delete_tags_from_a_record(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {"Tag1": "a", "Tag2": "b", "Tag3": "c"})
    app.vcx("wallet_delete_record_tags", "TestType", "RecordId", ["Tag1", "Tag2"])
    assert tags_of(app, "RecordId") == {"Tag3": "c"}


@pytest.mark.parametrize("prefix", ["", "~"], ids=["encrypted", "unencrypted"])
def test_search_by_the_query_of_the_documents(app: App, prefix: str) -> None:
    text, number = f"{prefix}tagName2", f"{prefix}tagName3"
    query = {"tagName": "tagValue", "$or": {text: {"$regex": "pattern"}, number: {"$gte": 123}}}
    for id, tags in (
        ("both", {"tagName": "tagValue", text: "a pattern", number: "200"}),
        ("text", {"tagName": "tagValue", text: "a pattern", number: "99"}),
        ("number", {"tagName": "tagValue", text: "none", number: "123"}),
        ("neither", {"tagName": "tagValue", text: "none", number: "13"}),
        ("other", {"tagName": "another", text: "a pattern", number: "200"}),
    ):
        app.vcx("wallet_add_record", "TestType", id, "RecordValue", tags)
    page = found(app, query, {})
    assert sorted(record["id"] for record in page["records"]) == ["both", "number", "text"]


def test_a_search_brings_the_parts_that_its_options_name(app: App) -> None:
    app.vcx("wallet_add_record", "TestType", "RecordId", "RecordValue", {"Tag1": "value1"})
    without = found(app, {}, {"retrieveTags": True})
    assert without == {
        "totalCount": None, "records": [{"type": None, "id": "RecordId", "value": "RecordValue", "tags": {"Tag1": "value1"}}]
    }
    counted = found(app, {}, {"retrieveRecords": False, "retrieveTotalCount": True})
    assert counted == {"totalCount": 1, "records": None}
    whole = found(app, {}, {"retrieveType": True, "retrieveTotalCount": True})
    assert (whole["totalCount"], whole["records"][0]["type"]) == (1, "TestType")


def test_fetch_the_next_records_until_there_are_none(app: App) -> None:
    for number in range(5):
        app.vcx("wallet_add_record", "TestType", str(number), "RecordValue", {})
    search = app.vcx("wallet_open_search", "TestType", {}, {})
    pages = [app.given("wallet_search_next_records", search, 3)["records"] for _ in range(3)]
    assert [len(page or []) for page in pages] == [3, 2, 0]


def test_close_a_search(app: App) -> None:
    search = app.vcx("wallet_open_search", "TestType", {}, {})
    app.vcx("wallet_close_search", search)
    assert app.refusal("wallet_search_next_records", search, 1).code == NO_SUCH_SEARCH


def test_records_are_there_in_the_next_run(app: App) -> None:
    stored = {"pwDid": "1", "serialized": "{}", "name": "Acme", "logo": "", "timestamp": 1, "status": "pending"}
    app.vcx("wallet_add_record", "connection", "1", json.dumps(stored), {})
    app.restart()
    assert json.loads(app.given("wallet_get_record", "connection", "1", {})["value"]) == stored
