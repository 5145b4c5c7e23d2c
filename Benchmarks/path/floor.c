// The floor of envelopes, measured. JSON lines on the standard output.
#include "bench.h"
#include "envelope.h"

static size_t size;  // of the message of the running metric
static int auth, recips;
static uint8_t msg[BIG], plain[BIG];
static char envelope[BIG * 4 / 3 + 8192], wire[sizeof envelope];  // the one that unpack reads, and the one that pack makes
static size_t envelope_len;

static void pack(void) { envelope_pack(wire, msg, size, auth, recips); }
// With the last recipient's key: the longest search.
static void unpack(void) { envelope_unpack(plain, envelope, envelope_len, auth, &them[recips - 1]); }

int main(void) {
  static const struct { const char *name; size_t n; } sizes[] = {{"100", 100}, {"1k", 1 << 10}, {"64k", 1 << 16}, {"1m", BIG}};
  char metric[96];
  bench_peer = "floor";
  envelope_begin();
  memset(msg, 'm', BIG);
  for (auth = 0; auth < 2; auth++)
    for (recips = 1; recips <= 3; recips += 2)
      for (int i = 0; i < 4; i++) {
        if (recips > 1 && sizes[i].n != 1 << 10) continue;
        size = sizes[i].n;
        envelope_len = envelope_pack(envelope, msg, size, auth, recips);
        const char *mode = auth ? "auth" : "anon";
        snprintf(metric, sizeof metric, "envelope.pack.%s.%s.r%d", mode, sizes[i].name, recips), bench(metric, pack);
        snprintf(metric, sizeof metric, "envelope.unpack.%s.%s.r%d", mode, sizes[i].name, recips), bench(metric, unpack);
      }
  return 0;
}
