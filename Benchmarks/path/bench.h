// Timing and JSON lines for the drivers in C. BENCH_ONLY restricts a run to metrics that begin with it, BENCH_RUNS and
// BENCH_MS set the number and the length of its turns.
#pragma once
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*bench_fn)(void);

static const char *bench_peer = "?";
static const char *bench_only;  // BENCH_ONLY: the metrics, or the group of metrics, to run

static uint64_t clock_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static inline uint64_t wall_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

static long env_long(const char *name, long fallback) {
  const char *s = getenv(name);
  return s && *s ? atol(s) : fallback;
}

static int bench_wants(const char *metric) {
  if (!bench_only) bench_only = getenv("BENCH_ONLY") ? getenv("BENCH_ONLY") : "";
  size_t a = strlen(metric), b = strlen(bench_only);
  return strncmp(metric, bench_only, a < b ? a : b) == 0;
}

static int cmp_double(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Prints the median of v[0..n), with the extremes.
static double emit_all(const char *metric, double *v, int n, const char *unit, int threads) {
  qsort(v, (size_t)n, sizeof *v, cmp_double);
  double mid = v[n / 2];
  printf("{\"metric\":\"%s\",\"peer\":\"%s\",\"value\":%.6g,\"unit\":\"%s\",\"min\":%.6g,"
         "\"max\":%.6g,\"runs\":%d,\"threads\":%d}\n",
         metric, bench_peer, mid, unit, v[0], v[n - 1], n, threads);
  fflush(stdout);
  return mid;
}
static inline double emit(const char *metric, double value, const char *unit) {
  return emit_all(metric, &value, 1, unit, 1);
}

// Prints the median time of fn on this thread's processor, of BENCH_RUNS turns of some BENCH_MS milliseconds.
static inline double bench(const char *metric, bench_fn fn) {
  if (!bench_wants(metric)) return 0;
  int runs = (int)env_long("BENCH_RUNS", 9);
  double target = 1e6 * (double)env_long("BENCH_MS", 20), v[runs];
  clockid_t clk = CLOCK_THREAD_CPUTIME_ID;
  uint64_t n = 1, t;
  for (fn();; n *= 2) {
    t = clock_ns(clk);
    for (uint64_t i = 0; i < n; i++) fn();
    t = clock_ns(clk) - t;
    if ((double)t > target / 4) break;
  }
  n = (uint64_t)(target * (double)n / (double)t) + 1;
  for (int r = 0; r < runs; r++) {
    t = clock_ns(clk);
    for (uint64_t i = 0; i < n; i++) fn();
    v[r] = (double)(clock_ns(clk) - t) / (double)n;
  }
  return emit_all(metric, v, runs, "ns/op", 1);
}

// Waiting for callbacks: a callback calls bench_finish, the caller waits for so many of them.
static pthread_mutex_t bench_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bench_wake = PTHREAD_COND_INITIALIZER;
static long bench_finished;

static inline void bench_finish(void) {
  pthread_mutex_lock(&bench_lock);
  bench_finished++;
  pthread_cond_signal(&bench_wake);
  pthread_mutex_unlock(&bench_lock);
}
static inline void bench_await(long count) {
  pthread_mutex_lock(&bench_lock);
  while (bench_finished < count) pthread_cond_wait(&bench_wake, &bench_lock);
  bench_finished = 0;
  pthread_mutex_unlock(&bench_lock);
}

// For calls that are answered on another thread. Prints the median of nine turns of `calls` calls of fn, each of
// `each` operations: the time that passed and, as METRIC.cpu, that of the processor; or operations per second of it.
static inline void bench_calls(const char *metric, bench_fn fn, int calls, int each, int per_second) {
  double wall[9], cpu[9];
  char name[128];
  if (!bench_wants(metric)) return;
  fn();
  for (int r = 0; r < 9; r++) {
    uint64_t t = wall_ns(), u = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < calls; i++) fn();
    wall[r] = (double)(wall_ns() - t) / calls / each;
    cpu[r] = (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - u) / calls / each;
    if (per_second) cpu[r] = 1e9 / cpu[r];
  }
  if (per_second) {
    emit_all(metric, cpu, 9, "op/s", 1);
    return;
  }
  emit_all(metric, wall, 9, "ns/op", 1);
  snprintf(name, sizeof name, "%s.cpu", metric), emit_all(name, cpu, 9, "ns/op", 1);
}

// One line of /proc/self/smaps_rollup in KiB, e.g. mem_kib("Rss:").
static inline long mem_kib(const char *field) {
  char line[256];
  long kib = -1;
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, field, strlen(field)) == 0) kib = atol(line + strlen(field));
  if (f) fclose(f);
  return kib;
}
