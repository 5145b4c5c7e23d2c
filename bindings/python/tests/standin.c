/* Stands in for libmsdk in the tests of the Python layer: each function behaves in one way that the layer must cope
 * with. Answers come on threads of this library. The argument `handle`, or the text's first letter, picks the way. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*void_cb)(uint32_t, uint32_t);
typedef void (*string_cb)(uint32_t, uint32_t, const char *);
typedef void (*number_cb)(uint32_t, uint32_t, uint32_t);
typedef void (*number_string_cb)(uint32_t, uint32_t, uint32_t, const char *);
typedef void (*bytes_cb)(uint32_t, uint32_t, const uint8_t *, uint32_t);
typedef void (*log_cb)(const void *, uint32_t, const char *, const char *, const char *, const char *, uint32_t);

static __thread char current[160];
static __thread bool has_current;

static uint32_t fail(uint32_t code, const char *cause) {
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

/* Credentials and proofs, each with the handle 77. */
static uint32_t created(uint32_t command, number_cb callback) {
  callback(command, 0, 77);
  return 0;
}

static uint32_t released(uint32_t handle) { return vcx_connection_release(handle); }

uint32_t vcx_credential_create_with_offer(uint32_t command, const char *source, const char *offer, number_cb callback) {
  if (strcmp(source, "credential") != 0 || strcmp(offer, "{\"@id\": \"1\"}") != 0) return fail(1043, "not the offer");
  return created(command, callback);
}

uint32_t vcx_credential_create_with_msgid(uint32_t command, const char *source, uint32_t connection, const char *uid,
                                          number_string_cb callback) {
  if (strcmp(source, "credential") != 0 || connection != 77 || strcmp(uid, "7") != 0) return fail(1020, "no offer");
  callback(command, 0, 77, "{}");
  return 0;
}

uint32_t vcx_credential_release(uint32_t handle) { return released(handle); }

uint32_t vcx_credential_parse_offer(uint32_t command, const char *offer, string_cb callback) {
  (void)offer;
  callback(command, 0,
           "{\"name\":\"degree\",\"attributes\":[{\"name\":\"age\",\"value\":\"28\"}],\"cred_def_id\":\"d\","
           "\"schema_id\":\"s\",\"thid\":\"t\"}");
  return 0;
}

uint32_t vcx_credential_get_info(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0,
           "{\"referent\":\"c\",\"attrs\":{\"age\":\"28\"},\"schema_id\":\"s\",\"cred_def_id\":\"d\","
           "\"rev_reg_id\":null,\"cred_rev_id\":null}");
  return 0;
}

uint32_t vcx_credential_send_request(uint32_t command, uint32_t handle, uint32_t connection, uint32_t payment,
                                     void_cb callback) {
  if (handle != 77 || connection != 0 || payment != 0) return fail(1003, "not without a connection");
  callback(command, 0);
  return 0;
}

uint32_t vcx_credential_get_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  callback(command, 0, 3);
  return 0;
}

uint32_t vcx_delete_credential(uint32_t command, uint32_t handle, void_cb callback) {
  (void)handle;
  callback(command, fail(1073, "it is deleted already"));
  return 0;
}

/* The text that a proof is made from is the credentials that fit; what is chosen is the text of the proof. */
static char matching[4096], chosen[2048];

uint32_t vcx_disclosed_proof_create_with_request(uint32_t command, const char *source, const char *request,
                                                 number_cb callback) {
  (void)source;
  snprintf(matching, sizeof matching, "%s", request);
  return created(command, callback);
}

uint32_t vcx_disclosed_proof_release(uint32_t handle) { return released(handle); }

uint32_t vcx_disclosed_proof_retrieve_credentials(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, matching);
  return 0;
}

uint32_t vcx_disclosed_proof_generate_proof(uint32_t command, uint32_t handle, const char *selected,
                                            const char *attested, void_cb callback) {
  (void)handle;
  snprintf(chosen, sizeof chosen, "[%s,%s]", selected, attested);
  callback(command, 0);
  return 0;
}

uint32_t vcx_disclosed_proof_serialize(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, chosen);
  return 0;
}

/* Each way to decline says which it was. */
uint32_t vcx_disclosed_proof_reject_proof(uint32_t command, uint32_t handle, uint32_t connection, void_cb callback) {
  (void)handle, (void)connection;
  snprintf(chosen, sizeof chosen, "without a word");
  callback(command, 0);
  return 0;
}

uint32_t vcx_disclosed_proof_decline_presentation_request(uint32_t command, uint32_t handle, uint32_t connection,
                                                          const char *reason, const char *proposal, void_cb callback) {
  (void)handle, (void)connection;
  snprintf(chosen, sizeof chosen, "%s|%s", reason ? reason : "-", proposal ? proposal : "-");
  callback(command, 0);
  return 0;
}

/* The handle tells which function made the connection: 1 from a connection invitation, 2 from an out-of-band one. */
static char last_source[64];

static uint32_t create(uint32_t command, const char *source, number_cb callback, uint32_t handle) {
  snprintf(last_source, sizeof last_source, "%s", source);
  callback(command, 0, handle);
  return 0;
}

const char *standin_last_source(void) { return last_source; }

uint32_t vcx_connection_create_with_invite(uint32_t command, const char *source, const char *invitation,
                                           number_cb callback) {
  (void)invitation;
  return create(command, source, callback, 1);
}

uint32_t vcx_connection_create_with_outofband_invitation(uint32_t command, const char *source, const char *invitation,
                                                         number_cb callback) {
  (void)invitation;
  return create(command, source, callback, 2);
}

static bool is_running;

bool standin_is_running(void) { return is_running; }

static uint32_t init(uint32_t command, const char *config, const char *expected, void_cb callback) {
  if (strcmp(config, expected) != 0) return fail(1004, "not the configuration that was sent");
  is_running = true;
  callback(command, 0);
  return 0;
}

uint32_t vcx_init_with_config(uint32_t command, const char *config, void_cb callback) {
  return init(command, config, "{\"wallet_key\": \"x\"}", callback);
}

struct start {
  void_cb callback;
  uint32_t command;
};

static void *start_slowly(void *argument) {
  struct start *start = argument;
  usleep(100000);
  is_running = true;
  start->callback(start->command, 0);
  free(start);
  return NULL;
}

uint32_t vcx_init(uint32_t command, const char *path, void_cb callback) {
  if (strcmp(path, "/slow") != 0) return init(command, path, "/the/configuration", callback);
  struct start *start = malloc(sizeof *start);
  pthread_t thread;
  if (!start) abort();
  *start = (struct start){callback, command};
  if (pthread_create(&thread, NULL, start_slowly, start)) abort();
  pthread_detach(thread);
  return 0;
}

uint32_t vcx_shutdown(bool delete) {
  is_running = delete;
  return 0;
}

uint32_t vcx_connection_send_ping(uint32_t command, uint32_t handle, const char *comment, void_cb callback) {
  (void)handle;
  if (comment && strcmp(comment, "\xe2\x82\xac") != 0) return fail(1007, "not the comment that was sent");
  callback(command, 0); /* on the caller's own thread: kinder than the contract, and to be survived */
  return 0;
}

uint32_t vcx_connection_sign_data(uint32_t command, uint32_t handle, const uint8_t *data, uint32_t length,
                                  bytes_cb callback) {
  (void)handle;
  uint8_t reversed[64];
  if (length > sizeof reversed) return fail(1007, "too long");
  for (uint32_t i = 0; i < length; i++) reversed[i] = data[length - 1 - i];
  callback(command, 0, reversed, length);
  return 0;
}

/* The next states of connections, credentials and proofs, a digit each; the last one stays. No connection has a DID then. The mailbox has the first text
 * until a connection is updated, and then the second one. */
static char states[32], mailbox[2][2048], marked[256];
static uint32_t connects, updates;

void standin_states(const char *digits) {
  snprintf(states, sizeof states, "%s", digits);
  connects = updates = 0;
}

void standin_mailbox(const char *before, const char *after) {
  snprintf(mailbox[0], sizeof mailbox[0], "%s", before);
  snprintf(mailbox[1], sizeof mailbox[1], "%s", after);
}

const char *standin_marked(void) { return marked; }

uint32_t standin_connects(void) { return connects; }

uint32_t standin_updates(void) { return updates; }

static uint32_t tell_state(uint32_t command, number_cb callback) {
  callback(command, 0, (uint32_t)(states[0] - '0'));
  return 0;
}

static uint32_t next_state(uint32_t command, number_cb callback) {
  if (states[1]) memmove(states, states + 1, strlen(states));
  return tell_state(command, callback);
}

uint32_t vcx_connection_get_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  return tell_state(command, callback);
}

uint32_t vcx_connection_update_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  memcpy(mailbox[0], mailbox[1], sizeof mailbox[0]);
  updates++;
  return next_state(command, callback);
}

uint32_t vcx_credential_update_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  return next_state(command, callback);
}

uint32_t vcx_disclosed_proof_update_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  return next_state(command, callback);
}

/* Its own DID, once the connection has one. */
uint32_t vcx_connection_get_pw_did(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, connects ? "did" : "");
  return 0;
}

uint32_t vcx_connection_connect(uint32_t command, uint32_t handle, const char *options, string_cb callback) {
  (void)handle, (void)options;
  connects++;
  callback(command, 0, "{}");
  return 0;
}

static uint32_t report(uint32_t command, string_cb callback) {
  callback(command, 0, "{\"description\":{\"code\":\"no\",\"en\":\"not with you\"}}");
  return 0;
}

uint32_t vcx_connection_get_problem_report(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  return report(command, callback);
}

uint32_t vcx_disclosed_proof_get_problem_report(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  return report(command, callback);
}

uint32_t vcx_connection_info(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, "{\"their\":{\"recipientKeys\":[\"peer\"]}}");
  return 0;
}

uint32_t vcx_messages_update_status(uint32_t command, const char *status, const char *uids, void_cb callback) {
  snprintf(marked, sizeof marked, "%s %s", status, uids);
  callback(command, 0);
  return 0;
}

/* The invitation of every URL. */
uint32_t vcx_resolve_message_by_url(uint32_t command, const char *url, string_cb callback) {
  char text[200];
  snprintf(text, sizeof text, "{\"@type\":\"https://didcomm.org/out-of-band/1.1/invitation\",\"@id\":\"%s\"}", url);
  callback(command, 0, text);
  return 0;
}

/* Says what it was given, unless there is a mailbox. */
uint32_t vcx_messages_download(uint32_t command, const char *status, const char *uids, const char *dids,
                               string_cb callback) {
  char text[600];
  if (mailbox[0][0]) {
    callback(command, 0, mailbox[0]);
    return 0;
  }
  snprintf(text, sizeof text,
           "[{\"pairwiseDID\":\"did\",\"msgs\":["
           "{\"statusCode\":\"MS-103\",\"payload\":null,\"senderDID\":\"\",\"uid\":\"%s|%s|%s\","
           "\"decryptedPayload\":\"{\\\"@msg\\\":\\\"{\\\\\\\"content\\\\\\\":\\\\\\\"hi\\\\\\\"}\\\","
           "\\\"@type\\\":{\\\"name\\\":\\\"message\\\"}}\"},"
           "{\"statusCode\":\"MS-106\",\"uid\":\"2\",\"decryptedPayload\":\"null\"}]}]",
           status ? status : "-", uids ? uids : "-", dids ? dids : "-");
  callback(command, 0, text);
  return 0;
}

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

/* A requested proof. Its text is what it was created from; the presentation answers one item of each kind. */
uint32_t vcx_proof_create(uint32_t command, const char *source, const char *attributes, const char *predicates,
                          const char *interval, const char *name, number_cb callback) {
  (void)source;
  snprintf(chosen, sizeof chosen, "[%s,%s,%s,\"%s\"]", attributes, predicates, interval, name);
  return created(command, callback);
}

uint32_t vcx_proof_release(uint32_t handle) { return released(handle); }

uint32_t vcx_proof_serialize(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, chosen);
  return 0;
}

uint32_t vcx_proof_update_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  return next_state(command, callback);
}

uint32_t vcx_proof_get_problem_report(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  return report(command, callback);
}

uint32_t msdk_proof_explain(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0,
           states[0] == '4' ? "{\"verified\":true,\"reasons\":[],\"warnings\":[]}"
           : states[0] == '0'
               ? "{\"verified\":false,\"reasons\":[{\"code\":\"value\",\"referent\":\"a\",\"text\":\"t\"}],\"warnings\":[]}"
               : "{\"verified\":null,\"reasons\":[],\"warnings\":[]}");
  return 0;
}

uint32_t vcx_proof_get_request_msg(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, "{\"requested_attributes\":{\"a\":{\"name\":\"name\"}}}");
  return 0;
}

uint32_t vcx_get_proof_msg(uint32_t command, uint32_t handle, number_string_cb callback) {
  (void)handle;
  callback(command, 0, 1,
           "{\"requested_proof\":{\"revealed_attrs\":{\"a\":{\"raw\":\"Alice\"}},"
           "\"revealed_attr_groups\":{\"g\":{\"values\":{\"x\":{\"raw\":\"1\"}}}},"
           "\"self_attested_attrs\":{\"s\":\"555\"},\"unrevealed_attrs\":{\"u\":{}},\"predicates\":{}}}");
  return 0;
}

/* The message stands for what it attaches. */
uint32_t vcx_extract_attached_message(uint32_t command, const char *message, string_cb callback) {
  callback(command, 0, message);
  return 0;
}
