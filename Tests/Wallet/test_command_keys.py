"""The keys of the program `msdk wallet`: from files, pipes, the environment and the terminal."""

from __future__ import annotations

import os
import pathlib
import subprocess

from command import DONE, FAILED, INTERRUPTED, PROGRAM, msdk, run, run_on_terminal
from wallets import RAW_KEY, SAMPLE_KEY


def test_a_key_from_a_file_or_a_pipe(home: pathlib.Path, sample: str) -> None:
    file = home / "key"
    for content in (RAW_KEY, RAW_KEY + "\n", RAW_KEY + "\r\n"):
        file.write_text(content, newline="")
        assert msdk(home, "info", sample, "--key-file", file, MSDK_WALLET_KEY="").status == DONE
    file.write_text("\n")
    assert msdk(home, "info", sample, "--key-file", file).complaint == "msdk: The key of the wallet is empty.\n"
    file.write_bytes(b"\xff")
    assert msdk(home, "info", sample, "--key-file", file).complaint == "msdk: The key is not UTF-8 text.\n"
    file.write_bytes(b"k" * 70000)
    assert "too long" in msdk(home, "info", sample, "--key-file", file).complaint
    absent = msdk(home, "info", sample, "--key-file", home / "absent")
    assert absent.status == FAILED and "No such file" in absent.complaint

    reader, writer = os.pipe()
    os.write(writer, RAW_KEY.encode())
    os.close(writer)
    words = ["wallet", "info", sample, "--home", str(home), "--derivation", "RAW", "--key-file", f"/dev/fd/{reader}"]
    ran = subprocess.run([str(PROGRAM), *words], pass_fds=[reader], capture_output=True)
    os.close(reader)
    assert ran.returncode == DONE, ran.stderr


def test_without_a_terminal_nobody_is_asked(home: pathlib.Path, sample: str) -> None:
    ran = msdk(home, "info", sample, MSDK_WALLET_KEY="")
    assert ran.status == FAILED
    assert "MSDK_WALLET_KEY" in ran.complaint


def test_a_key_is_asked_for_and_not_shown(home: pathlib.Path, sample: str) -> None:
    words = ["wallet", "info", sample, "--home", str(home), "--derivation", "RAW"]
    prompt = "The key of the wallet: "
    typed = RAW_KEY[:-1] + "ü\x7f" + RAW_KEY[-1] + "\r"  # with a slip that is taken back
    ran = run_on_terminal(home, words, [(prompt, typed)])
    assert ran.status == DONE
    assert ran.output.startswith(prompt + "\r\n") and RAW_KEY[:8] not in ran.output
    assert "records     12" in ran.output


def test_a_new_key_is_asked_for_twice(home: pathlib.Path, sample: str) -> None:
    words = ["wallet", "rekey", sample, "--home", str(home), "--derivation", "RAW", "--new-derivation", "RAW"]
    prompts = ["The new key of the wallet: ", "The new key of the wallet once more: "]
    keys = {"MSDK_WALLET_KEY": RAW_KEY}
    ran = run_on_terminal(home, words, [(prompts[0], SAMPLE_KEY + "\r"), (prompts[1], RAW_KEY + "\r")], **keys)
    assert ran.status == FAILED and "The two keys are not the same." in ran.output
    assert msdk(home, "info", sample).status == DONE
    ran = run_on_terminal(home, words, [(prompt, SAMPLE_KEY + "\r") for prompt in prompts], **keys)
    assert ran.status == DONE
    assert msdk(home, "info", sample, MSDK_WALLET_KEY=SAMPLE_KEY).status == DONE


def test_control_c_at_a_prompt_ends_the_program(home: pathlib.Path, sample: str) -> None:
    words = ["wallet", "info", sample, "--home", str(home)]
    assert run_on_terminal(home, words, [("The key of the wallet: ", "half\x03")]).status == INTERRUPTED
