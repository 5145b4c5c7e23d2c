/* msdk through its C interface.
 *
 *     msdk FOLDER FILE_OF_AN_EXPORTED_WALLET
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msdk.h"
#include "peer.h"

#define KEY "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"

static const char *seed_file;
static char config[4096];

static void begun(vcx_error_t error) {
    if (error) fail("msdk", vcx_error_c_message(error));
}

static void on_done(vcx_command_handle_t caller, vcx_error_t error) { answer(caller, error); }

static void on_search(vcx_command_handle_t caller, vcx_error_t error, vcx_search_handle_t search) {
    callers[caller].handle = (size_t)search;
    answer(caller, error);
}

static void on_text(vcx_command_handle_t caller, vcx_error_t error, const char *text) {
    callers[caller].text = text ? strdup(text) : NULL;
    answer(caller, error);
}

static struct caller *done(int number) {
    struct caller *caller = await(number);
    begun((vcx_error_t)caller->error);
    return caller;
}

static void open_wallet(void) {
    begun(vcx_init_with_config(0, config, on_done));
    done(0);
}

static void close_wallet(void) { begun(vcx_shutdown(false)); }

/* A wallet comes from provisioning or from an import: this one from a small exported one. */
static void make(const char *folder) {
    snprintf(config, sizeof config,
             "{\"wallet_name\":\"bench\",\"wallet_key\":\"" KEY "\",\"wallet_key_derivation\":\"RAW\","
             "\"storage_config\":{\"path\":\"%s\"},\"exported_wallet_path\":\"%s\",\"backup_key\":\"sample backup key\"}",
             folder, seed_file);
    begun(vcx_wallet_import(0, config, on_done));
    done(0);
    open_wallet();
}

static void insert_as(int caller, const char *type, long number) {
    struct record record;
    char tags[128];
    describe(&record, number);
    begun(vcx_wallet_add_record((vcx_command_handle_t)caller, type, record.id, record.value, tags_json(&record, tags),
                                on_done));
    done(caller);
}

static void insert_filling(int caller, long number) { insert_as(caller, "bench", number); }
static void insert_adding(int caller, long number) { insert_as(caller, "added", number); }
static void insert(long number) { insert_as(0, "added", number); }
static void insert_together(long first, long count) { together(first, count, insert_adding); }
static void fill(long count) { together(0, count, insert_filling); }

/* Value and tags are two calls, which are under way at the same time. */
static void update(long number) {
    struct record record;
    char tags[128];
    describe(&record, number);
    begun(vcx_wallet_update_record_value(0, "bench", record.id, record.value, on_done));
    begun(vcx_wallet_update_record_tags(0, "bench", record.id, tags_json(&record, tags), on_done));
    done(0);
    done(0);
}

static void get(long number) {
    struct record record;
    describe(&record, number);
    begun(vcx_wallet_get_record(0, "bench", record.id, "{}", on_text));
    char *text = done(0)->text;
    require(text && strstr(text, record.unique), "a record");
    free(text);
}

static size_t open_search(const char *query) {
    begun(vcx_wallet_open_search(0, "bench", query, "{}", on_search));
    return done(0)->handle;
}

/* The records of a page: each has its own tag once. */
static long next(size_t search, int size) {
    long count = 0;
    begun(vcx_wallet_search_next_records(0, (vcx_search_handle_t)search, (uintptr_t)size, on_text));
    char *text = done(0)->text;
    for (char *at = text; (at = strstr(at, "\"unique\":")); at++) count++;
    free(text);
    return count;
}

static void close_search(size_t search) {
    begun(vcx_wallet_close_search(0, (vcx_search_handle_t)search, on_done));
    done(0);
}

static long search(const char *name, const char *value) {
    char query[64];
    snprintf(query, sizeof query, "{\"%s\":\"%s\"}", name, value);
    size_t found = open_search(query);
    long count = next(found, PAGE);
    close_search(found);
    return count;
}

static long scan(void) {
    long all = 0, count;
    size_t found = open_search("{}");
    while ((count = next(found, 100))) all += count;
    close_search(found);
    return all;
}

int main(int count, char **arguments) {
    const struct peer msdk = {.make = make, .fill = fill, .close = close_wallet, .open = open_wallet, .get = get,
                              .insert = insert, .insert_together = insert_together, .update = update, .search = search,
                              .scan = scan};
    require(count == 3, "the exported wallet");
    seed_file = arguments[2];
    return serve(&msdk, count, arguments);
}
