// The floor of an agency that takes a message: the shortest server on the same libmicrohttpd, libsodium and SQLite.
// For each request it opens the two layers of a message of 1 KB and keeps the message in the tables of msdk-agency, on
// the disk before it answers. It reads no JSON and no base64: the layers are its own, and the request's body only has
// their length.
//
//   forward FOLDER          prints its port; ends with its standard input
#include <arpa/inet.h>
#include <microhttpd.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OUTER = 3670, INNER = 2280, PAYLOAD = 2150 };
#define TAG crypto_aead_chacha20poly1305_ietf_ABYTES

// A layer: its key in a sealed box, and its content.
struct layer {
  unsigned char box[32 + crypto_box_SEALBYTES], content[OUTER + TAG];
  unsigned long long length;
};

static unsigned char public_key[32], secret_key[32], nonce[12];
static struct layer layers[2];
static sqlite3 *database;
static sqlite3_stmt *begin, *unread, *repeated, *insert, *commit;

static const char *const schema =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000;"
    "CREATE TABLE pairwise (id INTEGER PRIMARY KEY, unread INTEGER NOT NULL, unread_bytes INTEGER NOT NULL) STRICT;"
    "CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,"
    " pairwise_id INTEGER NOT NULL, status TEXT NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL,"
    " created INTEGER NOT NULL, updated INTEGER NOT NULL, payload BLOB NOT NULL) STRICT;"
    "CREATE INDEX messages_mailbox ON messages (pairwise_id, status, id, size);"
    "CREATE INDEX messages_digest ON messages (pairwise_id, digest);"
    "CREATE INDEX messages_age ON messages (updated);"
    "CREATE TRIGGER count_insert AFTER INSERT ON messages BEGIN UPDATE pairwise SET unread = unread + 1,"
    " unread_bytes = unread_bytes + NEW.size WHERE id = NEW.pairwise_id; END;"
    "INSERT INTO pairwise VALUES (1, 0, 0);";

static void must(int holds, const char *why) {
  if (holds) return;
  fprintf(stderr, "forward: %s: %s\n", why, database ? sqlite3_errmsg(database) : "");
  exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  must(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

static void step(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  must(code == SQLITE_DONE || code == SQLITE_ROW, "step");
  sqlite3_reset(statement);
}

static void seal(struct layer *layer, unsigned long long length) {
  unsigned char key[32], content[OUTER] = {0};
  randombytes_buf(key, sizeof key);
  crypto_box_seal(layer->box, key, sizeof key, public_key);
  crypto_aead_chacha20poly1305_ietf_encrypt(layer->content, &layer->length, content, length, NULL, 0, NULL, nonce,
                                            key);
}

static void open_layer(const struct layer *layer) {
  unsigned char key[32], content[OUTER];
  must(!crypto_box_seal_open(key, layer->box, sizeof layer->box, public_key, secret_key), "the box does not open");
  int code = crypto_aead_chacha20poly1305_ietf_decrypt(content, NULL, NULL, layer->content, layer->length, NULL, 0,
                                                       nonce, key);
  must(!code, "the content does not open");
}

static void keep(void) {
  unsigned char digest[32], payload[PAYLOAD];
  char uid[33];
  randombytes_buf(payload, sizeof payload);
  crypto_hash_sha256(digest, payload, sizeof payload);
  sodium_bin2hex(uid, sizeof uid, digest, 16);
  step(begin), step(unread);
  sqlite3_bind_blob(repeated, 1, digest, sizeof digest, SQLITE_STATIC);
  step(repeated);
  sqlite3_bind_text(insert, 1, uid, -1, SQLITE_STATIC);
  sqlite3_bind_blob(insert, 2, digest, sizeof digest, SQLITE_STATIC);
  sqlite3_bind_int64(insert, 3, time(NULL));
  sqlite3_bind_blob(insert, 4, payload, sizeof payload, SQLITE_STATIC);
  step(insert), step(commit);
}

// Called for the head of a request, for each part of its body and at its end.
static enum MHD_Result serve(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                             const char *version, const char *body, size_t *length, void **request) {
  static int marker;
  (void)context, (void)url, (void)method, (void)version, (void)body;
  if (!*request) return *request = &marker, MHD_YES;
  if (*length) return *length = 0, MHD_YES;
  for (int i = 0; i < 2; i++) open_layer(&layers[i]);
  keep();
  struct MHD_Response *response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
  enum MHD_Result queued = MHD_queue_response(connection, 202, response);
  MHD_destroy_response(response);
  return queued;
}

int main(int argc, char **argv) {
  char path[4096];
  if (argc != 2 || sodium_init() < 0) return 2;
  snprintf(path, sizeof path, "%s/floor.db", argv[1]);
  must(sqlite3_open(path, &database) == SQLITE_OK, path);
  must(sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK, "schema");
  begin = prepare("BEGIN IMMEDIATE"), commit = prepare("COMMIT");
  unread = prepare("SELECT unread, unread_bytes FROM pairwise WHERE id = 1");
  repeated = prepare("SELECT 1 FROM messages WHERE pairwise_id = 1 AND digest = ?1 LIMIT 1");
  insert = prepare("INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)"
                   " VALUES (?1, 1, 'MS-103', 2150, ?2, ?3, ?3, ?4)");
  crypto_box_keypair(public_key, secret_key);
  seal(&layers[0], OUTER), seal(&layers[1], INNER);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, serve, NULL,
                                               MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
  must(daemon != NULL, "the server does not start");
  printf("%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  while (getchar() != EOF) {}
  MHD_stop_daemon(daemon);
  return 0;
}
