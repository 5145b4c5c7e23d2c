// Several agents in one process: the memory of an idle agent, and the cost of calls for a selected agent. JSON lines on the
// standard output.
//
//   agents PROVISIONING COUNT          PROVISIONING: a request of vcx_agent_provision_async with two %ld, for name and wallet
#include <malloc.h>

#include "../path/bench.h"
#include "msdk_wait.h"

enum { CALLS = 1000, ROUNDS = 3 };

static struct msdk_wait w = MSDK_WAIT;
static uint32_t of_standard, of_selected, object;

static void check(vcx_error_t error) {
  const char *details = w.details;
  if (!error && !w.error) return;
  if (!details) vcx_get_current_error(&details);
  fprintf(stderr, "msdk error %u: %s\n", error ? error : w.error, details);
  exit(1);
}

static void on_done(vcx_command_handle_t c, vcx_error_t e) { (void)c, check(e), bench_finish(); }
static void on_number(vcx_command_handle_t c, vcx_error_t e, uint32_t n) { (void)c, (void)n, check(e), bench_finish(); }

static char *provisioned(const char *request, long number) {
  char text[4096];
  snprintf(text, sizeof text, request, number, number);
  char *config = msdk_text(&w, vcx_agent_provision_async, text) ? strdup(w.text) : NULL;
  check(0);
  return config;
}

// An agent at rest: it has an account, an open wallet, and an invitation with a mailbox, which the wallet keeps.
static uint32_t invite(void) {
  uint32_t connection = msdk_number(&w, vcx_connection_create, "guest");
  msdk_text(&w, vcx_connection_connect, connection, "{}");
  check(0);
  return connection;
}

static uint32_t opened(const char *request, long number) {
  char *config = provisioned(request, number);
  uint32_t agent = msdk_number(&w, msdk_agent_open, config);
  check(w.error);
  free(config);
  return agent;
}

static void with_object(void) {
  for (int i = 0; i < CALLS; i++) check(vcx_connection_get_state((vcx_command_handle_t)i, object, on_number));
  bench_await(CALLS);
}

static void without_object(void) {
  for (int i = 0; i < CALLS; i++) check(vcx_wallet_validate_payment_address(i, "x", on_done));
  bench_await(CALLS);
}

static double processor_time(uint32_t agent, uint32_t connection, bench_fn calls) {
  check(msdk_agent_select(agent));
  object = connection;
  uint64_t start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < ROUNDS; i++) calls();
  return (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start) / (ROUNDS * CALLS);
}

// The agents take many short turns, so that other load on the machine meets both: the ratio is the median of the turns'.
static void compare(const char *metric, uint32_t agent, bench_fn calls) {
  enum { TURNS = 301 };
  double standard[TURNS], selected[TURNS], ratio[TURNS];
  char name[96];
  processor_time(0, of_standard, calls), processor_time(agent, of_selected, calls);
  for (int turn = 0; turn < TURNS; turn++) {
    // The second one may find warmer caches.
    if (turn % 2) selected[turn] = processor_time(agent, of_selected, calls);
    standard[turn] = processor_time(0, of_standard, calls);
    if (turn % 2 == 0) selected[turn] = processor_time(agent, of_selected, calls);
    ratio[turn] = selected[turn] / standard[turn];
  }
  snprintf(name, sizeof name, "agents.call.%s.standard", metric), emit_all(name, standard, TURNS, "ns/op", 1);
  snprintf(name, sizeof name, "agents.call.%s.selected", metric), emit_all(name, selected, TURNS, "ns/op", 1);
  snprintf(name, sizeof name, "agents.call.%s.ratio", metric), emit_all(name, ratio, TURNS, "times", 1);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  long count = atol(argv[2]);
  bench_peer = "msdk";
  char *config = provisioned(argv[1], 0);
  msdk_done(&w, vcx_init_with_config, config);
  check(w.error);
  free(config);
  of_standard = invite();

  // The first further agent brings code into memory that all others share.
  uint32_t agent = opened(argv[1], 1);
  check(msdk_agent_select(agent));
  of_selected = invite();
  malloc_trim(0);
  long before = mem_kib("Rss:");
  for (long i = 0; i < count; i++) {
    check(msdk_agent_select(opened(argv[1], 2 + i)));
    invite();
    check(msdk_agent_select(0));
  }
  malloc_trim(0);
  emit("agents.memory.each", (double)(mem_kib("Rss:") - before) / 1024 / (double)count, "MB");

  compare("object", agent, with_object);
  compare("no_object", agent, without_object);
  check(msdk_agent_select(0));
  msdk_wait_free(&w);
  return (int)vcx_shutdown(false);
}
