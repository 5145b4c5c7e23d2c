"""Every text argument of every function with a callback: text that is no UTF-8 is refused, so is NULL where the text is
required, and a refused call never calls back. The error names the argument, and the header says which texts are optional.
Works from the table that the Python package uses, and from the header.

    arguments.py path/to/libmsdk.so
"""

import ctypes
import importlib.util
import itertools
import json
import re
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
specification = importlib.util.spec_from_file_location("_table", ROOT / "bindings/python/msdk_vcx/_table.py")
table = importlib.util.module_from_spec(specification)
specification.loader.exec_module(table)

INVALID_OPTION, INVALID_CONFIGURATION = 1007, 1004

# The text arguments that may be NULL, counted from the command handle as 0.
OPTIONAL = {
    "vcx_messages_download": {1, 2, 3},
    "vcx_download_agent_messages": {1, 2},
    "msdk_connection_accept": {1},
    "vcx_connection_accept_connection_invite": {3},
    "vcx_connection_create_outofband": {2, 3, 5},
    "vcx_connection_connect": {2},
    "vcx_connection_send_ping": {2},
    "vcx_connection_send_discovery_features": {2, 3},
    "vcx_connection_upgrade": {2},
    "vcx_credential_get_request_msg": {3},
    "vcx_credential_reject": {3},
    "vcx_disclosed_proof_decline_presentation_request": {3, 4},
    "vcx_issuer_create_credential": {3},
    "msdk_issuer_create_credential_with_options": {5},
    "msdk_issuer_credential_decline_proposal": {3},
    "msdk_credential_create_proposal": {3, 4},
    "msdk_credential_propose_instead": {4},
    "msdk_disclosed_proof_create_proposal_with_options": {4},
    "msdk_proof_create_with_options": {6},
    "msdk_proof_decline_proposal": {3},
    "vcx_credentialdef_create": {4},
    "vcx_credentialdef_create_with_id": {3, 4},
    "vcx_credentialdef_prepare_for_endorser": {4},
    "vcx_wallet_create_payment_address": {1},
    "vcx_get_request_price": {2},
    "vcx_pack_message": {5},
    "msdk_wallet_rekey": {2},
    "msdk_webvh_create": {2},
}

library = ctypes.CDLL(sys.argv[1])
library.vcx_get_current_error.argtypes = [ctypes.POINTER(ctypes.c_char_p)]
library.vcx_get_current_error.restype = None
header = (ROOT / "include/msdk.h").read_text()
# function: (its comment, the names of its arguments)
declared = {
    name: (comment, [re.split(r"[ *]", argument)[-1] for argument in arguments.replace("\n", " ").split(", ")])
    for comment, name, arguments in re.findall(r"/\*\*(.*?)\*/\n[\w *]*?\b((?:vcx|msdk)_\w+)\(([^()]*)\);", header, re.S)
}
bytes_type = ctypes.POINTER(ctypes.c_uint8)
data = (ctypes.c_uint8 * 4)(1, 2, 3, 4)
problems = []
delivered = {}
command_handles = itertools.count()


def receive(command_handle, *_):
    if command_handle not in delivered:
        problems.append(f"the refused call {command_handle} called back")
    else:
        delivered[command_handle].set()


callbacks = {name: shape(receive) for name, shape in table.CALLBACKS.items() if "log" not in name}


def fitting(kind):
    """An argument that passes every check."""
    if kind is ctypes.c_char_p:
        return b"1"
    if kind is bytes_type:
        return data
    return 4


def call(name, changed=None, value=None):
    """Calls with arguments that pass, but one. A call that starts is waited for."""
    result, kinds, callback = table.FUNCTIONS[name]
    function = library[name]
    function.restype, function.argtypes = result, [*kinds, table.CALLBACKS[callback]]
    arguments = [fitting(kind) for kind in kinds]
    arguments[0] = command_handle = next(command_handles)
    if changed is not None:
        arguments[changed] = value
    ended = threading.Event()
    delivered[command_handle] = ended
    code = function(*arguments, callbacks[callback])
    if code == 0 and not ended.wait(10):
        problems.append(f"{name} started and never ended")
    if code != 0:
        del delivered[command_handle]
    return code


def refuses(name, position, value, code):
    result = call(name, position, value)
    if result != code:
        problems.append(f"{name}, argument {position} = {value}: {result}, not {code}")
    told = ctypes.c_char_p()
    library.vcx_get_current_error(ctypes.byref(told))
    cause = json.loads(told.value)["cause"]
    argument = declared[name][1][position - (value == 0)]  # the length of bytes is refused under their name
    if f"the argument {argument} " not in cause:
        problems.append(f"{name}, argument {position} = {value}: {cause}, which does not name {argument}")


checked = 0
for name, (_, kinds, callback) in table.FUNCTIONS.items():
    if callback is None:
        continue
    for position, kind in enumerate(kinds):
        optional = position in OPTIONAL.get(name, ())
        if kind is ctypes.c_char_p:
            checked += 1
            said = f"@param {declared[name][1][position]} " + ("(optional)" if optional else "(required)")
            if said not in declared[name][0]:
                problems.append(f"the header does not say of {name}: {said}")
            refuses(name, position, b"\xff", INVALID_OPTION)
            absent = INVALID_CONFIGURATION if name == "vcx_init" else INVALID_OPTION
            if not optional:
                refuses(name, position, None, absent)
                refuses(name, position, b"", INVALID_OPTION)
            elif INVALID_OPTION in (call(name, position, None), call(name, position, b"")):
                problems.append(f"{name}, argument {position}: NULL or an empty text is refused")
        elif kind is bytes_type:
            checked += 1
            refuses(name, position, None, INVALID_OPTION)
            refuses(name, position + 1, 0, INVALID_OPTION)

print(f"{checked} arguments of {sum(1 for f in table.FUNCTIONS.values() if f[2])} functions")
sys.exit("\n".join(problems) or 0)
