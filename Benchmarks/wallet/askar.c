/* aries-askar 0.5 through its C interface.
 *
 *     askar FOLDER LIBRARY
 *
 * Every call of a program has a session of its own, as its documentation shows; the get in a session
 * and the single insert use one that stays open, which is what is best for it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

typedef int64_t code;
typedef struct { int64_t length; uint8_t *bytes; } buffer;
typedef const void *list;
typedef void (*done_cb)(int64_t, code);
typedef void (*handle_cb)(int64_t, code, size_t);
typedef void (*list_cb)(int64_t, code, list);

/* The functions in use: result, name, parameters. */
#define FUNCTIONS(F)                                                                                             \
    F(code, get_current_error, (const char **text))                                                              \
    F(void, buffer_free, (buffer owned))                                                                         \
    F(void, string_free, (char *owned))                                                                          \
    F(code, store_generate_raw_key, (buffer seed, char **key))                                                   \
    F(code, store_provision, (const char *uri, const char *method, const char *key, const char *profile,         \
                              int8_t recreate, handle_cb cb, int64_t id))                                        \
    F(code, store_open, (const char *uri, const char *method, const char *key, const char *profile,              \
                         handle_cb cb, int64_t id))                                                              \
    F(code, store_close, (size_t store, done_cb cb, int64_t id))                                                 \
    F(code, session_start, (size_t store, const char *profile, int8_t transaction, handle_cb cb, int64_t id))    \
    F(code, session_close, (size_t session, int8_t commit, done_cb cb, int64_t id))                              \
    F(code, session_update, (size_t session, int8_t operation, const char *category, const char *name,           \
                             buffer value, const char *tags, int64_t expiry, done_cb cb, int64_t id))            \
    F(code, session_fetch, (size_t session, const char *category, const char *name, int8_t for_update,           \
                            list_cb cb, int64_t id))                                                             \
    F(code, scan_start, (size_t store, const char *profile, const char *category, const char *filter,            \
                         int64_t offset, int64_t limit, const char *order, int8_t descending, handle_cb cb,      \
                         int64_t id))                                                                            \
    F(code, scan_next, (size_t scan, list_cb cb, int64_t id))                                                    \
    F(code, scan_free, (size_t scan))                                                                            \
    F(code, entry_list_count, (list entries, int32_t *count))                                                    \
    F(code, entry_list_get_value, (list entries, int32_t index, buffer *value))                                  \
    F(code, entry_list_get_tags, (list entries, int32_t index, const char **tags))                               \
    F(void, entry_list_free, (list entries))

#define POINTER(result, name, parameters) static result(*name) parameters;
FUNCTIONS(POINTER)

enum { INSERT = 0, REPLACE = 1 };

static size_t store, session;
static char uri[4096], *key;

static void begun(code error) {
    const char *details = "";
    if (!error) return;
    get_current_error(&details);
    fail("askar", details);
}

static void on_done(int64_t caller, code error) { answer(caller, error); }

static void on_handle(int64_t caller, code error, size_t handle) {
    callers[caller].handle = handle;
    answer(caller, error);
}

static void on_list(int64_t caller, code error, list entries) {
    callers[caller].list = entries;
    answer(caller, error);
}

static struct caller *done(int number) {
    struct caller *caller = await(number);
    begun(caller->error);
    return caller;
}

static size_t begin(int caller, int8_t transaction) {
    begun(session_start(store, NULL, transaction, on_handle, caller));
    return done(caller)->handle;
}

static void end(int caller, size_t ended) {
    begun(session_close(ended, 1, on_done, caller));
    done(caller);
}

/* The open session is made when it is needed first: it keeps a connection of the pool. */
static size_t open_session(void) {
    if (!session) session = begin(0, 0);
    return session;
}

static void end_open_session(void) {
    if (session) end(0, session);
    session = 0;
}

static void open_store(void) {
    begun(store_open(uri, "raw", key, NULL, on_handle, 0));
    store = done(0)->handle;
}

static void close_store(void) {
    end_open_session();
    begun(store_close(store, on_done, 0));
    done(0);
}

static void make(const char *folder) {
    snprintf(uri, sizeof uri, "sqlite://%s/askar.db", folder);
    begun(store_generate_raw_key((buffer){0, NULL}, &key));
    begun(store_provision(uri, "raw", key, NULL, 1, on_handle, 0));
    store = done(0)->handle;
}

static void store_in(size_t within, int8_t operation, int caller, const char *category, long number) {
    struct record record;
    char tags[128];
    describe(&record, number);
    begun(session_update(within, operation, category, record.id, (buffer){VALUE_SIZE, (uint8_t *)record.value},
                         tags_json(&record, tags), -1, on_done, caller));
    done(caller);
}

static void insert_in(size_t within, int caller, const char *category, long number) {
    store_in(within, INSERT, caller, category, number);
}

static void fill(long count) {
    size_t transaction = begin(0, 1);
    for (long i = 0; i < count; i++) insert_in(transaction, 0, "bench", i);
    end(0, transaction);
}

static void insert(long number) { insert_in(open_session(), 0, "added", number); }

static void update(long number) { store_in(open_session(), REPLACE, 0, "bench", number); }

static void insert_in_own_session(int caller, long number) {
    size_t own = begin(caller, 0);
    insert_in(own, caller, "added", number);
    end(caller, own);
}

static void insert_together(long first, long count) {
    end_open_session();
    together(first, count, insert_in_own_session);
}

/* Value and tags of an entry, as a program takes them. */
static void read_entry(list entries, int32_t index) {
    buffer value;
    const char *tags;
    begun(entry_list_get_value(entries, index, &value));
    begun(entry_list_get_tags(entries, index, &tags));
    require(value.length == VALUE_SIZE && strstr(tags, "unique"), "an entry");
    buffer_free(value);
    string_free((char *)tags);
}

/* The entries of a page. Their count is told for these only: that of a fetched entry is told as 0. */
static int32_t read_entries(list entries) {
    int32_t count = 0;
    if (!entries) return 0;
    begun(entry_list_count(entries, &count));
    for (int32_t i = 0; i < count; i++) read_entry(entries, i);
    entry_list_free(entries);
    return count;
}

static void get_in(size_t within, long number) {
    struct record record;
    describe(&record, number);
    begun(session_fetch(within, "bench", record.id, 0, on_list, 0));
    list entries = done(0)->list;
    require(entries, "a record");
    read_entry(entries, 0);
    entry_list_free(entries);
}

static void get(long number) {
    end_open_session();
    size_t own = begin(0, 0);
    get_in(own, number);
    end(0, own);
}

static void get_in_session(long number) { get_in(open_session(), number); }

/* The first page, or all. Pages are of askar's own size. */
static long read_scan(const char *filter, bool is_page) {
    long all = 0, count;
    end_open_session();
    begun(scan_start(store, NULL, "bench", filter, 0, -1, NULL, 0, on_handle, 0));
    size_t scan = done(0)->handle;
    do {
        begun(scan_next(scan, on_list, 0));
        count = read_entries(done(0)->list);
        all += count;
    } while (count && !is_page);
    begun(scan_free(scan));
    return all;
}

static long search(const char *name, const char *value) {
    char filter[64];
    snprintf(filter, sizeof filter, "{\"%s\":\"%s\"}", name, value);
    return read_scan(filter, true);
}

static long scan(void) { return read_scan(NULL, false); }

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) fail(path, dlerror());
#define LOAD(result, name, parameters) \
    if (!(*(void **)&name = dlsym(library, "askar_" #name))) fail(path, "no askar_" #name);
    FUNCTIONS(LOAD)
}

int main(int count, char **arguments) {
    const struct peer askar = {.make = make, .fill = fill, .close = close_store, .open = open_store, .get = get,
                               .get_in_session = get_in_session, .insert = insert, .insert_together = insert_together,
                               .update = update, .search = search, .scan = scan};
    require(count == 3, "the library");
    load(arguments[2]);
    return serve(&askar, count, arguments);
}
