/* The log. */
#include "standin.h"

#include <pthread.h>

typedef void (*log_cb)(const void *, uint32_t, const char *, const char *, const char *, const char *, uint32_t);

static void *log_once(void *callback) {
  ((log_cb)callback)(NULL, 2, "wallet", "opened slowly", "", "", 7);
  ((log_cb)callback)(NULL, 5, "wallet", "too much detail", "", "", 8);
  return NULL;
}

static bool has_logger;
static uint32_t log_level;
static void *logger;

/* Writes to the log as a thread of the library does. */
void standin_log(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, log_once, logger)) abort();
  pthread_join(thread, NULL);
}

uint32_t standin_log_level(void) { return log_level; }

uint32_t vcx_set_log_max_lvl(uint32_t level) {
  log_level = level;
  return 0;
}

uint32_t vcx_set_logger_with_max_lvl(const void *context, void *enabled, void *log, void *flush, uint32_t level) {
  if (context || enabled || flush) return fail(1007, "unexpected arguments");
  if (has_logger) return fail(1090, "there is a logger already");
  has_logger = true;
  logger = log;
  log_level = level;
  return 0;
}
