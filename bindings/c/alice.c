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
#include <msdk.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PATIENCE = 60, COMPLETED = 4, FAILED = 0 };

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

static char *copy(const char *text) {
  char *copied = text ? strdup(text) : NULL;
  if (text && !copied) give_up("memory", "exhausted");
  return copied;
}

/* --- Waiting: this program makes one call at a time, and sleeps until its callback has run.
 *
 * The callback runs on a thread of the library, maybe before the call has returned. The library lends it
 * the values, and the details of an error belong to the thread it runs on: both are copied here. */

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t arrived;
  bool is_here;
  vcx_error_t code;
  uint32_t number;
  char *text, *error;
} answer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, 0, NULL, NULL};

/* The library's details of this thread's last error. The caller frees the text. */
static char *current_error(void) {
  const char *details = NULL;
  vcx_get_current_error(&details);
  json_t *told = json_loads(details ? details : "{}", 0, NULL);
  const char *error = "unknown error", *cause = "unknown cause";
  json_unpack(told, "{s?s, s?s}", "error", &error, "cause", &cause);
  char *line = malloc(strlen(error) + strlen(cause) + 4);
  if (line) sprintf(line, "%s (%s)", error, cause);
  json_decref(told);
  return line;
}

static void arrive(vcx_error_t code, uint32_t number, const char *text) {
  pthread_mutex_lock(&answer.mutex);
  answer.code = code;
  answer.number = number;
  answer.text = copy(text);
  answer.error = code ? current_error() : NULL;
  answer.is_here = true;
  pthread_cond_signal(&answer.arrived);
  pthread_mutex_unlock(&answer.mutex);
}

static void on_done(vcx_command_handle_t call, vcx_error_t code) {
  (void)call;
  arrive(code, 0, NULL);
}

static void on_number(vcx_command_handle_t call, vcx_error_t code, uint32_t number) {
  (void)call;
  arrive(code, number, NULL);
}

static void on_text(vcx_command_handle_t call, vcx_error_t code, const char *text) {
  (void)call;
  arrive(code, 0, text);
}

/* Waits for the callback of a call that returned `refused`, and ends the program if either says there is an error. */
static void wait_for(const char *what, vcx_error_t refused) {
  if (refused) give_up(what, current_error());
  pthread_mutex_lock(&answer.mutex);
  while (!answer.is_here) pthread_cond_wait(&answer.arrived, &answer.mutex);
  answer.is_here = false;
  pthread_mutex_unlock(&answer.mutex);
  if (answer.code) give_up(what, answer.error ? answer.error : vcx_error_c_message(answer.code));
}

static uint32_t number(const char *what, vcx_error_t refused) {
  wait_for(what, refused);
  return answer.number;
}

/* The caller frees the text. */
static char *text(const char *what, vcx_error_t refused) {
  wait_for(what, refused);
  if (!answer.text) give_up(what, "no text came");
  return answer.text;
}

/* --- Small things: JSON, files, time */

static json_t *parsed(const char *what, const char *source) {
  json_error_t error;
  json_t *value = json_loads(source, JSON_DECODE_ANY, &error);
  if (!value) give_up(what, error.text);
  return value;
}

static const char *member(json_t *object, const char *name) {
  const char *value = json_string_value(json_object_get(object, name));
  return value ? value : "";
}

static char *path(const char *folder, const char *file) {
  char *joined = malloc(strlen(folder) + strlen(file) + 2);
  if (!joined) give_up("memory", "exhausted");
  sprintf(joined, "%s/%s", folder, file);
  return joined;
}

static bool exists(const char *folder, const char *file) {
  char *name = path(folder, file);
  struct stat status;
  bool is_there = stat(name, &status) == 0;
  free(name);
  return is_there;
}

static char *read_json(const char *folder, const char *file) {
  char *name = path(folder, file);
  json_error_t error;
  json_t *value = json_load_file(name, 0, &error);
  if (!value) give_up(name, error.text);
  char *content = json_dumps(value, JSON_COMPACT);
  json_decref(value);
  free(name);
  return content;
}

static void write_file(const char *folder, const char *file, const char *content) {
  char *name = path(folder, file);
  FILE *stream = fopen(name, "w");
  if (!stream || fputs(content, stream) < 0 || fclose(stream)) give_up(name, "cannot be written");
  free(name);
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
  message.content = copy(member(plain, "content"));
  json_decref(plain);
  json_decref(decrypted);
  return message;
}

/* Looks once for an unread message of one of two kinds. */
static bool find_message(const char *did, const char *kind, const char *other, struct message *found) {
  char *downloaded = text("messages_download", vcx_messages_download(1, "MS-103", NULL, did, on_text));
  json_t *mailboxes = parsed("messages_download", downloaded), *mailbox, *entry;
  size_t i, j;
  bool is_found = false;
  json_array_foreach(mailboxes, i, mailbox) {
    json_array_foreach(json_object_get(mailbox, "msgs"), j, entry) {
      if (is_found) continue;
      *found = unwrapped(entry);
      is_found = strcmp(found->kind, kind) == 0 || (other && strcmp(found->kind, other) == 0);
      if (!is_found) free(found->content);
    }
  }
  json_decref(mailboxes);
  free(downloaded);
  return is_found;
}

static struct message next_message(const char *did, const char *kind, const char *other) {
  struct message found;
  time_t begin = time(NULL);
  while (!find_message(did, kind, other, &found)) {
    if (is_late(begin)) give_up(kind, "none came");
    rest();
  }
  return found;
}

static void mark_read(const char *did, const struct message *message) {
  json_t *list = json_pack("[{s:s, s:[s]}]", "pairwiseDID", did, "uids", message->uid);
  char *listed = json_dumps(list, JSON_COMPACT);
  wait_for("messages_update_status", vcx_messages_update_status(1, "MS-106", listed, on_done));
  free(listed);
  json_decref(list);
}

static vcx_connection_handle_t take_up(const char *source, bool is_out_of_band) {
  return is_out_of_band
             ? number("create", vcx_connection_create_with_outofband_invitation(1, "faber", source, on_number))
             : number("create", vcx_connection_create_with_invite(1, "faber", source, on_number));
}

static void complete(vcx_connection_handle_t connection) {
  time_t begin = time(NULL);
  uint32_t state;
  while ((state = number("update_state", vcx_connection_update_state(1, connection, on_number))) != COMPLETED) {
    if (state == FAILED || is_late(begin)) give_up("the connection", "it did not come about");
    say("waits: state %u, no response yet", (unsigned)state);
    rest();
  }
  say("is connected: state %u", (unsigned)state);
}

static void ping(vcx_connection_handle_t connection, const char *did) {
  wait_for("send_ping", vcx_connection_send_ping(1, connection, "are you there?", on_done));
  say("pings");
  struct message message = next_message(did, "ping_response", NULL);
  mark_read(did, &message);
  free(message.content);
  say("has the answer to the ping");
}

/* Answers pings, until a message for the reader comes: shows it, and marks it read. */
static void listen(vcx_connection_handle_t connection, const char *did) {
  for (bool is_done = false; !is_done;) {
    struct message message = next_message(did, "message", "ping");
    is_done = strcmp(message.kind, "message") == 0;
    if (is_done) {
      say("reads: “%s”", message.content);
      mark_read(did, &message);
    } else {
      number("update_state", vcx_connection_update_state(1, connection, on_number));
      say("was pinged, and answers");
    }
    free(message.content);
  }
}

static void start(const char *folder) {
  char *config = read_json(folder, "config.json");
  wait_for("init", vcx_init_with_config(1, config, on_done));
  free(config);
}

static void provision(const char *folder) {
  char *request = read_json(folder, "provisioning.json");
  char *token = exists(folder, "token.json") ? read_json(folder, "token.json") : NULL;
  char *config = text("provision", token ? vcx_provision_agent_with_token_async(1, request, token, on_text)
                                         : vcx_agent_provision_async(1, request, on_text));
  json_t *told = parsed("provision", config);
  write_file(folder, "config.json", config);
  say("has a wallet, and a mailbox at %s", member(told, "agency_endpoint"));
  json_decref(told);
  free(config);
  free(token);
  free(request);
}

/* Alice has a sponsor, who is told of her messages. */
static void want_notifications(void) {
  const char *registration = "{\"id\":\"phone\",\"type\":3,\"value\":\"the phone of Alice\"}";
  wait_for("agent_update_info", vcx_agent_update_info(1, registration, on_done));
  say("wants to be woken by her sponsor when a message comes");
}

/* Fetches what a push notification announces, and only that. It stays unread. */
static void follow(const char *folder) {
  char *notification = read_json(folder, "notification.json");
  char *read = text("parse_push", msdk_parse_push(1, notification, on_text));
  json_t *call = parsed("parse_push", read), *mailboxes, *entry;
  char *found = text("messages_download", vcx_messages_download(1, NULL, member(call, "uids"), member(call, "pw_dids"),
                                                                on_text));
  mailboxes = parsed("messages_download", found);
  entry = json_array_get(json_object_get(json_array_get(mailboxes, 0), "msgs"), 0);
  if (entry) {
    struct message message = unwrapped(entry);
    say("was woken: the notification leads to a “%s”", message.kind);
    free(message.content);
  } else {
    say("was woken: the notification leads to nothing that is left");
  }
  json_decref(mailboxes);
  json_decref(call);
  free(found);
  free(read);
  free(notification);
}

static vcx_connection_handle_t accept_invitation(const char *url) {
  char *source = text("resolve", vcx_resolve_message_by_url(1, url, on_text));
  json_t *invitation = parsed("resolve", source);
  say("reads the invitation: it is from %s", member(invitation, "label"));
  bool is_out_of_band = strstr(member(invitation, "@type"), "out-of-band") != NULL;
  vcx_connection_handle_t connection = take_up(source, is_out_of_band);
  free(text("connect", vcx_connection_connect(1, connection, NULL, on_text)));
  say("accepts: the request is on its way");
  json_decref(invitation);
  free(source);
  return connection;
}

static void store(vcx_connection_handle_t connection) {
  char *serialized = text("serialize", vcx_connection_serialize(1, connection, on_text));
  wait_for("add_record", vcx_wallet_add_record(1, "connection", "faber", serialized, "{}", on_done));
  free(serialized);
  say("stores the connection in the wallet, and ends");
}

static vcx_connection_handle_t restored(void) {
  char *found = text("get_record", vcx_wallet_get_record(1, "connection", "faber", "{}", on_text));
  json_t *record = parsed("get_record", found);
  vcx_connection_handle_t connection =
      number("deserialize", vcx_connection_deserialize(1, member(record, "value"), on_number));
  uint32_t state = number("get_state", vcx_connection_get_state(1, connection, on_number));
  say("is back in a new process; the connection from the wallet is in state %u", (unsigned)state);
  json_decref(record);
  free(found);
  return connection;
}

int main(int count, char **arguments) {
  bool is_first = count == 4 && strcmp(arguments[1], "accept") == 0;
  if (!is_first && !(count == 3 && strcmp(arguments[1], "restore") == 0)) {
    fprintf(stderr, "usage: alice accept FOLDER URL | alice restore FOLDER\n");
    return 2;
  }
  umask(077); /* the configuration holds the wallet's key */
  if (is_first) provision(arguments[2]);
  start(arguments[2]);
  if (is_first && exists(arguments[2], "token.json")) want_notifications();
  if (!is_first && exists(arguments[2], "notification.json")) follow(arguments[2]);
  vcx_connection_handle_t connection = is_first ? accept_invitation(arguments[3]) : restored();
  if (is_first) complete(connection);
  char *did = text("get_pw_did", vcx_connection_get_pw_did(1, connection, on_text));
  if (is_first) ping(connection, did);
  listen(connection, did);
  if (is_first) store(connection);
  free(did);
  vcx_connection_release(connection);
  return (int)vcx_shutdown(false);
}
