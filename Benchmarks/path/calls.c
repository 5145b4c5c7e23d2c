// msdk through its C interface: the cost of a call with a callback, and the states of connections. JSON lines on the
// standard output.
//
//   calls LIBRARY STATE          STATE: a file with the serialized state of a completed connection
#include <dlfcn.h>
#include <malloc.h>

#include "bench.h"
#include "msdk.h"

#define API(X)                                                                                                    \
  X(vcx_connection_get_state) X(vcx_connection_deserialize) X(vcx_connection_serialize) X(vcx_connection_release) \
  X(vcx_get_current_error) X(vcx_wallet_validate_payment_address)
#define DECLARE(name) static __typeof__(&name) p_##name;
API(DECLARE)

static uint32_t one, opened[100000];
static long count;
static char *state;

static void ok(vcx_error_t e) {
  const char *why = "?";
  if (!e) return;
  p_vcx_get_current_error(&why);
  fprintf(stderr, "msdk error %u: %s\n", e, why);
  exit(1);
}
static void on_done(vcx_command_handle_t c, vcx_error_t e) { (void)c, ok(e), bench_finish(); }
static void on_text(vcx_command_handle_t c, vcx_error_t e, const char *t) { (void)c, (void)t, ok(e), bench_finish(); }
static void on_number(vcx_command_handle_t c, vcx_error_t e, uint32_t n) { (void)c, (void)n, ok(e), bench_finish(); }
static void on_opened(vcx_command_handle_t c, vcx_error_t e, uint32_t n) {
  (void)c, ok(e);
  opened[__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST)] = n;
  bench_finish();
}

static void roundtrip(void) { ok(p_vcx_connection_get_state(1, one, on_number)), bench_await(1); }
static void pipelined(void) {
  for (int i = 0; i < 1000; i++) ok(p_vcx_connection_get_state((vcx_command_handle_t)i, one, on_number));
  bench_await(1000);
}
static void pipelined_without_object(void) {
  for (int i = 0; i < 1000; i++) ok(p_vcx_wallet_validate_payment_address(i, "x", on_done));
  bench_await(1000);
}
static void serialize(void) {
  for (int i = 0; i < 1000; i++) ok(p_vcx_connection_serialize((vcx_command_handle_t)i, one, on_text));
  bench_await(1000);
}
static void deserialize(void) {
  count = 0;
  for (int i = 0; i < 1000; i++) ok(p_vcx_connection_deserialize((vcx_command_handle_t)i, state, on_opened));
  bench_await(1000);
  for (int i = 0; i < 1000; i++) p_vcx_connection_release(opened[i]);
}

// Memory and time of calls with more and more open connections.
static void growth(void) {
  static const long sizes[] = {10, 100, 1000, 10000, 100000};
  char metric[96];
  // The first connection brings the code into memory, 5 MB of the library's file.
  ok(p_vcx_connection_deserialize(1, state, on_opened)), bench_await(1);
  malloc_trim(0);
  long before = mem_kib("Rss:");
  count = 0;
  for (int s = 0; s < 5; s++) {
    for (long i = count; i < sizes[s]; i++) ok(p_vcx_connection_deserialize(1, state, on_opened)), bench_await(1);
    snprintf(metric, sizeof metric, "growth.connections.memory.%ld", sizes[s]);
    emit(metric, (double)(mem_kib("Rss:") - before) * 1024 / (double)sizes[s], "bytes");
    one = opened[sizes[s] / 2];
    snprintf(metric, sizeof metric, "growth.connections.call.%ld", sizes[s]);
    bench_calls(metric, pipelined, 10, 1000, 0);
  }
}

static char *read_file(const char *path) {
  char *text = calloc(1, 1 << 20);
  FILE *f = fopen(path, "r");
  if (!text || !f || !fread(text, 1, (1 << 20) - 1, f)) {
    perror(path);
    exit(1);
  }
  fclose(f);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  void *lib = dlopen(argv[1], RTLD_NOW);
  if (!lib) return fprintf(stderr, "%s\n", dlerror()), 1;
#define LOAD(name) \
  if (!(*(void **)&p_##name = dlsym(lib, #name))) return fprintf(stderr, "no " #name "\n"), 1;
  API(LOAD)
  bench_peer = "msdk";
  state = read_file(argv[2]);
  if (getenv("BENCH_ONLY") && !strcmp(getenv("BENCH_ONLY"), "growth")) return growth(), 0;
  ok(p_vcx_connection_deserialize(1, state, on_opened)), bench_await(1);
  one = opened[0];
  bench_calls("ffi.async_roundtrip", roundtrip, 2000, 1, 0);
  bench_calls("ffi.async_pipelined", pipelined, 10, 1000, 0);
  bench_calls("ffi.async_pipelined.no_object", pipelined_without_object, 10, 1000, 0);
  bench_calls("state.serialize", serialize, 2, 1000, 1);
  bench_calls("state.deserialize", deserialize, 2, 1000, 1);
  return 0;
}
