"""Swift files as their declarations, and documentation comments as their parts."""

import copy
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 100


def stop(path, line, problem):
    sys.exit(f"{path.relative_to(ROOT)}:{line}: {problem}")


class Source:
    """A Swift file as its declarations: (line number, documentation lines, text of the declaration head)."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text().splitlines()

    def declarations(self, start):
        """Yields the declarations that begin with `start`, each joined to one line up to its end."""
        doc = []
        for number, line in enumerate(self.lines, 1):
            stripped = line.strip()
            if stripped.startswith("///"):
                doc.append(stripped[3:].removeprefix(" "))
            elif re.match(start, stripped):
                if not doc:
                    stop(self.path, number, "a declaration without documentation")
                yield number, doc, self.head(number)
                doc = []
            elif not stripped.startswith("@_cdecl"):
                doc = []

    def body(self, number):
        """The lines from a function's declaration to its end."""
        start = number - 1
        end = next((index for index in range(start, len(self.lines)) if self.lines[index] in ("}", "{}")
                    or self.lines[index].endswith("{}")), start)
        return "\n".join(self.lines[start:end + 1])

    def head(self, number):
        """The declaration at a line, without its body, on one line."""
        parts, depth = [], 0
        for line in self.lines[number - 1:]:
            parts.append(line.strip())
            depth += line.count("(") - line.count(")")
            if depth == 0 and not parts[-1].endswith("="):
                break
        return re.sub(r"\( | \)", lambda m: m[0].strip(), " ".join(parts))


class Documentation:
    """A Swift documentation comment: paragraphs, parameters, what is returned."""

    def __init__(self, path, number, lines):
        self.paragraphs, self.parameters, self.returns = [""], {}, ""
        self.needs = {}  # parameter: "(required) " or "(optional) "
        target = None
        for line in lines:
            field = re.match(r"- Parameter (\w+): (.*)|  - (\w+): (.*)|- Returns: (.*)|- (Parameters):$", line)
            if field and field[5]:
                target, self.returns = "", field[5]
            elif field and not field[6]:
                target = field[1] or field[3]
                self.parameters[target] = field[2] or field[4]
            elif field:
                target = "Parameters"
            elif target is None and not line:
                self.paragraphs.append("")
            elif target is None:
                self.paragraphs[-1] += (" " if self.paragraphs[-1] else "") + line
            elif target == "":
                self.returns += " " + line.strip()
            elif target in self.parameters and line.startswith("  "):
                self.parameters[target] += " " + line.strip()
            elif line:
                stop(path, number, f"documentation that has no place: {line}")
        self.paragraphs = [paragraph for paragraph in self.paragraphs if paragraph]

    def name_codes(self, codes):
        """Puts the name of each error code before its number."""
        def named(match):
            code = int(match[1])
            return f"{codes[code]} ({code})" if code in codes else match[0]

        def name_in(text):
            return re.sub(r"(?<![\w(.:-])(1\d{3})(?![\w)]|\.\d)", named, text)

        self.paragraphs = [name_in(text) for text in self.paragraphs]
        self.parameters = {name: name_in(text) for name, text in self.parameters.items()}
        self.returns = name_in(self.returns)

    def changed(self, parameters, returns):
        """The same paragraphs with other parameters and another result."""
        other = copy.copy(self)
        other.parameters, other.returns, other.needs = parameters, returns, {}
        return other

    def comment(self, skipped=(), returns=True, indent=""):
        lines = []
        for paragraph in self.paragraphs:
            lines += ([""] if lines else []) + wrap(paragraph, WIDTH - 3 - len(indent))
        fields = [(f"@param {name} ", self.needs.get(name, "") + text) for name, text in self.parameters.items()
                  if name not in skipped]
        if returns and self.returns:
            fields.append(("@return ", self.returns))
        lines += [""] if fields else []
        for start, text in fields:
            lines += textwrap.wrap(text.replace("`", ""), WIDTH - 3, initial_indent=start, subsequent_indent="    ",
                                   break_on_hyphens=False)
        if len(lines) == 1 and len(lines[0]) + len(indent) + 7 <= WIDTH:
            return [f"{indent}/** {lines[0]} */"]
        return [f"{indent}/**"] + [f"{indent} * {line}".rstrip() for line in lines] + [f"{indent} */"]


def wrap(text, width):
    return textwrap.wrap(text.replace("`", ""), width, break_on_hyphens=False)
