"""The C interface as the Swift export files declare it: functions, their documentation, callback shapes, handle types,
error codes and states.

Only the regular shape in which the files are written is understood; anything else stops the script with file and line, so
that nothing is dropped silently.
"""

import re

from swift_source import ROOT, Documentation, Source, stop

VCX = ROOT / "Sources/VCX"

TYPES = VCX / "Boundary/Types.swift"
CALLBACKS = VCX / "Boundary/Callbacks.swift"
ERROR_TEXTS = VCX / "Boundary/ErrorText.swift"

# Swift enum: (file, C enum, prefix of its constants)
ENUMS = {
    "ErrorCode": (VCX / "Boundary/ErrorCode.swift", "vcx_error_code", "VCX_"),
    "State": (VCX / "Boundary/States.swift", "vcx_state", "VCX_STATE_"),
    "ProofState": (VCX / "Boundary/States.swift", "vcx_proof_state", "VCX_PROOF_"),
    "BackupState": (VCX / "Boundary/States.swift", "vcx_backup_state", "VCX_BACKUP_"),
    "PublicationState": (VCX / "Boundary/States.swift", "vcx_publication_state", "VCX_PUBLICATION_"),
    "LogLevel": (ROOT / "Sources/Logging/LogLevel.swift", "vcx_log_level", "VCX_LOG_"),
}

# The groups of the header, in its order: each is a file of exports.
GROUPS = [
    "Library", "Agents", "OlderLibrary", "Logger", "Provisioning", "Connection", "ConnectionActions",
    "OlderConnection", "KeptObjects", "Messages", "WalletRecords", "WalletKey", "WalletBackup", "Credential",
    "CredentialProposal", "StoredCredential", "CredentialSearch", "ProofRequest", "DisclosedProof",
    "IssuerCredential", "IssuerProposal", "RequestedProof", "ProofResult", "Schema", "CredentialDefinition", "WebDID",
    "Resolver", "Ledger", "Envelopes", "ThreadIDs", "Payments",
]

UNSUPPORTED = "Not implemented in this version: returns VCX_ACTION_NOT_SUPPORTED (1103)."

# Swift type: (C type, ctypes type)
PLAIN = {
    "UInt32": ("uint32_t", "c_uint32"),
    "Int32": ("int32_t", "c_int32"),
    "UInt64": ("uint64_t", "c_uint64"),
    "UInt": ("size_t", "c_size_t"),
    "Bool": ("bool", "c_bool"),
    "CString?": ("const char *", "c_char_p"),
    "UnsafePointer<UInt8>?": ("const uint8_t *", "POINTER(c_uint8)"),
    "UnsafeMutablePointer<CChar>?": ("char *", "c_char_p"),
    "UnsafeRawPointer?": ("const void *", "c_void_p"),
    "Void": ("void", "None"),
}

CPP_KEYWORDS = set(
    "alignas alignof and asm auto bool break case catch char class const constexpr continue decltype default delete do "
    "double else enum explicit export extern false float for friend goto if inline int long mutable namespace new "
    "noexcept not nullptr operator or private protected public register return short signed sizeof static struct switch "
    "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile "
    "while xor".split()
)


class Interface:
    """Everything that crosses the boundary."""

    def __init__(self):
        self.typedefs = []    # (documentation, C name)
        self.types = dict(PLAIN)
        self.callbacks = []   # (documentation, name, result, [(name, Swift type)])
        self.enums = []       # (documentation, C name, [(documentation, constant, value)])
        self.needs = {}       # function: {parameter: "(required) " or "(optional) "}
        self.groups = []      # (title, introduction, [function])
        self.read_types()
        self.read_callbacks()
        self.error_texts = dict(re.findall(r'^    case \.(\w+): "(.*)"$', ERROR_TEXTS.read_text(), re.M))
        for name in ENUMS:
            self.read_enum(name)
        self.codes = {value: constant for _, constant, value, _ in self.enums[0][2]}
        self.unsupported = set()
        for group in GROUPS:
            self.read_group(next(VCX.rglob(f"{group}.swift")))
        self.refuse_strays()

    # Types and callbacks

    def read_types(self):
        for number, doc, head in Source(TYPES).declarations(r"public "):
            match = re.fullmatch(r"public typealias (\w+) = (\w+|UnsafePointer<CChar>)", head)
            if not match:
                stop(TYPES, number, f"expected a type alias: {head}")
            if match[1] == "CString":
                continue
            base = self.types.get(match[2]) or stop(TYPES, number, f"unknown type {match[2]}")
            self.types[match[1]] = (match[1], base[1])
            self.typedefs.append((Documentation(TYPES, number, doc), match[1], base[0]))

    def read_callbacks(self):
        for number, doc, head in Source(CALLBACKS).declarations(r"public "):
            match = re.fullmatch(r"public typealias (\w+_cb) = @convention\(c\) \((.*)\) -> (\w+)", head)
            if not match:
                stop(CALLBACKS, number, f"expected a C function type: {head}")
            parameters = self.parameters(CALLBACKS, number, match[2])
            self.callbacks.append((Documentation(CALLBACKS, number, doc), match[1], match[3], parameters))
            self.types[match[1] + "?"] = (match[1], f'CALLBACKS["{match[1]}"]')

    def parameters(self, path, number, text):
        parameters = []
        for part in filter(None, text.split(", ")):
            match = re.fullmatch(r"_ (\w+): (\S+)", part)
            if not match:
                stop(path, number, f"expected `_ name: Type`: {part}")
            if match[1] in CPP_KEYWORDS:
                stop(path, number, f"the parameter name {match[1]} is a word of C++")
            self.type(path, number, match[2])
            parameters.append((match[1], match[2]))
        return parameters

    def type(self, path, number, swift):
        """The C type and the ctypes type of a Swift type."""
        out = re.fullmatch(r"UnsafeMutablePointer<(\w+\?)>\?", swift)
        if swift not in self.types and out and out[1] in self.types:
            c, python = self.types[out[1]]
            self.types[swift] = (c + ("*" if c.endswith("*") else " *"), f"POINTER({python})")
        if swift not in self.types:
            stop(path, number, f"unknown type {swift}")
        return self.types[swift]

    # Enums

    def read_enum(self, name):
        path, c_name, prefix = ENUMS[name]
        cases, doc, inside = [], [], False
        for number, line in enumerate(Source(path).lines, 1):
            stripped = line.strip()
            if stripped.startswith("///"):
                doc.append(stripped[3:].removeprefix(" "))
                continue
            if re.match(rf"(public|package) enum {name}: UInt32\b", stripped):
                inside, enum_doc = True, Documentation(path, number, doc)
            elif inside and stripped.startswith("case "):
                match = re.fullmatch(r"case (\w+) = (\d+)", stripped)
                if match and name == "ErrorCode":
                    doc = self.described(match[1], doc)
                if not match or not doc:
                    stop(path, number, "expected a documented `case name = number`")
                constant = prefix + re.sub(r"([A-Z])", r"_\1", match[1]).upper()
                cases.append((Documentation(path, number, doc), constant, int(match[2]), match[1]))
            elif line == "}" and inside:
                self.enums.append((enum_doc, c_name, cases))
                return
            doc = []
        stop(path, 1, f"there is no enum {name}")

    def described(self, case, notes):
        """The documentation of an error code: its text, and the notes at its case."""
        if case not in self.error_texts:
            stop(ERROR_TEXTS, 1, f"no text for {case}")
        return [self.error_texts[case] + ".", *notes]

    # Functions

    def read_group(self, path):
        source = Source(path)
        marks = [index for index, line in enumerate(source.lines) if line.startswith("// MARK: ")]
        if len(marks) != 1:
            stop(path, 1, "expected one `// MARK: Title` with an introduction below")
        introduction = []
        for line in source.lines[marks[0] + 2:]:
            if not line.startswith("// "):
                break
            introduction.append(line[3:])
        functions = [self.function(source, *each) for each in source.declarations(r"public ")]
        self.groups.append((source.lines[marks[0]][9:], " ".join(introduction), functions))

    def function(self, source, number, doc, head):
        path = source.path
        match = re.fullmatch(r"public func ((?:vcx|msdk)_\w+)\((.*)\)(?: -> (\S+))? \{.*", head)
        if not match:
            stop(path, number, f"expected a public function: {head}")
        name = match[1]
        if source.lines[number - 2] != f'@_cdecl("{name}")':
            stop(path, number - 1, f'expected @_cdecl("{name}")')
        parameters = self.parameters(path, number, match[2])
        result = match[3] or "Void"
        self.type(path, number, result)
        documentation = Documentation(path, number, doc)
        asynchronous = any(name == "command_handle" for name, _ in parameters)
        if asynchronous and (parameters[0][0] != "command_handle" or parameters[-1][0] != "cb"):
            stop(path, number, f"{name}: command_handle comes first and cb last")
        # The preamble tells once what is true of every command handle.
        told = [name for name, _ in parameters if name != "command_handle" or name in documentation.parameters]
        if list(documentation.parameters) != told:
            stop(path, number, f"{name}: the documentation names other parameters than the function")
        if self.is_unsupported(source, number):
            self.unsupported.add(name)
            documentation.paragraphs.append(UNSUPPORTED)
        documentation.name_codes(self.codes)
        documentation.needs = self.needs[name] = self.required(source, number, parameters, documentation)
        return name, documentation, result, parameters, asynchronous

    def is_unsupported(self, source, number):
        """Whether a function is a stub, or another name of one."""
        body = source.body(number)
        other = re.search(r"^  (vcx_\w+)\(", body, re.M)
        return "unsupported(" in body or (other and other[1] in self.unsupported)

    def required(self, source, number, parameters, documentation):
        """Which texts and bytes a function requires: it says so by the way in which it decodes them, or is
        another name of a function that does."""
        body, needs = source.body(number), {}
        if other := re.search(r"^  (vcx_\w+)\(", body, re.M):
            return self.needs[other[1]]
        for name, swift in parameters:
            decoded = re.search(rf'\b(text|optionalText|bytes)\({name}, (?:\w+, )?"(\w+)"', body)
            if decoded and decoded[2] != name:
                stop(source.path, number, f"the argument {name} is called {decoded[2]} in errors")
            if decoded:
                needs[name] = "(optional) " if decoded[1] == "optionalText" else "(required) "
            elif swift == "CString?" and not documentation.parameters[name].startswith("Ignored"):
                stop(source.path, number, f"the argument {name} is neither required, optional nor ignored")
        return needs

    def refuse_strays(self):
        """Every exported function is in a group."""
        known = {name for _, _, functions in self.groups for name, *_ in functions}
        for path in sorted((ROOT / "Sources").rglob("*.swift")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.search(r"@(_cdecl|c)\b(.*)", line)
                if match and not re.fullmatch(r'\("(\w+)"\)', match[2]):
                    stop(path, number, f"expected @_cdecl(\"name\"): {line}")
                if match and match[2][2:-2] not in known:
                    stop(path, number, f"{match[2][2:-2]} is in no group of the header")
