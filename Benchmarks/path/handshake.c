// The floor of a handshake, the invitee's part: the shortest program that does the cryptography, the requests and the
// writes that its envelopes prescribe, with the same libsodium, libcurl and SQLite. It writes and reads no JSON. Prints
// the median of the time of its processor as a JSON line.
//
//   handshake FOLDER PORT COUNT          PORT: where forward.c listens
#include <curl/curl.h>
#include <sodium.h>
#include <sqlite3.h>

#include "bench.h"

// Of one handshake: boxes made and opened, keys agreed on and converted, requests, and writes that reach the disk. The
// writes are of the new key, of the mailbox, and of the message that came.
enum { SEALED = 13, OPENED = 4, AGREED = 3, CONVERTED = 4, REQUESTS = 5, WRITES = 3, BODY = 4000, TEXT = 100 };

static unsigned char public_key[32], secret_key[32], signing[32], signing_secret[64], box[TEXT + crypto_box_SEALBYTES];
static CURL *curl;
static sqlite3_stmt *insert;

static void must(int holds, const char *why) {
  if (holds) return;
  fprintf(stderr, "handshake: %s\n", why);
  exit(1);
}

static void cryptography(void) {
  unsigned char text[TEXT] = {0}, key[32];
  for (int i = 0; i < SEALED; i++) crypto_box_seal(box, text, TEXT, public_key);
  for (int i = 0; i < OPENED; i++) must(!crypto_box_seal_open(text, box, sizeof box, public_key, secret_key), "open");
  for (int i = 0; i < AGREED; i++) must(!crypto_box_beforenm(key, public_key, secret_key), "agree");
  for (int i = 0; i < CONVERTED; i++) must(!crypto_sign_ed25519_pk_to_curve25519(key, signing), "convert");
}

static void handshake(void) {
  cryptography();
  for (int i = 0; i < REQUESTS; i++) must(curl_easy_perform(curl) == CURLE_OK, "request");
  for (int i = 0; i < WRITES; i++) must(sqlite3_step(insert) == SQLITE_DONE && !sqlite3_reset(insert), "write");
}

int main(int argc, char **argv) {
  char path[4096];
  static char body[BODY];
  sqlite3 *database;
  if (argc != 4 || sodium_init() < 0) return 2;
  crypto_box_keypair(public_key, secret_key), crypto_sign_keypair(signing, signing_secret);

  snprintf(path, sizeof path, "%s/handshake.db", argv[1]);
  must(sqlite3_open(path, &database) == SQLITE_OK, path);
  const char *schema = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                       "CREATE TABLE items (id INTEGER PRIMARY KEY, value BLOB NOT NULL)";
  must(!sqlite3_exec(database, schema, NULL, NULL, NULL), "schema");
  const char *item = "INSERT INTO items (value) VALUES (randomblob(1000))";
  must(!sqlite3_prepare_v2(database, item, -1, &insert, NULL), item);

  snprintf(path, sizeof path, "http://127.0.0.1:%s/", argv[2]);
  must((curl = curl_easy_init()) != NULL, "curl");
  curl_easy_setopt(curl, CURLOPT_URL, path);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)BODY);

  int count = atoi(argv[3]);
  double *times = calloc((size_t)count, sizeof *times);
  must(times && count > 0, "count");
  handshake();
  for (int i = 0; i < count; i++) {
    uint64_t start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    handshake();
    times[i] = (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e6;
  }
  bench_peer = "floor";
  emit_all("connection.handshake.client_cpu", times, count, "ms/op", 1);
  return 0;
}
