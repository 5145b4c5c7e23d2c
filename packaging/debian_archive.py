"""Debian's packages, from the places from which this machine gets its own: also newer ones, and those of another architecture."""

from __future__ import annotations

import glob
import pathlib
import subprocess
import sys

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


def run(*words: object, cwd: pathlib.Path | None = None) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run([*map(str, words)], cwd=cwd, text=True, capture_output=True)
    if done.returncode:
        program = pathlib.Path(sys.argv[0]).name
        sys.exit(f"{program}: {' '.join(map(str, words))[:200]}:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def places(suite: str | None = None) -> list[str]:
    """The address, suite and component of each place; with a suite, its only place, on the machine's mirror."""
    form = ("--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages", "Origin: Debian")
    found = sorted({each for each in run("apt-get", "indextargets", *form).splitlines() if "backports" not in each})
    if not found:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: apt knows no packages of Debian: run apt-get update")
    mirror = next((each.split()[0] for each in found if "-" not in each.split()[1]), "")
    return [f"{mirror} {suite} main"] if suite else found


class Apt:
    """apt with a state of its own in `folder`, in which nothing is installed. It needs no root, changes nothing on the machine,
    and checks Debian's signatures."""

    def __init__(self, folder: pathlib.Path, architecture: str | None = None, suite: str | None = None) -> None:
        self.folder, self.archives = folder, folder / "cache" / "archives"
        for each in (folder / "lists" / "partial", self.archives / "partial"):
            each.mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        sources = [f"{kind} [signed-by={KEYS}] {place}\n" for place in places(suite) for kind in ("deb", "deb-src")]
        (folder / "sources.list").write_text("".join(sources))
        settings = [
            f"Dir::Etc::sourcelist={folder}/sources.list", "Dir::Etc::sourceparts=/dev/null", f"Dir::State={folder}",
            f"Dir::State::lists={folder}/lists", f"Dir::State::status={folder}/status", f"Dir::Cache={folder}/cache",
            "Debug::NoLocking=1", "APT::Sandbox::User=", "APT::Install-Recommends=0",
        ]  # fmt: skip
        if architecture:
            settings += [f"APT::Architecture={architecture}", f"APT::Architectures={architecture}"]
        self._options = ["--quiet", *(word for each in settings for word in ("-o", each))]
        self.get("update")

    def get(self, *words: str, cwd: pathlib.Path | None = None) -> str:
        return run("apt-get", *self._options, *words, cwd=cwd)

    def packages(self, *names: str) -> list[pathlib.Path]:
        """The newest packages of these names, with their dependencies."""
        planned = self.get("install", "--simulate", "--yes", *names).splitlines()
        self.get("install", "--download-only", "--yes", *names)
        words = [line.split() for line in planned if line.startswith("Inst ")]
        starts = [f"{each[1]}_{each[2].lstrip('(').replace(':', '%3a')}_" for each in words]
        return [next(self.archives.glob(f"{glob.escape(start)}*.deb")) for start in starts]

    def package(self, name: str) -> pathlib.Path:
        """The newest package of this name, without its dependencies."""
        file = self.get("download", "--print-uris", name).split()[1]
        self.get("download", name, cwd=self.archives)
        return self.archives / file

    def source(self, name: str) -> tuple[str, pathlib.Path]:
        """The version of the newest source package, and its description."""
        lines = self.get("source", "--print-uris", name).splitlines()
        files = [line.split()[1] for line in lines if line.startswith("'")]
        description = next(each for each in files if each.endswith(".dsc"))
        self.get("source", "--download-only", name, cwd=self.folder)
        return description.removesuffix(".dsc").partition("_")[2], self.folder / description
