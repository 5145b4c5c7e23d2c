// Calls that answer at once, of msdk or of the floor. JSON lines on the standard output.
//
//   sync PEER LIBRARY
#include <dlfcn.h>

#include "bench.h"
#include "msdk.h"

static __typeof__(&vcx_error_c_message) error_message;
static __typeof__(&vcx_update_institution_info) update_info;

static void number(void) { if (!error_message(1003)) abort(); }
static void texts(void) {
  static const char *text = "0123456789012345678901234567890123456789";
  if (update_info(text, text)) abort();
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  void *library = dlopen(argv[2], RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  *(void **)&error_message = dlsym(library, "vcx_error_c_message");
  *(void **)&update_info = dlsym(library, "vcx_update_institution_info");
  if (!error_message || !update_info) return fprintf(stderr, "%s lacks a function\n", argv[2]), 1;
  bench_peer = argv[1];
  bench("ffi.sync_int", number);
  bench("ffi.sync_string", texts);
  return 0;
}
