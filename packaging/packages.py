"""Debian's packages without installing them: apt with a state of its own, which needs no root, changes nothing on the machine,
and checks Debian's signatures."""

from __future__ import annotations

import glob
import pathlib
import subprocess
import sys
from collections.abc import Sequence

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


def run(*words: object, cwd: pathlib.Path | None = None) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run([*map(str, words)], cwd=cwd, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"packages: {' '.join(map(str, words))[:200]}:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


class Apt:
    """apt with a state of its own, in which nothing is installed."""

    def __init__(self, folder: pathlib.Path, architecture: str = "", suite: str = "") -> None:
        """The packages of this machine's Debian and architecture, or of others."""
        self.folder, self.archives = folder, folder / "cache" / "archives"
        for each in (folder / "lists" / "partial", self.archives / "partial"):
            each.mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        (folder / "sources.list").write_text("".join(self._sources(suite)))
        settings = [
            f"Dir::Etc::sourcelist={folder}/sources.list", "Dir::Etc::sourceparts=/dev/null", f"Dir::State={folder}",
            f"Dir::State::lists={folder}/lists", f"Dir::State::status={folder}/status", f"Dir::Cache={folder}/cache",
            "Debug::NoLocking=1", "APT::Sandbox::User=", "APT::Install-Recommends=0",
            *([f"APT::Architecture={architecture}", f"APT::Architectures={architecture}"] if architecture else []),
        ]  # fmt: skip
        self._options = ["--quiet", *(word for each in settings for word in ("-o", each))]
        self.get("update")

    @staticmethod
    def _sources(suite: str) -> list[str]:
        """The places from which this machine gets Debian's packages; the sources are there, too."""
        form = ("--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages", "Origin: Debian")
        places = sorted({each for each in run("apt-get", "indextargets", *form).splitlines() if "backports" not in each})
        if not places:
            sys.exit("packages: apt knows no packages of Debian: run apt-get update")
        if suite:
            place, _, component = next(each for each in places if "security" not in each).split()
            places = [f"{place} {suite} {component}"]
        return [f"{kind} [signed-by={KEYS}] {place}\n" for place in places for kind in ("deb", "deb-src")]

    def get(self, *words: str, cwd: pathlib.Path | None = None) -> str:
        return run("apt-get", *self._options, *words, cwd=cwd)

    def packages(self, names: Sequence[str]) -> list[pathlib.Path]:
        """The newest packages of these names, with their dependencies."""
        planned = self.get("install", "--simulate", "--yes", *names).splitlines()
        self.get("install", "--download-only", "--yes", *names)
        words = [line.split() for line in planned if line.startswith("Inst ")]
        starts = [f"{each[1]}_{each[2].lstrip('(').replace(':', '%3a')}_" for each in words]
        return [next(self.archives.glob(f"{glob.escape(start)}*.deb")) for start in starts]

    def package(self, name: str) -> pathlib.Path:
        """The newest package of a name alone."""
        self.get("download", name, cwd=self.archives)
        return max(self.archives.glob(f"{name}_*.deb"), key=lambda file: file.stat().st_mtime)

    def source(self, name: str) -> tuple[str, pathlib.Path]:
        """The version of the newest source package, and its description."""
        lines = self.get("source", "--print-uris", name).splitlines()
        files = [line.split()[1] for line in lines if line.startswith("'")]
        description = next(each for each in files if each.endswith(".dsc"))
        self.get("source", "--download-only", name, cwd=self.folder)
        return description.removesuffix(".dsc").partition("_")[2], self.folder / description
