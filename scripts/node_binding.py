"""The generated files of bindings/node: functions.c, names.js and index.d.ts. `calls.h` and `index.js` there are the core."""

from crossing import unique

HEAD = "Written by scripts/bindings from the Swift sources."
TAKEN = set(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false "
    "finally for function if implements import in instanceof interface let new null package private protected public return "
    "static super switch this throw true try typeof var void while with yield".split()
)

# kind: TypeScript type
TYPES = {
    "text": "string | null", "uint32": "number", "int32": "number", "uint64": "bigint", "size": "number", "bool": "boolean",
    "bytes": "Buffer", "subscription": "number",
}
TAKE = {"subscription": "uint32"}
GIVEN = {**TYPES, "text": "string", "uint64": "bigint | number", "bytes": "Uint8Array"}


def camel(name):
    words = [word for word in name.split("_") if word]
    made = words[0] + "".join(word.capitalize() for word in words[1:])
    return made + "_" if made in TAKEN else made


def pascal(c):
    """`LogLevel` for `vcx_log_level`."""
    return "".join(word.capitalize() for word in c.split("_")[1:])


def constants(cases):
    """The constants of an enum without the beginning that all have: (name, number, documentation)."""
    first, last = min(each[1] for each in cases), max(each[1] for each in cases)
    same = next(index for index, pair in enumerate(zip(first, last)) if pair[0] != pair[1])
    start = first.rindex("_", 0, same) + 1
    return [(constant[start:], value, doc) for doc, constant, value, _ in cases]


def names(crossing):
    """names.js: the enums as frozen objects."""
    lines = ["'use strict';", f"// {HEAD}", ""]
    for _, c, cases in crossing.enums:
        lines.append(f"exports.{pascal(c)} = Object.freeze({{")
        lines += [f"  {name}: {value}," for name, value, _ in constants(cases)] + ["});"]
    return "\n".join(lines) + "\n"


# C


def callback(shape):
    """The C function that the library calls: it describes its values."""
    parameters, made = [], []
    for value in shape.values:
        star = value.c.endswith("*")
        parameters.append(f"{value.c}{'' if star else ' '}{value.name}" + (", uint32_t length" if value.kind == "bytes" else ""))
        fields = {
            "text": f"TEXT, .data = {value.name}", "bytes": f"BYTES, .data = {value.name}, .length = length",
            "uint64": f"BIG, .big = {value.name}", "bool": f"BOOL, .number = {value.name}",
        }.get(value.kind, f"NUMBER, .number = {value.name}")
        made.append(f'{{.name = "{camel(value.name)}", .kind = {fields}}}')
    given = "".join(", " + each for each in parameters)
    listed = f"(struct value[]){{{', '.join(made)}}}" if made else "NULL"
    return [
        f"static void on_{shape.word}(vcx_command_handle_t call, vcx_error_t error{given}) {{",
        f"    msdk_answer(call, error, {len(made)}, {listed});", "}", "",
    ]


def function(each):
    """The C function that JavaScript calls."""
    lines, passed = [f"static napi_value js_{each.c_name}(napi_env env, napi_callback_info info) {{"], []
    lines.append("    struct call call = begin(env, info);")
    ended = None
    for value in each.arguments:
        star, name = value.c.endswith("*"), camel(value.name)
        if value.kind == "bytes":
            lines.append(f"    uint32_t {value.name}_length = 0;")
        length = f", &{value.name}_length" if value.kind == "bytes" else ""
        lines.append(f'    {value.c}{"" if star else " "}{value.name} = take_{TAKE.get(value.kind, value.kind)}(&call, "{name}"{length});')
        if value.kind == "subscription":
            ended = f"    end_subscription(&call, {value.name});"
        passed += [value.name] + ([f"{value.name}_length"] if value.kind == "bytes" else [])
    if each.is_subscription:
        called = f"{each.c_name}({', '.join(['call.handle', *passed, 'on_' + each.shape.word])})"
        lines.append('    napi_value receive = take_function(&call, "receive");')
        lines.append(f"    return subscribed(&call, list_receiver(&call, receive) ? {called} : 0);")
    elif each.shape:
        called = f"{each.c_name}({', '.join(['call.handle', *passed, 'on_' + each.shape.word])})"
        lines.append(f"    return promised(&call, enlist(&call) ? {called} : 0);")
    else:
        called = f"{each.c_name}({', '.join(passed)})"
        if ended:
            lines += [f"    vcx_error_t error = call.problem ? 0 : {called};", ended, "    return checked(&call, error);"]
        elif each.result == "error":
            lines.append(f"    return call.problem ? done(&call) : checked(&call, {called});")
        elif each.result == "text":
            lines.append(f"    return told(&call, call.problem ? NULL : {called});")
        else:
            lines += [f"    if (!call.problem) {called};", "    return done(&call);"]
    return lines + ["}", ""]


def functions(crossing):
    """functions.c: the callbacks, the functions and the list of exports."""
    most = max(len(each.arguments) + each.is_subscription for each in crossing.functions)
    assert max(len(each.values) for each in crossing.shapes.values()) <= 4, "MOST_VALUES of calls.h is too small"
    lines = [f"/* {HEAD} */", f"enum {{ MOST_ARGUMENTS = {most} }};", "", '#include "calls.h"', ""]
    for shape in crossing.shapes.values():
        lines += callback(shape)
    for each in crossing.functions:
        lines += function(each)
    lines += ["NAPI_MODULE_INIT() {", "    enter(env, exports);"]
    exported = [(each.c_name, camel("_".join(each.words))) for each in crossing.functions]
    unique(exported, "bindings/node")
    lines += [f'    export(env, exports, "{name}", js_{c_name});' for c_name, name in exported]
    return "\n".join(lines + ["    return exports;", "}"]) + "\n"


# TypeScript

AGENT = """\
/**
 * The package for one agent: each function selects the agent for its call, and leaves the selection of the program as it is.
 * After an `await`, the functions of the package itself work for the agent that was selected last.
 */
export function agent(agentHandle: number): typeof import('./index');""".splitlines()


def types(crossing):
    """index.d.ts: the declarations, with the documentation of the header."""
    lines = [
        f"// {HEAD}", f"// {crossing.note}", "", "/** An error of the library. */", "export class MsdkError extends Error {",
        "  /** The number, one of ErrorCode. */", "  readonly code: number;", "  /** Its name in ErrorCode. */",
        "  readonly codeName: string;", "  /** The number's fixed text. */", "  readonly text: string;",
        "  /** The exact cause, a sentence for developers; empty if the library gives none. */", "  readonly cause: string;", "}",
        "", *AGENT,
    ]
    for doc, c, cases in crossing.enums:
        lines += ["", *doc.comment(), f"export const {pascal(c)}: {{"]
        for name, value, case_doc in constants(cases):
            lines += [*case_doc.comment(indent="  "), f"  readonly {name}: {value};"]
        lines.append("};")
    for each in crossing.functions:
        lines += ["", *documentation(each), declaration(each)]
    return "\n".join(lines) + "\n"


def documentation(each):
    """The documentation of a function, with JavaScript's names and the callback as the result."""
    doc = each.documentation
    told = doc.parameters.get("cb", "") if each.shape else doc.returns
    fields = {camel(value.name): doc.needs.get(value.name, "") + doc.parameters[value.name] for value in each.arguments}
    if each.is_subscription:
        fields["receive"], told = told, "The subscription."
    return doc.changed(fields, told.removeprefix("Receives ")).comment()


def declaration(each):
    """A function that may leave out the optional texts at the end of its arguments."""
    given = []
    is_last = True
    for value in reversed(each.arguments):
        can_be_absent = value.kind == "text" and value.is_optional
        is_last = is_last and can_be_absent
        null = " | null" if can_be_absent else ""
        given.insert(0, f"{camel(value.name)}{'?' if is_last else ''}: {GIVEN[value.kind]}{null}")
    name = camel("_".join(each.words))
    if each.is_subscription:
        given.append(f"receive: (error: MsdkError | null, result: {answer(each.shape)}) => void")
    return f"export function {name}({', '.join(given)}): {result(each)};"


def result(each):
    if each.is_subscription:
        return "number"
    if not each.shape:
        can_be_null = "NULL if" in each.documentation.returns
        return ("string | null" if can_be_null else "string") if each.result == "text" else "void"
    return f"Promise<{answer(each.shape)}>"


def answer(shape):
    """The type of the results of a callback: nothing, one, or an object with their names."""
    values = shape.values
    if len(values) < 2:
        return TYPES[values[0].kind] if values else "void"
    return f"{{ {'; '.join(f'{camel(value.name)}: {TYPES[value.kind]}' for value in values)} }}"
