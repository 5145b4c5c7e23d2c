/* Calls: errors, callbacks on threads of this library, the end of callbacks, releases. */
#include "standin.h"

#include <pthread.h>

static __thread char current[160];
static __thread bool has_current;

uint32_t fail(uint32_t code, const char *cause) {
  snprintf(current, sizeof current,
           "{\"backtrace\":null,\"cause\":\"%s\",\"error\":\"e\",\"message\":\"Error: e\\n  Caused by: %s\\n\"}",
           cause, cause);
  has_current = true;
  return code;
}

void vcx_get_current_error(const char **json) { *json = has_current ? current : NULL; }

/* Held by a callback while it runs. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static bool is_closed;

uint32_t msdk_end_callbacks(void) {
  pthread_mutex_lock(&gate);
  is_closed = true;
  pthread_mutex_unlock(&gate);
  return 0;
}

const char *vcx_version(void) { return "1.2.3+abcdef0"; }

static uint32_t last_released, releases;

uint32_t vcx_connection_release(uint32_t handle) {
  __atomic_store_n(&last_released, handle, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&releases, 1, __ATOMIC_SEQ_CST);
  return 0;
}

uint32_t standin_releases(void) { return __atomic_load_n(&releases, __ATOMIC_SEQ_CST); }

uint32_t standin_last_released(void) { return __atomic_load_n(&last_released, __ATOMIC_SEQ_CST); }

/* One answer on its way to a callback. */
struct answer {
  void *callback;
  uint32_t command, way;
  bool is_number;
};

static void answer_text(const struct answer *answer) {
  string_cb callback = (string_cb)answer->callback;
  switch (answer->way) {
  case 2: /* an error whose details belong to this thread */
    callback(answer->command, fail(1003, "told on the callback's thread"), NULL);
    break;
  case 3: /* text that does not outlive the callback */ {
    char *text = strdup("Gr\xc3\xbc\xc3\x9f"
                        "e");
    callback(answer->command, 0, text);
    memset(text, 'x', strlen(text));
    free(text);
    break;
  }
  case 4: callback(answer->command, 0, NULL); break;
  case 5: callback(answer->command, 0, "\xff\xfe"); break;
  case 6: /* twice, which the contract forbids */
    callback(answer->command, 0, "first");
    callback(answer->command, 0, "second");
    break;
  default: callback(answer->command, 0, "text"); break;
  }
}

/* Answers again and again, until callbacks end. */
static void *answer_until_the_end(const struct answer *answer) {
  bool goes_on = true;
  while (goes_on) {
    pthread_mutex_lock(&gate);
    goes_on = !is_closed;
    if (goes_on) ((string_cb)answer->callback)(answer->command, 0, "text");
    pthread_mutex_unlock(&gate);
    usleep(10);
  }
  return NULL;
}

static void *run(void *argument) {
  struct answer *answer = argument;
  if (answer->way == 7) usleep(100000);
  if (answer->way == 9) return answer_until_the_end(answer);
  if (answer->is_number)
    ((number_cb)answer->callback)(answer->command, 0, 77);
  else
    answer_text(answer);
  free(answer);
  return NULL;
}

/* Answers from a thread of its own; with `wait` the callback has returned before this returns. */
static uint32_t post(void *callback, uint32_t command, uint32_t way, bool is_number, bool wait) {
  struct answer *answer = malloc(sizeof *answer);
  pthread_t thread;
  if (!answer) abort();
  *answer = (struct answer){callback, command, way, is_number};
  if (pthread_create(&thread, NULL, run, answer)) abort();
  if (wait)
    pthread_join(thread, NULL);
  else
    pthread_detach(thread);
  return 0;
}

uint32_t vcx_connection_serialize(uint32_t command, uint32_t handle, string_cb callback) {
  if (handle == 1) return fail(1007, "refused at once");
  return post((void *)callback, command, handle, false, handle == 8);
}

uint32_t vcx_connection_deserialize(uint32_t command, const char *data, number_cb callback) {
  return post((void *)callback, command, data[0] == 's' ? 7 : 0, true, false);
}
