"""python -m msdk_vcx: `demo` runs the demo, `version` prints the library's version."""

from __future__ import annotations

import argparse
import sys

from . import _demo, version


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m msdk_vcx", description="msdk for Python")
    parser.add_argument("action", choices=["demo", "version"], help="run the demo, or print the library's version")
    if parser.parse_args().action == "demo":
        return _demo.main()
    print(version())
    return 0


if __name__ == "__main__":
    sys.exit(main())
