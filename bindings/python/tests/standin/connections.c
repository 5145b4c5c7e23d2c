/* The session, connections and their mailbox. */
#include "standin.h"

#include <pthread.h>

/* The handle tells which function made the connection: 1 from a connection invitation, 2 from an out-of-band one, 3 from
 * any; 4 and 5 for an inviter. */
static char last_source[64];
static char last_invitation[200];

static uint32_t create(uint32_t command, const char *source, number_cb callback, uint32_t handle) {
  snprintf(last_source, sizeof last_source, "%s", source);
  callback(command, 0, handle);
  return 0;
}

const char *standin_last_source(void) { return last_source; }
const char *standin_last_invitation(void) { return last_invitation; }

uint32_t msdk_connection_accept(uint32_t command, const char *source, const char *invitation, number_cb callback) {
  snprintf(last_invitation, sizeof last_invitation, "%.190s", invitation);
  return create(command, source ? source : "", callback, 3);
}

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

/* 4 for the older invitation, 5 for an out-of-band one, whose arguments are the invitation then. */
uint32_t vcx_connection_create(uint32_t command, const char *source, number_cb callback) {
  return create(command, source, callback, 4);
}

uint32_t vcx_connection_create_outofband(uint32_t command, const char *source, const char *goal_code, const char *goal,
                                         bool handshake, const char *request, number_cb callback) {
  snprintf(last_invitation, sizeof last_invitation, "%s %s %d %s", goal_code ? goal_code : "-", goal ? goal : "-",
           handshake, request ? request : "-");
  return create(command, source, callback, 5);
}

static bool is_running;
static void end_subscription(void);

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
  end_subscription();
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

/* The next states of connections, credentials and proofs, a digit each; the last one stays. At an x, a look fails with 1010, at
 * an l with 1025: the state before it stays. A connection has a DID once it was connected. The mailbox has the first text until
 * a connection is updated, and then the second one; after a message was applied it has the third one, if that is not empty. */
static char states[32], mailbox[3][2048], marked[256], applied[1024];
static uint32_t connects, updates;

void standin_states(const char *digits) {
  snprintf(states, sizeof states, "%s", digits);
  connects = updates = 0;
  applied[0] = marked[0] = 0;
}

void standin_mailbox(const char *before, const char *after) {
  snprintf(mailbox[0], sizeof mailbox[0], "%s", before);
  snprintf(mailbox[1], sizeof mailbox[1], "%s", after);
}

void standin_arrives_meanwhile(const char *text) { snprintf(mailbox[2], sizeof mailbox[2], "%s", text); }

const char *standin_marked(void) { return marked; }

uint32_t standin_connects(void) { return connects; }

uint32_t standin_updates(void) { return updates; }

char present_digit(void) { return states[0]; }

uint32_t present_state(uint32_t command, number_cb callback) {
  callback(command, 0, (uint32_t)(states[0] - '0'));
  return 0;
}

uint32_t next_state(uint32_t command, number_cb callback) {
  if (states[1] == 'x' || states[1] == 'l') {
    uint32_t code = states[1] == 'x' ? 1010 : 1025;
    memmove(states + 1, states + 2, strlen(states + 1));
    callback(command, code, 0);
    return 0;
  }
  if (states[1]) memmove(states, states + 1, strlen(states));
  return present_state(command, callback);
}

uint32_t vcx_connection_get_state(uint32_t command, uint32_t handle, number_cb callback) {
  if (handle != 404) return present_state(command, callback);
  callback(command, 0, 0);
  return 0;
}

uint32_t vcx_connection_update_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  memcpy(mailbox[0], mailbox[1], sizeof mailbox[0]);
  updates++;
  return next_state(command, callback);
}

/* A message of a stranger is refused. A message that meets a busy wallet is not applied. Another one may end the connection. */
uint32_t vcx_connection_update_state_with_message(uint32_t command, uint32_t handle, const char *message,
                                                  number_cb callback) {
  (void)handle;
  strncat(applied, message, sizeof applied - strlen(applied) - 1);
  if (mailbox[2][0]) memcpy(mailbox[0], mailbox[2], sizeof mailbox[0]);
  if (strstr(message, "stranger")) {
    callback(command, fail(1016, "not from the peer"), 0);
    return 0;
  }
  if (strstr(message, "busy")) {
    callback(command, fail(1074, "the wallet is busy"), 0);
    return 0;
  }
  if (strstr(message, "farewell")) snprintf(states, sizeof states, "0");
  return present_state(command, callback);
}

/* The messages that were applied, one behind the other. */
const char *standin_applied(void) { return applied; }

static string_cb told;
static uint32_t told_handle;

uint32_t msdk_messages_subscribe(uint32_t command, string_cb callback) {
  if (told) return fail(1044, "subscribed");
  told_handle = command;
  told = callback;
  return 0;
}

static void end_subscription(void) { told = NULL; }

bool standin_is_subscribed(void) { return told != NULL; }

void standin_tell(const char *text) { told(told_handle, 0, text); }

GIVES_STATE(vcx_credential_update_state, next_state)

GIVES_STATE(vcx_disclosed_proof_update_state, next_state)

/* Its own DID, once the connection has one. */
/* No connection has the handle 404. Its state is 0 without an error, as in the library. */
uint32_t vcx_connection_get_pw_did(uint32_t command, uint32_t handle, string_cb callback) {
  if (handle == 404) return fail(1003, "no connection has the handle 404");
  callback(command, 0, connects ? "did" : "");
  return 0;
}

uint32_t vcx_connection_connect(uint32_t command, uint32_t handle, const char *options, string_cb callback) {
  (void)handle, (void)options;
  connects++;
  callback(command, 0, "{}");
  return 0;
}

GIVES_TEXT(vcx_connection_get_problem_report, REPORT)

GIVES_TEXT(vcx_disclosed_proof_get_problem_report, REPORT)

/* Until the connection is completed, the key of its invitation stands for the peer's. */
uint32_t vcx_connection_info(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0, strchr("123", present_digit()) ? "{\"their\":{\"recipientKeys\":[\"inviter\"]}}"
                                                     : "{\"their\":{\"recipientKeys\":[\"peer\"]}}");
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
  if (is_full()) return full_download(command, dids, callback);
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
