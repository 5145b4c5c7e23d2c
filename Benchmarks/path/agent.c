// One msdk process that does what it is told, a command a line. It answers each with a line: the error's number, the
// nanoseconds that passed, those of the process's processor, and the result, separated by tabs. network.py drives it.
//
//   provision JSON | init JSON | invite | accept JSON | connect H | update H [TIMES] | serialize H | deserialize JSON |
//   release H | did H | send H COUNT SIZE (together) | ping H | download STATUS DID | many COUNT | updates COUNT | memory
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "msdk_wait.h"

static uint64_t ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static long resident(void) {  // KiB
  char line[256];
  long kib = -1;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "VmRSS:", 6)) kib = atol(line + 6);
  if (f) fclose(f);
  return kib;
}

static struct msdk_wait w = MSDK_WAIT;
static uint32_t *handles;
static long n_handles, pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static void sent(vcx_command_handle_t c, vcx_error_t e, const char *t) {
  (void)c, (void)t;
  pthread_mutex_lock(&lock);
  if (e) fprintf(stderr, "send: %u\n", e);
  pending--;
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&lock);
}

// Basic messages of `size` bytes of text, all calls at once.
static void send_together(uint32_t h, long count, long size) {
  char *body = malloc((size_t)size + 1);
  memset(body, 'm', (size_t)size), body[size] = 0;
  pthread_mutex_lock(&lock), pending += count, pthread_mutex_unlock(&lock);
  for (long i = 0; i < count; i++)
    if (vcx_connection_send_message(0, h, body, "{}", sent)) abort();
  pthread_mutex_lock(&lock);
  while (pending) pthread_cond_wait(&wake, &lock);
  pthread_mutex_unlock(&lock);
  free(body);
}

static uint32_t invite(const char **text) {
  uint32_t h = msdk_number(&w, vcx_connection_create, "guest");
  *text = msdk_text(&w, vcx_connection_connect, h, NULL);
  return h;
}

// So many connections that wait for somebody, each with its mailbox.
static void make_many(long count) {
  const char *text;
  handles = realloc(handles, (size_t)(n_handles + count) * sizeof *handles);
  for (long i = 0; i < count; i++) handles[n_handles++] = invite(&text);
}

static long occurrences(const char *text, const char *word) {
  long count = 0;
  for (const char *p = text; p && (p = strstr(p, word)); p++) count++;
  return count;
}

// Does one command. `result` receives a number, if it has one; a text is returned.
static const char *perform(const char *command, const char *arg, char *result, size_t room) {
  char *end;
  uint32_t h = (uint32_t)strtoul(arg, &end, 10);
  const char *text = NULL;
  if (!strcmp(command, "provision")) return msdk_text(&w, vcx_agent_provision_async, arg);
  if (!strcmp(command, "serialize")) return msdk_text(&w, vcx_connection_serialize, h);
  if (!strcmp(command, "did")) return msdk_text(&w, vcx_connection_get_pw_did, h);
  if (!strcmp(command, "init")) msdk_done(&w, vcx_init_with_config, arg);
  else if (!strcmp(command, "invite")) snprintf(result, room, "%u ", invite(&text));
  else if (!strcmp(command, "accept")) snprintf(result, room, "%u", msdk_number(&w, vcx_connection_create_with_invite, "host", arg));
  else if (!strcmp(command, "connect")) msdk_text(&w, vcx_connection_connect, h, NULL);
  else if (!strcmp(command, "deserialize")) snprintf(result, room, "%u", msdk_number(&w, vcx_connection_deserialize, arg));
  else if (!strcmp(command, "release")) vcx_connection_release(h);
  else if (!strcmp(command, "ping")) msdk_done(&w, vcx_connection_send_ping, h, "p");
  else if (!strcmp(command, "many")) make_many(h);
  else if (!strcmp(command, "memory")) snprintf(result, room, "%ld", resident());
  else if (!strcmp(command, "update")) {
    uint32_t state = 0;
    for (long i = *end ? atol(end) : 1; i > 0; i--) state = msdk_number(&w, vcx_connection_update_state, h);
    snprintf(result, room, "%u", state);
  } else if (!strcmp(command, "updates")) {
    for (long i = 0; i < (long)h; i++) msdk_number(&w, vcx_connection_update_state, handles[i % n_handles]);
  } else if (!strcmp(command, "send")) {
    long count = strtol(end, &end, 10);
    send_together(h, count, atol(end));
  } else if (!strcmp(command, "download")) {
    char status[16], did[64];
    if (sscanf(arg, "%15s %63s", status, did) != 2) exit(2);
    const char *messages = msdk_text(&w, vcx_messages_download, status, NULL, strcmp(did, "-") ? did : NULL);
    snprintf(result, room, "%ld", occurrences(messages, "\"uid\":"));
  } else {
    fprintf(stderr, "unknown command: %s\n", command);
    exit(2);
  }
  return text;
}

int main(void) {
  char *line = NULL;
  size_t room = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (getline(&line, &room, stdin) > 0) {
    char result[64] = "";
    line[strcspn(line, "\n")] = 0;
    char *arg = strchr(line, ' ');
    if (arg) *arg++ = 0;
    else arg = line + strlen(line);
    uint64_t wall = ns(CLOCK_MONOTONIC), cpu = ns(CLOCK_PROCESS_CPUTIME_ID);
    const char *text = perform(line, arg, result, sizeof result);
    wall = ns(CLOCK_MONOTONIC) - wall, cpu = ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%u\t%llu\t%llu\t%s%s\n", w.error, (unsigned long long)wall, (unsigned long long)cpu, result, text ? text : "");
    if (w.error) fprintf(stderr, "%s: %s\n", line, w.details);
    w.error = 0;
  }
  return 0;
}
