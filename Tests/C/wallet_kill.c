/* A process that writes is killed at random moments. Every write that it was told of is there, and no half record.
 *
 *     wallet_kill FOLDER_OF_THE_SAMPLES FOLDER_TO_WORK_IN [KILLS [SEED]]
 *     wallet_kill write FOLDER_TO_WORK_IN FIRST_RECORD     the process that is killed
 *
 * The writer keeps several writes under way. It adds records with rising numbers, deletes each record LIVES behind,
 * and passes on each confirmation, four bytes, to standard output.
 */
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wallet.h"

enum { UNDER_WAY = 16, LIVES = 200, LONGEST = 3000, MOST = 10000000, MILLISECONDS = 250 };

/* Add and delete, as command handles: the number of the record, and one bit. */
enum { ADDED = 0, DELETED = 1 };

/* The content of a record. */
static const char *value(unsigned number) {
    static char text[LONGEST + 32];
    int length = snprintf(text, sizeof text, "%u ", number);
    unsigned filling = number * 7919u % LONGEST;
    memset(text + length, 'a' + number % 26, filling);
    text[length + filling] = 0;
    return text;
}

static const char *tags(unsigned number) {
    static char text[64];
    snprintf(text, sizeof text, "{\"number\":\"%u\",\"~number\":\"%u\"}", number, number);
    return text;
}

static const char *name(unsigned number) {
    static char text[16];
    snprintf(text, sizeof text, "r%u", number);
    return text;
}

/* The writer */

static sem_t free_places;

static void confirmed(vcx_command_handle_t command_handle, vcx_error_t error) {
    CHECK(error == VCX_SUCCESS);
    CHECK(write(STDOUT_FILENO, &command_handle, sizeof command_handle) == sizeof command_handle);
    sem_post(&free_places);
}

static int write_until_killed(const char *home, unsigned number) {
    struct msdk_wait wait = MSDK_WAIT;
    unsigned first = number;
    sem_init(&free_places, 0, UNDER_WAY);
    open_wallet(&wait, home, "kill", RAW_KEY);
    for (; number < MOST; number++) {
        sem_wait(&free_places);
        CHECK(vcx_wallet_add_record(number * 2 + ADDED, "t", name(number), value(number), tags(number), confirmed) == 0);
        if (number < first + LIVES) continue;
        sem_wait(&free_places);
        CHECK(vcx_wallet_delete_record((number - LIVES) * 2 + DELETED, "t", name(number - LIVES), confirmed) == 0);
    }
    return 0;
}

/* The tester */

/* The content of the latest confirmation about each record. */
enum { NOTHING, ADDITION, DELETION };
static unsigned char known[MOST];
static unsigned last_known;

/* A deletion that was under way at the end was not confirmed and may have been done. */
static bool may_be_deleted(unsigned number) { return number + LIVES <= last_known + UNDER_WAY; }

static pid_t start_writer(const char *program, const char *home, unsigned first, int *confirmations) {
    int ends[2];
    char number[16];
    snprintf(number, sizeof number, "%u", first);
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program, program, "write", home, number, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *confirmations = ends[0];
    return child;
}

static unsigned learn(int confirmations) {
    unsigned count = 0;
    vcx_command_handle_t handle;
    for (; read(confirmations, &handle, sizeof handle) == sizeof handle; count++) {
        unsigned number = handle / 2;
        CHECK(number < MOST);
        known[number] = handle % 2 == DELETED ? DELETION : ADDITION;
        if (number > last_known) last_known = number;
    }
    close(confirmations);
    return count;
}

/* One run of the writer, ended after some time. Gives the number of confirmations. */
static unsigned write_and_kill(const char *program, const char *home, unsigned first, long microseconds) {
    int confirmations, status;
    pid_t child = start_writer(program, home, first, &confirmations);
    struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
    CHECK(kill(child, SIGKILL) == 0);
    unsigned count = learn(confirmations);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL); /* it had no reason of its own to end */
    return count;
}

static void deleted(vcx_command_handle_t command_handle, vcx_error_t error) {
    CHECK(command_handle == 0 && error == VCX_SUCCESS);
    sem_post(&free_places);
}

/* All at once: one after the other would be one synchronisation of the disk for each. */
static void delete_records(const unsigned char *found, unsigned first, unsigned end) {
    unsigned number, count = 0;
    sem_init(&free_places, 0, 0);
    for (number = first; number < end; number++) {
        if (!found[number]) continue;
        CHECK(vcx_wallet_delete_record(0, "t", name(number), deleted) == VCX_SUCCESS);
        count++;
    }
    while (count--) sem_wait(&free_places);
}

/* Both kinds of tags lead to as many records as there are. */
static void check_tags(struct msdk_wait *wait, unsigned count) {
    static const char *const queries[] = {"{\"~number\":{\"$gte\":\"0\"}}", "{\"number\":{\"$gte\":0}}"};
    char expected[64];
    int i;
    snprintf(expected, sizeof expected, "{\"totalCount\":%u,\"records\":null}", count);
    for (i = 0; i < 2; i++) {
        vcx_search_handle_t search = msdk_search(
            wait, vcx_wallet_open_search, "t", queries[i], "{\"retrieveRecords\":false,\"retrieveTotalCount\":true}");
        const char *page = msdk_text(wait, vcx_wallet_search_next_records, search, (size_t)0);
        if (!page) fail(__FILE__, __LINE__, wait);
        CHECK(strcmp(page, expected) == 0);
        SUCCEEDS(wait, vcx_wallet_close_search, search);
    }
}

/* Reads the whole wallet; gives a number above all that are in it. Leftovers are removed for the next run. */
static unsigned check_wallet(const char *home) {
    struct msdk_wait wait = MSDK_WAIT;
    static unsigned char found[MOST];
    static char expected[LONGEST + 256];
    static unsigned first_left;
    unsigned number, count = 0, above = last_known + 1;
    memset(found + first_left, 0, sizeof found - first_left);
    open_wallet(&wait, home, "kill", RAW_KEY);
    vcx_search_handle_t search = msdk_search(&wait, vcx_wallet_open_search, "t", "{}", "{}");
    for (;;) {
        const char *page = msdk_text(&wait, vcx_wallet_search_next_records, search, (size_t)1);
        if (!page) fail(__FILE__, __LINE__, &wait);
        const char *id = strstr(page, "\"id\":\"r");
        if (!id) break;
        CHECK(sscanf(id, "\"id\":\"r%u\"", &number) == 1 && number < MOST);
        snprintf(expected, sizeof expected,
                 "{\"totalCount\":null,\"records\":[{\"type\":null,\"id\":\"r%u\",\"value\":\"%s\",\"tags\":%s}]}",
                 number, value(number), tags(number));
        CHECK(strcmp(page, expected) == 0); /* whole */
        found[number] = 1;
        count++;
        if (number >= above) above = number + 1;
    }
    SUCCEEDS(&wait, vcx_wallet_close_search, search);
    check_tags(&wait, count);
    for (number = first_left; number <= last_known; number++) {
        bool is_there = found[number] || may_be_deleted(number);
        if ((known[number] == ADDITION && !is_there) || (known[number] == DELETION && found[number])) {
            fprintf(stderr, "record %u of %u is %s\n", number, last_known, found[number] ? "back" : "lost");
            exit(1);
        }
    }
    delete_records(found, first_left, above);
    first_left = above;
    CHECK(vcx_shutdown(false) == VCX_SUCCESS);
    msdk_wait_free(&wait);
    return above;
}

int main(int argc, char **argv) {
    struct msdk_wait wait = MSDK_WAIT;
    unsigned first = 1, confirmed_writes = 0, seed;
    int i, kills;
    CHECK(argc >= 3);
    if (strcmp(argv[1], "write") == 0) return write_until_killed(argv[2], (unsigned)atoi(argv[3]));

    kills = argc > 3 ? atoi(argv[3]) : 100;
    seed = argc > 4 ? (unsigned)atoi(argv[4]) : (unsigned)time(NULL);
    printf("seed %u\n", seed);
    fflush(stdout);
    make_wallet(&wait, argv[1], argv[2], "kill");
    for (i = 0; i < kills; i++) {
        confirmed_writes += write_and_kill(argv[0], argv[2], first, rand_r(&seed) % (MILLISECONDS * 1000));
        first = check_wallet(argv[2]);
    }
    printf("%d kills, %u confirmed writes\n", kills, confirmed_writes);
    CHECK(confirmed_writes > (unsigned)kills);
    msdk_wait_free(&wait);
    return 0;
}
