/* The floor: the least that an encrypted store costs with SQLite and libsodium. Called directly, no threads, no JSON,
 * two tables; ids and tags are HMAC-SHA-256, values XChaCha20-Poly1305 under one key.
 *
 *     floor FOLDER
 */
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

enum {
    NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    SEALED = NONCE + VALUE_SIZE + crypto_aead_xchacha20poly1305_ietf_ABYTES,
    MAC = crypto_auth_hmacsha256_BYTES
};

static char path[4096];
static sqlite3 *db;
static sqlite3_stmt *insert_record, *insert_tag, *select_id, *select_tags, *select_by_tag, *select_all, *begin, *commit;
static uint8_t value_key[crypto_aead_xchacha20poly1305_ietf_KEYBYTES], mac_key[crypto_auth_hmacsha256_KEYBYTES];

static void check(bool holds) {
    if (!holds) fail("floor", sqlite3_errmsg(db));
}

static void execute(const char *script) { check(sqlite3_exec(db, script, NULL, NULL, NULL) == SQLITE_OK); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_reset(statement);
}

static void open_db(void) {
    check(sqlite3_open(path, &db) == SQLITE_OK);
    execute(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-8192;"
        "CREATE TABLE IF NOT EXISTS record(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, value BLOB NOT NULL);"
        "CREATE TABLE IF NOT EXISTS tag(mac BLOB NOT NULL, record INTEGER NOT NULL, PRIMARY KEY(mac, record))"
        " WITHOUT ROWID;"
        "CREATE INDEX IF NOT EXISTS tag_by_record ON tag(record);");
    begin = prepare("BEGIN IMMEDIATE");
    commit = prepare("COMMIT");
    insert_record = prepare("INSERT INTO record(name, value) VALUES(?1, ?2)");
    insert_tag = prepare("INSERT INTO tag(mac, record) VALUES(?1, ?2)");
    select_id = prepare("SELECT id, value FROM record WHERE name = ?1");
    select_tags = prepare("SELECT mac FROM tag WHERE record = ?1");
    select_by_tag = prepare("SELECT id, value FROM tag JOIN record ON id = record WHERE mac = ?1 LIMIT ?2");
    select_all = prepare("SELECT id, value FROM record WHERE id <= ?1");
}

static void close_db(void) {
    sqlite3_stmt *statement;
    while ((statement = sqlite3_next_stmt(db, NULL))) sqlite3_finalize(statement);
    sqlite3_close(db);
}

static void make(const char *folder) {
    require(sodium_init() >= 0, "libsodium");
    randombytes_buf(value_key, sizeof value_key);
    randombytes_buf(mac_key, sizeof mac_key);
    snprintf(path, sizeof path, "%s/floor.db", folder);
    open_db();
}

static void bind_mac(sqlite3_stmt *statement, const char *kind, const char *text) {
    char whole[64];
    uint8_t mac[MAC];
    int length = snprintf(whole, sizeof whole, "%s:%s", kind, text);
    crypto_auth_hmacsha256(mac, (const uint8_t *)whole, (unsigned long long)length, mac_key);
    sqlite3_bind_blob(statement, 1, mac, MAC, SQLITE_TRANSIENT);
}

static void insert_one_tag(const char *name, const char *value, int64_t id) {
    bind_mac(insert_tag, name, value);
    sqlite3_bind_int64(insert_tag, 2, id);
    run(insert_tag);
}

static void insert_rows(long number) {
    struct record record;
    uint8_t sealed[SEALED];
    describe(&record, number);
    randombytes_buf(sealed, NONCE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(sealed + NONCE, NULL, (const uint8_t *)record.value, VALUE_SIZE, NULL, 0,
                                               NULL, sealed, value_key);
    bind_mac(insert_record, "id", record.id);
    sqlite3_bind_blob(insert_record, 2, sealed, SEALED, SQLITE_STATIC);
    run(insert_record);
    int64_t id = sqlite3_last_insert_rowid(db);
    insert_one_tag("plain", record.plain, id);
    insert_one_tag("group", record.group, id);
    insert_one_tag("unique", record.unique, id);
}

static long filled;

static void fill(long count) {
    run(begin);
    for (long i = 0; i < count; i++) insert_rows(i);
    run(commit);
    filled = count;
}

static void insert(long number) {
    run(begin);
    insert_rows(number);
    run(commit);
}

/* One transaction for what all callers bring: the best that they can do. */
static void insert_together(long first, long count) {
    for (long i = 0; i < count; i++) {
        if (i % CALLERS == 0) run(begin);
        insert_rows(first + i);
        if ((i + 1) % CALLERS == 0 || i + 1 == count) run(commit);
    }
}

static void read_row(sqlite3_stmt *row) {
    uint8_t value[VALUE_SIZE];
    const uint8_t *sealed = sqlite3_column_blob(row, 1);
    check(sqlite3_column_bytes(row, 1) == SEALED);
    require(crypto_aead_xchacha20poly1305_ietf_decrypt(value, NULL, NULL, sealed + NONCE, SEALED - NONCE, NULL, 0,
                                                       sealed, value_key) == 0, "a value");
    sqlite3_bind_int64(select_tags, 1, sqlite3_column_int64(row, 0));
    while (sqlite3_step(select_tags) == SQLITE_ROW) check(sqlite3_column_bytes(select_tags, 0) == MAC);
    sqlite3_reset(select_tags);
}

static long read_rows(sqlite3_stmt *rows) {
    long count = 0;
    for (; sqlite3_step(rows) == SQLITE_ROW; count++) read_row(rows);
    sqlite3_reset(rows);
    return count;
}

static void get(long number) {
    struct record record;
    describe(&record, number);
    bind_mac(select_id, "id", record.id);
    require(read_rows(select_id) == 1, "a record");
}

static long search(const char *name, const char *value) {
    bind_mac(select_by_tag, name, value);
    sqlite3_bind_int(select_by_tag, 2, PAGE);
    return read_rows(select_by_tag);
}

static long scan(void) {
    sqlite3_bind_int64(select_all, 1, filled);
    return read_rows(select_all);
}

int main(int count, char **arguments) {
    const struct peer floor = {.make = make, .fill = fill, .close = close_db, .open = open_db, .get = get,
                               .insert = insert, .insert_together = insert_together, .search = search,
                               .scan = scan};
    return serve(&floor, count, arguments);
}
