"""The engines for credentials that the package finds in installed distributions."""

from __future__ import annotations

import os
import pathlib

import pytest

from msdk_vcx import _library


@pytest.fixture
def distribution(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An installed distribution `anoncreds`; the path of its library."""
    package = tmp_path / "site" / "anoncreds"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('nobody imports it')")
    (package / "libanoncreds.so").write_bytes(b"")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(os, "environ", {})
    return package / "libanoncreds.so"


def test_an_installed_engine_is_named(distribution: pathlib.Path, tmp_path: pathlib.Path) -> None:
    _library._name_engines(tmp_path)
    assert os.environ["MSDK_ANONCREDS_LIB"] == str(distribution)


def test_the_environment_comes_first(distribution: pathlib.Path, tmp_path: pathlib.Path) -> None:
    os.environ["MSDK_ANONCREDS_LIB"] = "/elsewhere"
    _library._name_engines(tmp_path)
    assert os.environ["MSDK_ANONCREDS_LIB"] == "/elsewhere"


def test_an_engine_beside_the_library_comes_first(distribution: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "libanoncreds.so").write_bytes(b"")
    _library._name_engines(tmp_path)
    assert "MSDK_ANONCREDS_LIB" not in os.environ
