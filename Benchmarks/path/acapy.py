"""The time that ACA-Py takes to pack and unpack an envelope, without a wallet. JSON lines on the standard output."""

import asyncio
import json
import os
import time

from aries_askar import Key, KeyAlg
from aries_cloudagent.askar.didcomm.v1 import pack_message, unpack_message
from aries_cloudagent.wallet.util import bytes_to_b58

RUNS = int(os.environ.get("BENCH_RUNS", 9))
BATCH = int(os.environ.get("BENCH_MS", 20)) * 1_000_000
ONLY = os.environ.get("BENCH_ONLY", "")


def emit(metric, peer, values, unit):
    values = sorted(values)
    print(json.dumps({"metric": metric, "peer": peer, "value": round(values[len(values) // 2], 3), "unit": unit,
                      "min": round(values[0], 3), "max": round(values[-1], 3), "runs": len(values), "threads": 1}),
          flush=True)


async def bench(metric, peer, fn):
    """Median CPU nanoseconds of fn(), which may return an awaitable."""
    if not metric.startswith(ONLY):
        return
    async def batch(n):
        start = time.process_time_ns()
        for _ in range(n):
            result = fn()
            if asyncio.iscoroutine(result):
                await result
        return (time.process_time_ns() - start) / n

    await batch(1)
    n = max(1, int(BATCH / await batch(3)))
    emit(metric, peer, [await batch(n) for _ in range(RUNS)], "ns/op")


class OneKey:
    """Stands in for a wallet session, so that unpack's own cost shows without the wallet's."""

    def __init__(self, key):
        self.key = key

    async def fetch_key(self, _name):
        return self


async def envelopes():
    me, them = Key.generate(KeyAlg.ED25519), Key.generate(KeyAlg.ED25519)
    name = bytes_to_b58(them.get_public_bytes())
    for size, label in ((1 << 10, "1k"), (1 << 16, "64k"), (1 << 20, "1m")):
        message = os.urandom(size // 2).hex().encode()
        for mode, sender in (("auth", me), ("anon", None)):
            packed = pack_message([name], sender, message)
            end = f"{mode}.{label}.r1"
            await bench(f"envelope.pack.{end}", "acapy", lambda: pack_message([name], sender, message))
            await bench(f"envelope.unpack.{end}", "acapy", lambda: unpack_message(OneKey(them), packed))


async def main():
    await envelopes()


asyncio.run(main())
