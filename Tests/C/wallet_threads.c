/* Many threads on one wallet: mixed calls for a while without an error that the calls do not account for.
 *
 *     wallet_threads FOLDER_OF_THE_SAMPLES FOLDER_TO_WORK_IN [SECONDS]
 */
#include <time.h>

#include "wallet.h"

enum { THREADS = 64, RECORDS = 20 };

static time_t end;

struct worker {
    int number;
    unsigned seed;
    unsigned long calls;
    /* The version of each of its records; 0 for one that is not there. */
    unsigned versions[RECORDS];
};

static int choose(struct worker *worker, int count) { return rand_r(&worker->seed) % count; }

static void describe(
    const struct worker *worker, int record, char id[32], char value[64], char tags[128]) {
    snprintf(id, 32, "%d-%d", worker->number, record);
    snprintf(value, 64, "%u of %s", worker->versions[record], id);
    snprintf(tags, 128, "{\"record\":\"%d\",\"thread\":\"%d\"}", record, worker->number);
}

static void check(struct msdk_wait *wait, const struct worker *worker, int record) {
    char id[32], value[64], tags[128], expected[512];
    describe(worker, record, id, value, tags);
    snprintf(expected, sizeof expected, "{\"type\":null,\"id\":\"%s\",\"value\":\"%s\",\"tags\":%s}", id, value, tags);
    const char *found = msdk_text(wait, vcx_wallet_get_record, "letter", id, "{}");
    if (worker->versions[record]) {
        if (!found) fail(__FILE__, __LINE__, wait);
        CHECK(strcmp(found, expected) == 0);
    } else {
        CHECK(wait->error == VCX_WALLET_RECORD_NOT_FOUND);
        msdk_wait_free(wait);
    }
}

/* A record of the thread's own comes, changes and goes. */
static void write_own(struct msdk_wait *wait, struct worker *worker, int record) {
    char id[32], value[64], tags[128];
    unsigned before = worker->versions[record]++;
    describe(worker, record, id, value, tags);
    if (!before) {
        SUCCEEDS(wait, vcx_wallet_add_record, "letter", id, value, tags);
    } else if (before % 5 == 0) {
        SUCCEEDS(wait, vcx_wallet_delete_record, "letter", id);
        worker->versions[record] = 0;
    } else {
        SUCCEEDS(wait, vcx_wallet_update_record_value, "letter", id, value);
        SUCCEEDS(wait, vcx_wallet_add_record_tags, "letter", id, "{\"~more\":\"1\"}");
        SUCCEEDS(wait, vcx_wallet_delete_record_tags, "letter", id, "[\"~more\"]");
    }
}

/* All threads quarrel about one record: it is there or not, nothing else. */
static void write_shared(struct msdk_wait *wait, struct worker *worker) {
    if (choose(worker, 2)) {
        msdk_done(wait, vcx_wallet_add_record, "letter", "shared", "text", "{\"thread\":\"shared\"}");
        CHECK(!wait->error || wait->error == VCX_DUPLICATE_WALLET_RECORD);
    } else {
        msdk_done(wait, vcx_wallet_delete_record, "letter", "shared");
        CHECK(!wait->error || wait->error == VCX_WALLET_RECORD_NOT_FOUND);
    }
    msdk_wait_free(wait);
}

/* A search for the thread's own records finds exactly those. */
static void search(struct msdk_wait *wait, struct worker *worker) {
    char query[64], expected[64];
    int i, own = 0;
    for (i = 0; i < RECORDS; i++) own += worker->versions[i] > 0;
    snprintf(query, sizeof query, "{\"thread\":\"%d\"}", worker->number);
    snprintf(expected, sizeof expected, "{\"totalCount\":%d,", own);
    vcx_search_handle_t found =
        msdk_search(wait, vcx_wallet_open_search, "letter", query, "{\"retrieveTotalCount\":true}");
    const char *page = msdk_text(wait, vcx_wallet_search_next_records, found, 3);
    if (!page) fail(__FILE__, __LINE__, wait);
    CHECK(strncmp(page, expected, strlen(expected)) == 0);
    SUCCEEDS(wait, vcx_wallet_close_search, found);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct msdk_wait wait = MSDK_WAIT;
    int record;
    for (; time(NULL) < end; worker->calls++) {
        record = choose(worker, RECORDS);
        switch (choose(worker, 8)) {
            case 0: case 1: case 2: check(&wait, worker, record); break;
            case 3: search(&wait, worker); break;
            case 4: write_shared(&wait, worker); break;
            default: write_own(&wait, worker, record);
        }
    }
    msdk_wait_free(&wait);
    return NULL;
}

int main(int argc, char **argv) {
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    struct msdk_wait wait = MSDK_WAIT;
    unsigned long calls = 0;
    int i, record;
    CHECK(argc >= 3);
    make_wallet(&wait, argv[1], argv[2], "threads");
    open_wallet(&wait, argv[2], "threads", RAW_KEY);
    end = time(NULL) + (argc > 3 ? atoi(argv[3]) : 5);
    for (i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].seed = (unsigned)i + 1;
        CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);

    /* In the file, too, is what they wrote. */
    CHECK(vcx_shutdown(false) == VCX_SUCCESS);
    open_wallet(&wait, argv[2], "threads", RAW_KEY);
    for (i = 0; i < THREADS; i++) {
        for (record = 0; record < RECORDS; record++) check(&wait, &workers[i], record);
        calls += workers[i].calls;
    }
    CHECK(calls >= THREADS);
    CHECK(vcx_shutdown(true) == VCX_SUCCESS);
    msdk_wait_free(&wait);
    return 0;
}
