// aries-askar through its C interface: what a call costs. JSON lines on the standard output.
//
//   askar LIBRARY FOLDER          FOLDER: for its store
#include <dlfcn.h>

#include "bench.h"

typedef int64_t err_t;
typedef struct { int64_t len; uint8_t *data; } buf_t;
typedef const void *handle_t;
typedef void (*cb_handle)(int64_t, err_t, size_t);
typedef void (*cb_str)(int64_t, err_t, char *);

#define API(X)                                                                                      \
  X(void, string_free, (char *))                                                                    \
  X(err_t, get_current_error, (const char **))                                                      \
  X(err_t, key_generate, (const char *, const char *, int8_t, handle_t *))                          \
  X(err_t, key_get_ephemeral, (handle_t, int8_t *))                                                 \
  X(err_t, key_get_algorithm, (handle_t, char **))                                                  \
  X(err_t, store_generate_raw_key, (buf_t, char **))                                                \
  X(err_t, store_provision, (const char *, const char *, const char *, const char *, int8_t, cb_handle, int64_t)) \
  X(err_t, store_get_profile_name, (size_t, cb_str, int64_t))
#define DECLARE(ret, name, args) static ret(*name) args;
API(DECLARE)

static void ok(err_t e) {
  const char *why = "?";
  if (!e) return;
  get_current_error(&why);
  fprintf(stderr, "askar error %" PRId64 ": %s\n", e, why);
  exit(1);
}

static handle_t key;
static size_t store;

static void on_handle(int64_t id, err_t e, size_t h) { (void)id, ok(e), store = h, bench_finish(); }
static void on_str(int64_t id, err_t e, char *s) {
  (void)id, ok(e);
  if (s) string_free(s);
  bench_finish();
}

static void ffi_int(void) { int8_t v; key_get_ephemeral(key, &v); }
static void ffi_str(void) { char *s; key_get_algorithm(key, &s), string_free(s); }
static void roundtrip(void) { ok(store_get_profile_name(store, on_str, 0)), bench_await(1); }
static void pipelined(void) {
  for (int i = 0; i < 1000; i++) ok(store_get_profile_name(store, on_str, i));
  bench_await(1000);
}

int main(int argc, char **argv) {
  char url[1024], *raw;
  if (argc != 3) return 2;
  void *lib = dlopen(argv[1], RTLD_NOW);
  if (!lib) return fprintf(stderr, "%s\n", dlerror()), 1;
#define LOAD(ret, name, args) \
  if (!(*(void **)&name = dlsym(lib, "askar_" #name))) return fprintf(stderr, "no askar_" #name "\n"), 1;
  API(LOAD)
  bench_peer = "askar";
  snprintf(url, sizeof url, "sqlite://%s/calls.db", argv[2]);
  ok(key_generate("ed25519", NULL, 0, &key));
  ok(store_generate_raw_key((buf_t){0, NULL}, &raw));
  ok(store_provision(url, "raw", raw, NULL, 1, on_handle, 0)), bench_await(1);
  bench("ffi.sync_int", ffi_int);
  bench("ffi.sync_string", ffi_str);
  bench_calls("ffi.async_roundtrip", roundtrip, 2000, 1, 0);
  bench_calls("ffi.async_pipelined", pipelined, 10, 1000, 0);
  return 0;
}
