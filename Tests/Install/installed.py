"""Shared by the scripts of this directory: commands with their output, the programs of the C guide, an installed agency."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "peers"))

from agency import Agency  # noqa: E402
from process import spawn, stop  # noqa: E402

PATIENCE = 60.0
ENGINE = ROOT / (os.environ.get("MSDK_CACHE") or ".build/environments") / "credentials" / "libanoncreds.so"
"""The engine that `scripts/setup credentials` installs. With it the programs issue and prove too."""
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Wrong(Exception):
    """A fault of the installation."""


def run(
    *command: object, env: Mapping[str, str] | None = None, cwd: pathlib.Path | None = None, fails: bool = False,
    timeout: float = 600,
) -> str:
    """Runs a command without input. Returns its output; raises if it does not end as expected."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=timeout,
    )
    if (done.returncode != 0) != fails:
        raise Wrong(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


SUITES = ("bookworm", "trixie")
"""Debian 12, on which msdk is built, and Debian 13."""


def debian(suite: str = "bookworm", architecture: str = "") -> pathlib.Path:
    """A clean Debian as a tar file, with a C compiler and Python. It is kept, since making it takes minutes, and for another
    architecture, under `emulation`, longer."""
    tarball = ROOT / ".build" / f"{suite}{architecture and '-' + architecture}.tar"
    if not tarball.exists():
        tarball.parent.mkdir(exist_ok=True)
        draft = tarball.with_suffix(".draft.tar")
        tools = "gcc,libc6-dev,pkg-config,libjansson-dev,python3"
        kind = [f"--architectures={architecture}", "--skip=check/qemu"] if architecture else []
        run("mmdebstrap", *kind, "--variant=apt", f"--include={tools}", suite, draft, timeout=3600)
        draft.rename(tarball)
    return tarball


def clean_debian(folder: pathlib.Path, suite: str = "bookworm", architecture: str = "") -> None:
    """Unpacks a clean Debian into a new folder."""
    folder.mkdir()
    run("tar", "-C", folder, "-xf", debian(suite, architecture))
    shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")


@contextlib.contextmanager
def emulation() -> Iterator[None]:
    """The kernel runs programs for arm64 within the block, by the emulator of `scripts/setup arm64`. Needs root."""
    place = pathlib.Path("/proc/sys/fs/binfmt_misc")
    if not (place / "register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", place)
    entry = place / "msdk-arm64"
    if not entry.exists():
        head, exact = "7f454c460201010000000000000000000200b700", "ffffffffffffff00fffffffffffffffffeffffff"
        magic, mask = (re.sub("(..)", r"\\x\1", each) for each in (head, exact))
        # F: the kernel opens the emulator now, so that other roots need not have it.
        (place / "register").write_text(f":{entry.name}:M::{magic}:{mask}:{shutil.which('qemu-aarch64-static')}:F")
    try:
        yield
    finally:
        entry.write_text("-1")


def inside(folder: pathlib.Path, script: str, timeout: float = 600) -> str:
    """Runs a script in an unpacked Debian, with processes of its own, which end with it. Needs root."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--root={folder}", "--mount-proc"]
    return run(*command, "sh", "-c", script, env=environment, timeout=timeout)


def blocks(document: pathlib.Path, language: str) -> str:
    """All blocks of a language in a document, one after the other."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
    if not found:
        raise Wrong(f"{document.name} has no block of {language}")
    return "\n".join(found)


def request(agency: Agency, wallets: pathlib.Path, registry: pathlib.Path | None = None) -> str:
    """The text for provisioning a wallet of Alice's, which may publish in a registry."""
    wallet = {"wallet_name": "alice", "wallet_key": "a key only Alice knows", "storage_config": {"path": str(wallets)}}
    folders = [] if registry is None else [{"type": "file", "path": str(registry), "write": True}]
    return json.dumps(agency.provisioning(**wallet, institution_name="Alice", anoncreds_registries=folders))


class C:
    """The programs of the C guide, built against an installed msdk and run with its agency."""

    def __init__(self, environment: Mapping[str, str], work: pathlib.Path) -> None:
        self.environment, self.work = dict(environment), work
        work.mkdir(parents=True)

    def flags(self, *packages: str) -> list[str]:
        return run("pkg-config", "--cflags", "--libs", *packages, env=self.environment).split()

    def build(self) -> None:
        self.build_guide()
        (self.work / "program.cpp").write_text(blocks(ROOT / "docs" / "c.md", "cpp"))
        self.compile(["g++", "-std=c++17"], "program.cpp", "program", ["msdk"])

    def build_guide(self) -> None:
        """The program in C alone."""
        (self.work / "guide.c").write_text(blocks(ROOT / "docs" / "c.md", "c"))
        self.compile(["gcc", "-std=c99"], "guide.c", "guide", ["msdk", "jansson"])

    def compile(self, compiler: list[str], source: str, program: str, packages: list[str]) -> None:
        flags = [*WARNINGS, *self.flags(*packages), "-pthread"]
        run(*compiler, source, *flags, "-o", program, env=self.environment, cwd=self.work)

    def know(self, agency: Agency) -> None:
        """Tells the programs their agency and, if there is one, their engine."""
        self.environment.update({f"AGENCY_{name.upper()}": value for name, value in agency.facts.items()})
        if ENGINE.exists():
            self.environment["MSDK_ANONCREDS_LIB"] = str(ENGINE)

    def run_with(self, agency: Agency) -> None:
        """The C++ program is an invitee; then both roles of the C program meet; then the C++ program issues to Alice in C."""
        self.know(agency)
        self.ask_the_program()
        self.invite_the_program(agency)
        self.meet_in_c()
        if ENGINE.exists():
            self.take_from_the_program(agency)
        else:
            print("left out: credentials in C and C++, without the engine of scripts/setup credentials")

    def folder(self, name: str) -> tuple[pathlib.Path, list[str]]:
        """A folder for a meeting, and the registry that both sides are to use if there is an engine."""
        folder = self.work / name
        folder.mkdir()
        return folder, [str(folder / "registry")] if ENGINE.exists() else []

    def ask_the_program(self) -> None:
        """Without its variables, the C++ program says which they are."""
        said = run(self.work / "program", env=self.environment, fails=True)
        if not said.startswith("usage: REQUEST="):
            raise Wrong(f"the C++ program without its variables said:\n{said}")

    def invite_the_program(self, agency: Agency) -> None:
        folder, _ = self.folder("a")
        with self.other([str(self.work / "guide"), "faber", str(folder), str(folder / "invitation")], folder):
            given = {"REQUEST": request(agency, folder), "INVITATION": link(wait_for(folder / "invitation"))}
            said = run(self.work / "program", env={**self.environment, **given})
        if not said.startswith("state 3\n1073: "):
            raise Wrong(f"the C++ program said:\n{said}")

    def meet_in_c(self) -> None:
        folder, registry = self.folder("b")
        words = [str(folder), str(folder / "invitation"), *registry]
        with self.other([str(self.work / "guide"), "faber", *words], folder) as faber:
            self.be_alice(words)
            said = self.ended(faber, folder)
        if "reads: Good morning" not in said or (registry and 'verified: {"' not in said):
            raise Wrong(f"the inviter has read or verified nothing:\n{said}")

    def take_from_the_program(self, agency: Agency) -> None:
        folder, registry = self.folder("c")
        text = request(agency, folder / "faber", pathlib.Path(registry[0]))
        given = {"REQUEST": text, "INVITATION": str(folder / "invitation"), "REGISTRY": registry[0]}
        with self.other([str(self.work / "program")], folder, given) as faber:
            self.be_alice([str(folder), str(folder / "invitation"), *registry])
            said = self.ended(faber, folder)
        if 'verified: {"' not in said or "not verified" in said:
            raise Wrong(f"the C++ program has verified nothing:\n{said}")

    @contextlib.contextmanager
    def other(
        self, command: list[str], folder: pathlib.Path, more: Mapping[str, str] | None = None
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Runs the inviter beside what happens in the block."""
        faber = spawn(command, log=folder / "faber.log", env={**self.environment, **(more or {})})
        try:
            yield faber
        finally:
            stop(faber)

    def ended(self, faber: subprocess.Popen[bytes], folder: pathlib.Path) -> str:
        """Waits for the end of the inviter. Returns all that it said."""
        if faber.wait(PATIENCE) != 0:
            raise Wrong(f"the inviter ended with {faber.returncode}:\n{(folder / 'faber.log').read_text()}")
        return (folder / "faber.log").read_text()

    def issue_to(self, agency: Agency, *alice: object, cwd: pathlib.Path) -> str:
        """Faber in C issues to a program of Alice's in another language, and verifies her proof. Returns her lines."""
        self.know(agency)
        folder, registry = self.folder("alice")
        words = [str(folder), str(folder / "invitation"), *registry]
        with self.other([str(self.work / "guide"), "faber", *words], folder) as faber:
            invitation = wait_for(folder / "invitation")
            given = {"REQUEST": request(agency, folder / "alice", pathlib.Path(registry[0])), "INVITATION": invitation}
            said = run(*alice, env={**self.environment, **given}, cwd=cwd)
            verified = self.ended(faber, folder)
        if "reads: Good morning" not in verified or 'verified: {"' not in verified:
            raise Wrong(f"Faber has read or verified nothing:\n{verified}")
        return said

    def be_alice(self, words: list[str]) -> None:
        said = run(self.work / "guide", "alice", *words, env=self.environment)
        expected = ["is connected", "reads: Welcome", "call 42 ended with 0", "there is no such note"]
        for line in [*expected, *(["holds a credential of "] if ENGINE.exists() else [])]:
            if line not in said:
                raise Wrong(f"the C program did not say {line!r}:\n{said}")


def link(invitation: str) -> str:
    """The URL of an out-of-band invitation, as QR codes have it."""
    return f"https://faber.example?oob={base64.urlsafe_b64encode(invitation.encode()).decode()}"


def wait_for(file: pathlib.Path) -> str:
    """The JSON text in a file that another program writes."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            return json.dumps(json.loads(file.read_text()))
        except (OSError, ValueError):
            time.sleep(0.1)
    raise Wrong(f"{file} was not written")


ALICE = [
    "is connected", "is told of a message", "reads: Welcome", "holds the credential", "has proved",
    "signs with 64 bytes; the peer has signed it: false", "The peer is friendly — schön", "there is no second note",
]
"""The lines of Alice in Go and in JavaScript, or parts of them."""


def installed_prefix(release: pathlib.Path, work: pathlib.Path) -> tuple[pathlib.Path, dict[str, str]]:
    """Installs into a new prefix. Returns it, and an environment that knows it."""
    prefix = work / "prefix"
    run("make", "--no-print-directory", "-C", ROOT, "install", "USER_ID=0", f"RELEASE={release}", f"PREFIX={prefix}")
    knows = {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}
    return prefix, {**os.environ, **knows}


def meet_alice(prefix: pathlib.Path, environment: Mapping[str, str], work: pathlib.Path, *alice: object, cwd: pathlib.Path) -> None:
    """Alice in another language connects with Faber in C, holds his credential and proves from it."""
    programs = C(environment, work / "faber")
    programs.build_guide()
    with installed_agency(prefix / "bin" / "msdk-agency", work / "agency") as agency:
        said = programs.issue_to(agency, *alice, cwd=cwd)
    for line in ALICE:
        if line not in said:
            raise Wrong(f"Alice did not say {line!r}:\n{said}")


def installed_agency(program: pathlib.Path, folder: pathlib.Path) -> Agency:
    os.environ["MSDK_AGENCY"] = str(program)
    return Agency(folder)
