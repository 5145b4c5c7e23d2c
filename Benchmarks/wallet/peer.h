/* Shared by the programs of this folder: each drives one store of encrypted records, by commands on its standard
* input. `run` starts them and lets them work in turns. */
#ifndef PEER_H
#define PEER_H

#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CALLERS = 50, VALUE_SIZE = 512, PAGE = 20 };

/* A record: 512 bytes of text; an unencrypted tag that every tenth record has, an encrypted one that every hundredth
 * has, and one of its own. */
struct record {
    char id[32];
    char value[VALUE_SIZE + 1];
    char plain[16], group[16], unique[24];
};

void describe(struct record *record, long number);

/* The tags of a record as a JSON object. */
const char *tags_json(const struct record *record, char text[128]);

/* Ends the program with a word about what went wrong. */
void fail(const char *what, const char *details);
void require(bool holds, const char *what);

/* One of several concurrent callers. Its number is the handle of its calls. */
struct caller {
    sem_t answered;
    int64_t error;
    size_t handle;
    char *text;
    const void *list;
};

extern struct caller callers[CALLERS];

/* For callbacks: wakes the caller, and for the caller: waits for that. */
void answer(int64_t number, int64_t error);
struct caller *await(int number);

/* A store, by what is measured of it. Every operation returns when it is done, a write when it is on the disk. */
struct peer {
    /* Makes an empty store in the folder and opens it. */
    void (*make)(const char *folder);
    /* Adds the records below `count`, in the quickest way. */
    void (*fill)(long count);
    void (*close)(void);
    void (*open)(void);
    /* Value and tags of a record. */
    void (*get)(long number);
    /* The same in a session that stays open; NULL where there are no sessions. */
    void (*get_in_session)(long number);
    /* Adds a record that the searches do not find. */
    void (*insert)(long number);
    /* Adds `count` such records from number `first` on, by all callers at once. */
    void (*insert_together)(long first, long count);
    /* Gives a record another value and other tags; NULL where it is not measured. */
    void (*update)(long number);
    /* Opens a search for an encrypted tag, reads the first page with values and tags, closes the search. Gives the
     * number of records. */
    long (*search)(const char *name, const char *value);
    /* Reads all records with values and tags. */
    long (*scan)(void);
};

/* Calls `work` for `count` numbers from `first` on, shared among all callers, each with a thread of its own. */
void together(long first, long count, void (*work)(int caller, long number));

/* Serves the lines of the standard input until its end. */
int serve(const struct peer *peer, int count, char **arguments);

#endif
