"""The name that `msdk_vcx` had before. It goes with the next version."""

import sys
import warnings

import msdk_vcx
from msdk_vcx import *  # noqa: F403  for readers of types; at run time the name leads to the package itself

warnings.warn("the package msdk is called msdk_vcx now", DeprecationWarning, stacklevel=2)

for _name, _module in list(sys.modules.items()):
    if _name.startswith("msdk_vcx."):
        sys.modules[_name.replace("msdk_vcx", __name__, 1)] = _module
sys.modules[__name__] = msdk_vcx
