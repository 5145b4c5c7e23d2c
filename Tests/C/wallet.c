/* Every call on the wallet, on real files.
 *
 *     wallet FOLDER_OF_THE_SAMPLES FOLDER_TO_WORK_IN
 */
#include <unistd.h>

#include "wallet.h"

static struct msdk_wait wait = MSDK_WAIT;
static const char *samples, *home;

static bool has(const char *text, const char *part) { return text && strstr(text, part); }

static const char *get(const char *id, const char *options) {
    return msdk_text(&wait, vcx_wallet_get_record, "letter", id, options);
}

static vcx_search_handle_t search(const char *query, const char *options) {
    vcx_search_handle_t handle = msdk_search(&wait, vcx_wallet_open_search, "letter", query, options);
    CHECK(handle > 0);
    return handle;
}

static const char *next(vcx_search_handle_t handle, size_t count) {
    return msdk_text(&wait, vcx_wallet_search_next_records, handle, count);
}

static void failed_text(vcx_error_t code, const char *text) {
    CHECK(text == NULL && wait.error == code);
    msdk_wait_free(&wait);
}

static void failed_search(vcx_error_t code, const char *query, const char *options, const char *cause) {
    CHECK(msdk_search(&wait, vcx_wallet_open_search, "letter", query, options) == 0);
    CHECK(wait.error == code && has(wait.details, cause));
    msdk_wait_free(&wait);
}

static void without_a_wallet(void) {
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_add_record, "letter", "1", "text", "{}");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_update_record_value, "letter", "1", "text");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_update_record_tags, "letter", "1", "{}");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_add_record_tags, "letter", "1", "{}");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_delete_record_tags, "letter", "1", "[]");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_delete_record, "letter", "1");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_close_search, 1);
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_export, "/nowhere/file", "key");
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, msdk_wallet_rekey, "key", NULL);
    failed_text(VCX_INVALID_WALLET_HANDLE, next(1, 1));
    failed_search(VCX_INVALID_WALLET_HANDLE, "{}", "{}", "closed");
}

static void imports(void) {
    char file[4096], path[4096];
    snprintf(file, sizeof file, "%s/sample.export", samples);
    FAILS(&wait, VCX_INVALID_CONFIGURATION, vcx_wallet_import, "{");
    FAILS(&wait, VCX_INVALID_WALLET_IMPORT_CONFIG, vcx_wallet_import, "{\"wallet_name\":\"x\"}");
    FAILS(&wait, VCX_IOERROR, vcx_wallet_import, config(home, "none", RAW_KEY, "/nowhere/file"));
    snprintf(path, sizeof path, "%s/sample-raw/sqlite.db", samples);
    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, vcx_wallet_import, config(home, "none", RAW_KEY, path));
    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, vcx_wallet_import, config(home, "none", "no key", file));
    snprintf(path, sizeof path, "%s/none", home);
    CHECK(access(path, F_OK) != 0); /* nothing is left of the failed ones */
    make_wallet(&wait, samples, home, "wallet");
    FAILS(&wait, VCX_WALLET_ALREADY_EXISTS, vcx_wallet_import, config(home, "wallet", RAW_KEY, file));
}

static void records(void) {
    SUCCEEDS(&wait, vcx_wallet_add_record, "letter", "1", "Dear Alice", "{\"from\":\"faber\",\"~page\":\"2\"}");
    FAILS(&wait, VCX_DUPLICATE_WALLET_RECORD, vcx_wallet_add_record, "letter", "1", "again", "{}");
    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, vcx_wallet_add_record, "letter", "2", "text", "{\"page\":2}");
    FAILS(&wait, VCX_INVALID_LIBINDY_PARAM, vcx_wallet_add_record, "Indy::Key", "1", "text", "{}");
    FAILS(&wait, VCX_INVALID_OPTION, vcx_wallet_add_record, "letter", "2", "", "{}");
    CHECK(strcmp(get("1", "{}"), "{\"type\":null,\"id\":\"1\",\"value\":\"Dear Alice\",\"tags\":"
                                 "{\"from\":\"faber\",\"~page\":\"2\"}}") == 0);
    CHECK(strcmp(get("1", "{\"retrieveType\":true,\"retrieveValue\":false,\"retrieveTags\":false,\"other\":1}"),
                 "{\"type\":\"letter\",\"id\":\"1\",\"value\":null,\"tags\":null}") == 0);
    get("1", "{\"retrieveTags\":1}");
    CHECK(wait.error == VCX_LIBINDY_INVALID_STRUCTURE);
    msdk_wait_free(&wait);

    SUCCEEDS(&wait, vcx_wallet_update_record_value, "letter", "1", "Dear Bob");
    CHECK(has(get("1", "{}"), "\"Dear Bob\",\"tags\":{\"from\":\"faber\",\"~page\":\"2\"}"));
    FAILS(&wait, VCX_WALLET_RECORD_NOT_FOUND, vcx_wallet_update_record_value, "letter", "2", "text");
    FAILS(&wait, VCX_WALLET_RECORD_NOT_FOUND, vcx_wallet_delete_record, "letter", "2");
}

static void tags(void) {
    SUCCEEDS(&wait, vcx_wallet_add_record_tags, "letter", "1", "{\"from\":\"acme\",\"read\":\"no\"}");
    CHECK(has(get("1", "{}"), "\"tags\":{\"from\":\"acme\",\"read\":\"no\",\"~page\":\"2\"}"));
    SUCCEEDS(&wait, vcx_wallet_delete_record_tags, "letter", "1", "[\"~page\",\"absent\"]");
    CHECK(has(get("1", "{}"), "\"tags\":{\"from\":\"acme\",\"read\":\"no\"}"));
    SUCCEEDS(&wait, vcx_wallet_update_record_tags, "letter", "1", "{\"a\":\"1\"}");
    CHECK(has(get("1", "{}"), "\"tags\":{\"a\":\"1\"}"));
    SUCCEEDS(&wait, vcx_wallet_update_record_tags, "letter", "1", "{}");
    CHECK(has(get("1", "{}"), "\"tags\":{}"));

    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, vcx_wallet_add_record_tags, "letter", "1", "[]");
    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, vcx_wallet_update_record_tags, "letter", "1", "{\"a\":null}");
    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, vcx_wallet_delete_record_tags, "letter", "1", "{\"a\":\"1\"}");
    FAILS(&wait, VCX_WALLET_RECORD_NOT_FOUND, vcx_wallet_add_record_tags, "letter", "2", "{}");
    FAILS(&wait, VCX_WALLET_RECORD_NOT_FOUND, vcx_wallet_update_record_tags, "letter", "2", "{}");
    FAILS(&wait, VCX_WALLET_RECORD_NOT_FOUND, vcx_wallet_delete_record_tags, "letter", "2", "[]");
    SUCCEEDS(&wait, vcx_wallet_delete_record, "letter", "1");
}

/* How often `part` occurs in a text. */
static int count(const char *text, const char *part) {
    int found = 0;
    CHECK(text);
    for (; (text = strstr(text, part)); text += strlen(part)) found++;
    return found;
}

enum { LETTERS = 200 };

static void searches(void) {
    int i;
    char id[16];
    vcx_search_handle_t all, few, none;
    for (i = 0; i < LETTERS; i++) {
        snprintf(id, sizeof id, "%03d", i);
        SUCCEEDS(&wait, vcx_wallet_add_record, "letter", id, "text", i % 10 ? "{}" : "{\"tenth\":\"yes\"}");
    }
    all = search("{}", "{\"retrieveTotalCount\":true}");
    few = search("{\"tenth\":\"yes\"}", "{\"retrieveType\":true}");
    none = search("{\"tenth\":\"yes\"}", "{\"retrieveRecords\":false,\"retrieveTotalCount\":true}");
    CHECK(all != few && few != none);

    /* They do not see later changes. */
    for (i = 0; i < LETTERS; i++) {
        snprintf(id, sizeof id, "%03d", i);
        SUCCEEDS(&wait, vcx_wallet_delete_record, "letter", id);
    }
    CHECK(strcmp(next(all, 0), "{\"totalCount\":200,\"records\":null}") == 0);
    CHECK(count(next(all, 150), "\"value\":\"text\"") == 150);
    CHECK(count(next(all, 150), "\"value\":\"text\"") == 50);
    CHECK(strcmp(next(all, 150), "{\"totalCount\":200,\"records\":null}") == 0);
    CHECK(count(next(few, (size_t)-1), "{\"type\":\"letter\",") == LETTERS / 10);
    CHECK(strcmp(next(few, 1), "{\"totalCount\":null,\"records\":null}") == 0);
    CHECK(strcmp(next(none, 1), "{\"totalCount\":20,\"records\":null}") == 0);

    SUCCEEDS(&wait, vcx_wallet_close_search, few);
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_close_search, few);
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_close_search, -1);
    failed_text(VCX_INVALID_WALLET_HANDLE, next(few, 1));

    failed_search(VCX_INVALID_LIBINDY_PARAM, "{\"$or\":[{\"a\":\"1\"},{\"b\":{\"$gt\":\"x\"}}]}", "{}", "$or[1].b");
    failed_search(VCX_INVALID_LIBINDY_PARAM, "{\"a\":", "{}", "query");
    failed_search(VCX_LIBINDY_INVALID_STRUCTURE, "{}", "[]", "options");
    failed_search(VCX_LIBINDY_INVALID_STRUCTURE, "{}", "{\"retrieveValue\":\"yes\"}", "retrieveValue");

    CHECK(vcx_shutdown(false) == VCX_SUCCESS);
    failed_text(VCX_INVALID_WALLET_HANDLE, next(all, 1));
    FAILS(&wait, VCX_INVALID_WALLET_HANDLE, vcx_wallet_close_search, none);
    open_wallet(&wait, home, "wallet", RAW_KEY);
    failed_text(VCX_INVALID_WALLET_HANDLE, next(all, 1));
}

static void exports(void) {
    char file[4096];
    snprintf(file, sizeof file, "%s/in/a/folder/wallet.export", home);
    SUCCEEDS(&wait, vcx_wallet_add_record, "letter", "kept", "carried over", "{\"~page\":\"1\"}");
    SUCCEEDS(&wait, vcx_wallet_export, file, "sample backup key");
    FAILS(&wait, VCX_IOERROR, vcx_wallet_export, file, "sample backup key");
    SUCCEEDS(&wait, vcx_wallet_import, config(home, "second", OTHER_RAW_KEY, file));
    CHECK(vcx_shutdown(false) == VCX_SUCCESS);
    open_wallet(&wait, home, "second", OTHER_RAW_KEY);
    CHECK(has(get("kept", "{}"), "\"value\":\"carried over\",\"tags\":{\"~page\":\"1\"}"));
    CHECK(vcx_shutdown(true) == VCX_SUCCESS);
    FAILS(&wait, VCX_WALLET_NOT_FOUND, vcx_init_with_config, config(home, "second", OTHER_RAW_KEY, ""));
}

static void keys(void) {
    open_wallet(&wait, home, "wallet", RAW_KEY);
    FAILS(&wait, VCX_INVALID_OPTION, msdk_wallet_rekey, "", "RAW");
    FAILS(&wait, VCX_INVALID_OPTION, msdk_wallet_rekey, OTHER_RAW_KEY, "raw");
    FAILS(&wait, VCX_LIBINDY_INVALID_STRUCTURE, msdk_wallet_rekey, "no raw key", "RAW");
    SUCCEEDS(&wait, msdk_wallet_rekey, "a passphrase", NULL);
    SUCCEEDS(&wait, msdk_wallet_rekey, OTHER_RAW_KEY, "RAW");
    CHECK(vcx_shutdown(false) == VCX_SUCCESS);
    FAILS(&wait, VCX_WALLET_ACCESS_FAILED, vcx_init_with_config, config(home, "wallet", RAW_KEY, ""));
    open_wallet(&wait, home, "wallet", OTHER_RAW_KEY);
    CHECK(has(get("kept", "{}"), "carried over"));
    SUCCEEDS(&wait, msdk_wallet_rekey, RAW_KEY, "RAW");
    CHECK(vcx_shutdown(true) == VCX_SUCCESS); /* with the key that it has now */
    FAILS(&wait, VCX_WALLET_NOT_FOUND, vcx_init_with_config, config(home, "wallet", RAW_KEY, ""));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    samples = argv[1];
    home = argv[2];
    without_a_wallet();
    imports();
    open_wallet(&wait, home, "wallet", RAW_KEY);
    records();
    tags();
    searches();
    exports();
    keys();
    msdk_wait_free(&wait);
    return 0;
}
