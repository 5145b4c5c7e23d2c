/* Alice in C: accepts an invitation, keeps the connection, and takes it up again in a later process.
 *
 *   alice accept FOLDER URL     provision, connect, exchange messages, store the connection in the wallet
 *   alice restore FOLDER        another process: the connection comes back from the wallet
 *
 * FOLDER/provisioning.json says where the Cloud Agent is and how to name and lock the wallet, FOLDER/token.json is a
 * sponsor's token where the agency wants one. FOLDER/config.json is what provisioning made of them, and all that a
 * later process needs. FOLDER/notification.json is the push notification that woke it, if one did.
 *
 *   gcc -std=c99 alice.c $(pkg-config --cflags --libs msdk jansson) -pthread -o alice
 */
#define _POSIX_C_SOURCE 200809L
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "msdk_wait.h"

enum { PATIENCE = 60, COMPLETED = 4, FAILED = 0 };

/* This program makes one call at a time, and waits for its callback. */
static struct msdk_wait wait = MSDK_WAIT;

static void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

static void give_up(const char *what, const char *why) {
  fprintf(stderr, "alice: %s: %s\n", what, why ? why : "unknown reason");
  vcx_shutdown(false);
  exit(1);
}

/* Ends the program if a call has failed. */
static void check(const char *what) {
  if (wait.error) give_up(what, wait.details ? wait.details : vcx_error_c_message(wait.error));
}

/* The number that a call brought. */
static uint32_t number(const char *what, uint32_t brought) {
  check(what);
  return brought;
}

/* A copy of the text that a call brought, since the next call frees it. The caller frees the copy. */
static char *text(const char *what, const char *brought) {
  check(what);
  char *copied = strdup(brought ? brought : "");
  if (!copied) give_up("memory", "exhausted");
  return copied;
}

/* --- Small things: JSON, files, time */

/* JSON, such as the text that a call brought. */
static json_t *parsed(const char *what, const char *source) {
  check(what);
  json_error_t error;
  json_t *value = json_loads(source, JSON_DECODE_ANY, &error);
  if (!value) give_up(what, error.text);
  return value;
}

static const char *member(json_t *object, const char *name) {
  const char *value = json_string_value(json_object_get(object, name));
  return value ? value : "";
}

static bool exists(const char *file) { return access(file, F_OK) == 0; }

static char *read_json(const char *file) {
  json_error_t error;
  json_t *value = json_load_file(file, 0, &error);
  if (!value) give_up(file, error.text);
  char *content = json_dumps(value, JSON_COMPACT);
  json_decref(value);
  return content;
}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); }

static bool is_late(time_t begin) { return difftime(time(NULL), begin) > PATIENCE; }

/* --- The story */

/* A message of the mailbox. The caller frees `content`. */
struct message {
  char uid[80], kind[40];
  char *content;
};

/* Takes an entry of the download apart: its Aries message lies in two layers of JSON text. */
static struct message unwrapped(json_t *entry) {
  struct message message = {.content = NULL};
  const char *payload = member(entry, "decryptedPayload");
  json_t *decrypted = parsed("a message", *payload ? payload : "null");
  const char *aries = member(decrypted, "@msg");
  json_t *plain = parsed("a message", *aries ? aries : "null");
  snprintf(message.uid, sizeof message.uid, "%s", member(entry, "uid"));
  snprintf(message.kind, sizeof message.kind, "%s", member(json_object_get(decrypted, "@type"), "name"));
  message.content = text("a message", member(plain, "content"));
  json_decref(plain);
  json_decref(decrypted);
  return message;
}

/* Whether the peer of a connection has sent an entry of the download. Anybody who knows our key can write to it. */
static bool is_from_peer(vcx_connection_handle_t connection, json_t *entry) {
  json_t *info = parsed("info", msdk_text(&wait, vcx_connection_info, connection)), *key;
  size_t i;
  bool is_found = false;
  json_array_foreach(json_object_get(json_object_get(info, "their"), "recipientKeys"), i, key) {
    if (json_equal(key, json_object_get(entry, "senderVerkey"))) is_found = true;
  }
  json_decref(info);
  return is_found;
}

/* A connection, and our DID in it, which names its messages. */
struct contact {
  vcx_connection_handle_t connection;
  char *did;
};

/* Looks once for an unread message of the peer, of one of two kinds. */
static bool find_message(struct contact peer, const char *kind, const char *other, struct message *found) {
  const char *downloaded = msdk_text(&wait, vcx_messages_download, "MS-103", NULL, peer.did);
  json_t *mailboxes = parsed("messages_download", downloaded), *mailbox, *entry;
  size_t i, j;
  bool is_found = false;
  json_array_foreach(mailboxes, i, mailbox) {
    json_array_foreach(json_object_get(mailbox, "msgs"), j, entry) {
      if (is_found) continue;
      *found = unwrapped(entry);
      is_found = strcmp(found->kind, kind) == 0 || (other && strcmp(found->kind, other) == 0);
      is_found = is_found && is_from_peer(peer.connection, entry);
      if (!is_found) free(found->content);
    }
  }
  json_decref(mailboxes);
  return is_found;
}

static struct message next_message(struct contact peer, const char *kind, const char *other) {
  struct message found;
  time_t begin = time(NULL);
  while (!find_message(peer, kind, other, &found)) {
    if (is_late(begin)) give_up(kind, "none came");
    rest();
  }
  return found;
}

static void mark_read(struct contact peer, const struct message *message) {
  json_t *list = json_pack("[{s:s, s:[s]}]", "pairwiseDID", peer.did, "uids", message->uid);
  char *listed = json_dumps(list, JSON_COMPACT);
  msdk_done(&wait, vcx_messages_update_status, "MS-106", listed);
  check("messages_update_status");
  free(listed);
  json_decref(list);
}

static vcx_connection_handle_t take_up(const char *source, bool is_out_of_band) {
  return is_out_of_band
             ? number("create", msdk_number(&wait, vcx_connection_create_with_outofband_invitation, "faber", source))
             : number("create", msdk_number(&wait, vcx_connection_create_with_invite, "faber", source));
}

static void complete(vcx_connection_handle_t connection) {
  time_t begin = time(NULL);
  uint32_t state;
  while ((state = number("update_state", msdk_number(&wait, vcx_connection_update_state, connection))) != COMPLETED) {
    if (state == FAILED || is_late(begin)) give_up("the connection", "it did not come about");
    say("waits: state %u, no response yet", (unsigned)state);
    rest();
  }
  say("is connected: state %u", (unsigned)state);
}

static void ping(struct contact peer) {
  msdk_done(&wait, vcx_connection_send_ping, peer.connection, "are you there?");
  check("send_ping");
  say("pings");
  struct message message = next_message(peer, "ping_response", NULL);
  mark_read(peer, &message);
  free(message.content);
  say("has the answer to the ping");
}

/* Answers pings, until a message for the reader comes: shows it, and marks it read. */
static void listen(struct contact peer) {
  for (bool is_done = false; !is_done;) {
    struct message message = next_message(peer, "message", "ping");
    is_done = strcmp(message.kind, "message") == 0;
    if (is_done) {
      say("reads: “%s”", message.content);
      mark_read(peer, &message);
    } else {
      number("update_state", msdk_number(&wait, vcx_connection_update_state, peer.connection));
      say("was pinged, and answers");
    }
    free(message.content);
  }
}

static void start(void) {
  char *config = read_json("config.json");
  msdk_done(&wait, vcx_init_with_config, config);
  check("init");
  free(config);
}

static void provision(void) {
  char *request = read_json("provisioning.json"), *token = exists("token.json") ? read_json("token.json") : NULL;
  json_t *config = parsed("provision", token ? msdk_text(&wait, vcx_provision_agent_with_token_async, request, token)
                                             : msdk_text(&wait, vcx_agent_provision_async, request));
  if (json_dump_file(config, "config.json", 0)) give_up("config.json", "cannot be written");
  json_t *grant = json_object_get(config, "mediator_grant");
  say("has a wallet, and a mailbox at %s", grant ? member(grant, "endpoint") : member(config, "agency_endpoint"));
  json_decref(config);
  free(token);
  free(request);
}

/* Alice has a sponsor, who is told of her messages. */
static void want_notifications(void) {
  const char *registration = "{\"id\":\"phone\",\"type\":3,\"value\":\"the phone of Alice\"}";
  msdk_done(&wait, vcx_agent_update_info, registration);
  check("agent_update_info");
  say("wants to be woken by her sponsor when a message comes");
}

/* Fetches what a push notification announces, and only that. It stays unread. */
static void follow(void) {
  char *notification = read_json("notification.json");
  json_t *call = parsed("parse_push", msdk_text(&wait, msdk_parse_push, notification));
  const char *uids = member(call, "uids"), *dids = member(call, "pw_dids");
  json_t *mailboxes = parsed("messages_download", msdk_text(&wait, vcx_messages_download, NULL, uids, dids));
  json_t *entry = json_array_get(json_object_get(json_array_get(mailboxes, 0), "msgs"), 0);
  if (entry) {
    struct message message = unwrapped(entry);
    say("was woken: the notification leads to a “%s”", message.kind);
    free(message.content);
  } else {
    say("was woken: the notification leads to nothing that is left");
  }
  json_decref(mailboxes);
  json_decref(call);
  free(notification);
}

static vcx_connection_handle_t accept_invitation(const char *url) {
  char *source = text("resolve", msdk_text(&wait, vcx_resolve_message_by_url, url));
  json_t *invitation = parsed("resolve", source);
  say("reads the invitation: it is from %s", member(invitation, "label"));
  bool is_out_of_band = strstr(member(invitation, "@type"), "out-of-band") != NULL;
  vcx_connection_handle_t connection = take_up(source, is_out_of_band);
  msdk_text(&wait, vcx_connection_connect, connection, NULL);
  check("connect");
  say("accepts: the request is on its way");
  json_decref(invitation);
  free(source);
  return connection;
}

static void store(vcx_connection_handle_t connection) {
  char *serialized = text("serialize", msdk_text(&wait, vcx_connection_serialize, connection));
  msdk_done(&wait, vcx_wallet_add_record, "connection", "faber", serialized, "{}");
  check("add_record");
  free(serialized);
  say("stores the connection in the wallet, and ends");
}

static vcx_connection_handle_t restored(void) {
  json_t *record = parsed("get_record", msdk_text(&wait, vcx_wallet_get_record, "connection", "faber", "{}"));
  const char *serialized = member(record, "value");
  vcx_connection_handle_t connection = number("deserialize", msdk_number(&wait, vcx_connection_deserialize, serialized));
  uint32_t state = number("get_state", msdk_number(&wait, vcx_connection_get_state, connection));
  say("is back in a new process; the connection from the wallet is in state %u", (unsigned)state);
  json_decref(record);
  return connection;
}

int main(int count, char **arguments) {
  bool is_first = count == 4 && strcmp(arguments[1], "accept") == 0;
  if (!is_first && !(count == 3 && strcmp(arguments[1], "restore") == 0)) {
    fprintf(stderr, "usage: alice accept FOLDER URL | alice restore FOLDER\n");
    return 2;
  }
  umask(077); /* the configuration holds the wallet's key */
  if (chdir(arguments[2])) give_up(arguments[2], "no such folder");
  if (is_first) provision();
  start();
  if (is_first && exists("token.json")) want_notifications();
  if (!is_first && exists("notification.json")) follow();
  vcx_connection_handle_t connection = is_first ? accept_invitation(arguments[3]) : restored();
  if (is_first) complete(connection);
  struct contact peer = {connection, text("get_pw_did", msdk_text(&wait, vcx_connection_get_pw_did, connection))};
  if (is_first) ping(peer);
  listen(peer);
  if (is_first) store(connection);
  free(peer.did);
  vcx_connection_release(connection);
  msdk_wait_free(&wait);
  return (int)vcx_shutdown(false);
}
