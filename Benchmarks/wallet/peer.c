#include "peer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct caller callers[CALLERS];

void fail(const char *what, const char *details) {
    fprintf(stderr, "%s: %s\n", what, details);
    exit(1);
}

void require(bool holds, const char *what) {
    if (!holds) fail(what, "not as it should be");
}

void describe(struct record *record, long number) {
    snprintf(record->id, sizeof record->id, "rec-%07ld", number);
    memset(record->value, 'v', VALUE_SIZE);
    memcpy(record->value, record->id, strlen(record->id));
    record->value[VALUE_SIZE] = 0;
    snprintf(record->plain, sizeof record->plain, "p%ld", number % 10);
    snprintf(record->group, sizeof record->group, "g%ld", number % 100);
    snprintf(record->unique, sizeof record->unique, "u%ld", number);
}

const char *tags_json(const struct record *record, char text[128]) {
    snprintf(text, 128, "{\"~plain\":\"%s\",\"group\":\"%s\",\"unique\":\"%s\"}", record->plain, record->group,
             record->unique);
    return text;
}

/* ---- Callers ---- */

void answer(int64_t number, int64_t error) {
    callers[number].error = error;
    sem_post(&callers[number].answered);
}

struct caller *await(int number) {
    while (sem_wait(&callers[number].answered) && errno == EINTR) continue;
    return &callers[number];
}

/* The work of one caller in a turn. The threads stay: to start them takes longer than the work. */
struct share {
    sem_t begun;
    int caller;
    long first, end;
    void (*work)(int caller, long number);
};

static sem_t done;

static void *work_on(void *argument) {
    struct share *share = argument;
    for (;;) {
        while (sem_wait(&share->begun) && errno == EINTR) continue;
        for (long i = share->first; i < share->end; i += CALLERS) share->work(share->caller, i);
        sem_post(&done);
    }
    return NULL;
}

void together(long first, long count, void (*work)(int caller, long number)) {
    static struct share shares[CALLERS];
    static bool started;
    if (!started) sem_init(&done, 0, 0);
    for (int i = 0; i < CALLERS; i++) {
        struct share *share = &shares[i];
        pthread_t thread;
        if (!started) {
            sem_init(&share->begun, 0, 0);
            require(pthread_create(&thread, NULL, work_on, share) == 0, "a thread");
        }
        share->caller = i, share->first = first + i, share->end = first + count, share->work = work;
        sem_post(&share->begun);
    }
    started = true;
    for (int i = 0; i < CALLERS; i++) {
        while (sem_wait(&done) && errno == EINTR) continue;
    }
}

/* ---- Tasks ---- */

static const struct peer *peer;
static long records;  /* in the store, for the searches to find */
static long added;    /* by the inserts that were measured */
static uint32_t seed = 12345;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The same numbers for every peer. */
static long any_record(void) {
    seed = seed * 1664525u + 1013904223u;
    return (long)((uint64_t)seed * (uint64_t)records >> 32);
}

static void reopen(void) {
    peer->close();
    peer->open();
}

static void search_unique(void) {
    struct record record;
    describe(&record, any_record());
    require(peer->search("unique", record.unique) == 1, "the record that a search finds");
}

/* Does a task and gives the number of operations that it was; 0 for a task that the peer does not know. */
static long perform(const char *task, long count) {
    long i;
    if (!strcmp(task, "fill")) {
        peer->fill(records = count);
        reopen();
    } else if (!strcmp(task, "open")) {
        for (i = 0; i < count; i++) reopen();
    } else if (!strcmp(task, "get")) {
        for (i = 0; i < count; i++) peer->get(any_record());
    } else if (!strcmp(task, "get-in-session")) {
        for (i = 0; i < count; i++) peer->get_in_session(any_record());
    } else if (!strcmp(task, "insert")) {
        for (i = 0; i < count; i++) peer->insert(records + added++);
    } else if (!strcmp(task, "update")) {
        for (i = 0; i < count; i++) peer->update(any_record());
    } else if (!strcmp(task, "together")) {
        peer->insert_together(records + added, count);
        added += count;
    } else if (!strcmp(task, "unique")) {
        for (i = 0; i < count; i++) search_unique();
    } else if (!strcmp(task, "page")) {
        for (i = 0; i < count; i++) require(peer->search("group", "g7") >= PAGE, "the first page of a search");
    } else if (!strcmp(task, "scan")) {
        for (i = 0; i < count; i++) require(peer->scan() == records, "the records of a scan");
        return count * records;
    } else {
        return 0;
    }
    return count;
}

int serve(const struct peer *served, int count, char **arguments) {
    char line[64], task[32];
    long size;
    peer = served;
    require(count >= 2, "the folder");
    for (int i = 0; i < CALLERS; i++) sem_init(&callers[i].answered, 0, 0);
    peer->make(arguments[1]);
    while (fgets(line, sizeof line, stdin) && sscanf(line, "%31s %ld", task, &size) == 2) {
        double wall = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
        long operations = perform(task, size);
        require(operations > 0, task);
        processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
        wall = now(CLOCK_MONOTONIC) - wall;
        printf("%.1f %.1f\n", wall / (double)operations, processor / (double)operations);
        fflush(stdout);
    }
    peer->close();
    return 0;
}
