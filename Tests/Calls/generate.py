"""Writes a C file that calls each function of the header with arguments that it has chosen at random.

    generate.py HEADER > calls.c

The header is the only source, so that a function that is added is called too. A declaration of an unknown shape stops
the script.
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

# Functions that are not called, and why.
LEFT_OUT = {
    "vcx_set_default_logger": "it writes to standard error",
    "msdk_end_callbacks": "it ends all callbacks, which are what is counted",
}

# Slow functions, and functions that end objects in use, are called less often.
RARE = re.compile(r"init|provision|shutdown|import|export|rekey|restore|agent_open|agent_close")
RARITY = 50

# How an argument of each type is chosen, besides texts, bytes and places for results.
CHOICES = {
    "uint32_t": "choose_number(choice)",
    "uint64_t": "choose_long(choice)",
    "size_t": "choose_long(choice) % 1000",
    "int32_t": "choose_search(choice)",
    "bool": "choose_flag(choice)",
    "const void *": "NULL",
    "vcx_error_t": "choose_number(choice) % 1200",
}


@dataclass
class Parameter:
    type: str
    name: str


def stop(declaration: str) -> None:
    sys.exit(f"generate.py does not know what to do with: {declaration}")


def parameters(text: str) -> list[Parameter]:
    if text.strip() == "void":
        return []
    found = [re.fullmatch(r"((?:const )?\w+ ?\**)(\w+)", " ".join(each.split())) for each in text.split(",")]
    if None in found:
        stop(text)
    return [Parameter(each[1].strip(), each[2]) for each in found if each]


SUBSCRIBING = ("msdk_messages_subscribe", "msdk_set_resolver")
"""The functions whose callbacks come any number of times: no end of them is counted."""


class Header:
    def __init__(self, path: pathlib.Path) -> None:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        self.plain = dict(
            (name, kind) for kind, name in re.findall(r"^typedef (\w+) (\w+);", text, re.MULTILINE)
        )
        self.callbacks = {
            name: (result, parameters(rest))
            for result, name, rest in re.findall(r"^typedef (\w+) \(\*(\w+)\)\((.*?)\);", text, re.MULTILINE | re.DOTALL)
        }
        self.functions = [
            (" ".join(result.split()), name, parameters(rest))
            for result, name, rest in re.findall(
                r"^((?:const )?\w+ \**)((?:vcx|msdk)_\w+)\((.*?)\);", text, re.MULTILINE | re.DOTALL)
        ]
        count = len(re.findall(r"^(?!typedef)\w.*\b(?:vcx|msdk)_\w+\(", text, re.MULTILINE))
        if count != len(self.functions) or not count:
            stop(f"{count - len(self.functions)} of {count} declarations")

    def answers(self, type: str) -> bool:
        """Whether a type is that of a callback for the end of a call."""
        return type in self.callbacks and [p.name for p in self.callbacks[type][1][:2]] == ["command_handle", "error"]


def receiver(header: Header, name: str) -> Iterator[str]:
    """A function for the end of calls: it accounts for the call, and reads and keeps what came."""
    _, received = header.callbacks[name]
    yield f"static void on_{name}({', '.join(f'{p.type} {p.name}' for p in received)}) {{"
    length = None
    for parameter, next in zip(received[2:], received[3:] + [None]):
        base = header.plain.get(parameter.type, parameter.type)
        if parameter.name == length:
            length = None
        elif parameter.type == "const char *":
            yield f"    keep_text(command_handle, error, {parameter.name});"
        elif parameter.type == "const uint8_t *" and next and next.type == "uint32_t":
            length = next.name
            yield f"    read_bytes({parameter.name}, {length});"
        elif base == "int32_t":
            yield f"    keep_search(error, {parameter.name});"
        elif base == "uint32_t":
            yield f"    keep_handle(error, {parameter.name});"
        elif base in ("bool", "uint64_t"):
            yield f"    (void){parameter.name};"
        else:
            stop(f"{parameter.type} {parameter.name} of {name}")
    yield "    called_back(command_handle, error);"
    yield "}"


def declarations(header: Header, function: str, taken: list[Parameter]) -> Iterator[str]:
    """Variables with the names of the parameters, each chosen at random."""
    length = None
    for position, parameter in enumerate(taken):
        type, name = parameter.type, parameter.name
        base = header.plain.get(type, type)
        if name == length:
            length = None
        elif name == "command_handle" and function in SUBSCRIBING or name in ("subscription", "resolver"):
            # Few numbers, so that many calls name a subscription.
            yield f"    {type} {name} = choose_number(choice) % 4;"
        elif name == "command_handle":
            yield f"    {type} {name} = begin_call();"
        elif type in ("const char *", "char *"):
            yield f'    {type} {name} = choose_text(choice, {position}, "{function}");'
        elif type == "const uint8_t *" and position + 1 < len(taken) and taken[position + 1].type == "uint32_t":
            length = taken[position + 1].name
            yield f"    uint32_t {length};"
            yield f"    {type} {name} = choose_bytes(choice, &{length});"
        elif type in header.callbacks:
            receiver = f"on_{type}" if header.answers(type) else f"on_{type}_of_log"
            receiver = "on_message" if function in SUBSCRIBING else receiver
            yield f"    {type} {name} = chance(choice, 50) ? NULL : {receiver};"
        elif type.endswith("*") and name.endswith("_p"):
            result = type.removesuffix("*").strip()
            yield f"    {result} {name}_result = NULL;".replace("* ", "*")
            yield f"    {type} {name} = chance(choice, 50) ? NULL : &{name}_result;"
        elif type in CHOICES or base in CHOICES:
            yield f"    {type} {name} = {CHOICES.get(type) or CHOICES[base]};"
        else:
            stop(f"{type} {name} of {function}")


def call(header: Header, result: str, name: str, taken: list[Parameter]) -> Iterator[str]:
    yield f"static void call_{name}(struct choice *choice) {{"
    if not taken:
        yield "    (void)choice;"
    # The call begins when all is chosen.
    yield from sorted(declarations(header, name, taken), key=lambda line: "begin_call" in line)
    called = f"{name}({', '.join(p.name for p in taken)})"
    if taken and header.answers(taken[-1].type) and name not in SUBSCRIBING:
        yield f'    end_call(command_handle, {called}, {taken[-1].name} != NULL, "{name}");'
    elif result == "vcx_error_t":
        yield f'    end_plain_call({called}, "{name}");'
    elif result in ("const char *", "char *"):
        yield f"    read_text({called});"
    elif result == "void":
        yield f"    {called};"
    else:
        stop(f"{result} {name}")
    yield "}"


LOG_RECEIVERS = """\
static bool on_vcx_log_enabled_cb_of_log(const void *context, uint32_t level, const char *target) {
    (void)context;
    read_text(target);
    return level % 2;
}

static void on_vcx_log_cb_of_log(
    const void *context, uint32_t level, const char *target, const char *message, const char *module_path,
    const char *file, uint32_t line) {
    (void)context, (void)level, (void)line;
    read_text(target);
    read_text(message);
    read_text(module_path);
    read_text(file);
}

static void on_vcx_log_flush_cb_of_log(const void *context) { (void)context; }

static void on_message(uint32_t command_handle, uint32_t error, const char *text) {
    (void)command_handle;
    if (error != 0 || text == NULL) abort();
    read_text(text);
}
"""


def main() -> None:
    header = Header(pathlib.Path(sys.argv[1]))
    called = [each for each in header.functions if each[1] not in LEFT_OUT]
    lines = ['#include <stdlib.h>', "", '#include "calls.h"', "", LOG_RECEIVERS]
    for name in filter(header.answers, header.callbacks):
        lines += [*receiver(header, name), ""]
    for function in called:
        lines += [*call(header, *function), ""]
    lines.append("const struct function functions[] = {")
    lines += [f'    {{"{name}", call_{name}, {RARITY if RARE.search(name) else 1}}},' for _, name, _ in called]
    lines += ["};", f"const int function_count = {len(called)};"]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
