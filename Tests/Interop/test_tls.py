"""Trusted and untrusted certificates: real ones, of an authority that is the test's own."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

from authority import Authority, Site

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESOLVE = """
import asyncio, sys, msdk_vcx as msdk
try:
    print(asyncio.run(msdk.resolve_message_by_url(sys.argv[1])))
except msdk.VcxError as error:
    print(error.code, error.cause)
"""
PROVISION = """
import asyncio, json, sys, msdk_vcx as msdk
try:
    asyncio.run(msdk.provision(json.loads(sys.argv[1])))
except msdk.VcxError as error:
    print(error.code, error.cause)
"""
RESOLVED = "{'@id': '1'}\n"
OWN_ADDRESS = "IP:127.0.0.1"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


def run(program: str, argument: str, trusted: pathlib.Path | None = None) -> str:
    """The output of the program, in a process whose environment names the authority or none."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python")}
    environment.pop("SSL_CERT_FILE", None)
    if trusted:
        environment["SSL_CERT_FILE"] = str(trusted)
    ended = subprocess.run(
        [sys.executable, "-c", program, argument], env=environment, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_authority_that_the_environment_names_is_trusted(authority: Authority) -> None:
    with Site(authority.certificate(OWN_ADDRESS)) as site:
        assert run(RESOLVE, site.url, trusted=authority.file) == RESOLVED


def test_an_unknown_authority_is_not_trusted(authority: Authority) -> None:
    with Site(authority.certificate(OWN_ADDRESS)) as site:
        told = run(RESOLVE, site.url)
    assert told.startswith("1013 ") and site.url.rstrip("/") in told and "certificate" in told


def test_an_expired_certificate_is_not_trusted(authority: Authority) -> None:
    with Site(authority.certificate(OWN_ADDRESS, end="20210101000000Z")) as site:
        assert "expired" in run(RESOLVE, site.url, trusted=authority.file)


def test_a_certificate_for_another_host_is_not_trusted(authority: Authority) -> None:
    with Site(authority.certificate("DNS:other.example")) as site:
        told = run(RESOLVE, site.url, trusted=authority.file)
    assert told.startswith("1013 ") and "subject" in told


def test_no_redirect_leads_out_of_tls(authority: Authority) -> None:
    with Site(None) as open_site, Site(authority.certificate(OWN_ADDRESS), location=open_site.url) as site:
        assert "from https to http" in run(RESOLVE, site.url, trusted=authority.file)


def test_a_redirect_into_tls_is_followed(authority: Authority) -> None:
    with Site(authority.certificate(OWN_ADDRESS)) as site, Site(None, location=site.url) as open_site:
        assert run(RESOLVE, open_site.url, trusted=authority.file) == RESOLVED


@pytest.mark.parametrize("is_named", [True, False])
def test_the_configuration_names_the_authority(authority: Authority, tmp_path: pathlib.Path, is_named: bool) -> None:
    with Site(authority.certificate(OWN_ADDRESS)) as site:
        config = {
            "agency_endpoint": site.url.rstrip("/"), "agency_did": "SnTKP3E2D6Y8zE4p62Le3n",
            "agency_verkey": "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR", "wallet_name": "alice",
            "wallet_key": "key", "storage_config": {"path": str(tmp_path)},
        }
        if is_named:
            config["ca_file"] = str(authority.file)
        told = run(PROVISION, json.dumps(config))
    # Whether TLS was established shows in the error: the site is no agency.
    assert ("certificate" in told) is not is_named and told.startswith("10")


def test_an_authority_that_cannot_be_read_is_refused_at_once(tmp_path: pathlib.Path) -> None:
    config = {"wallet_key": "key", "agency_endpoint": "https://127.0.0.1", "ca_file": str(tmp_path / "none.pem")}
    assert run(PROVISION, json.dumps(config)).startswith("1004 ")
