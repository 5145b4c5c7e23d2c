/* Random calls of the whole API: what the generated calls use. */
#ifndef CALLS_H
#define CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "msdk.h"

/* Chosen arguments stay until the next call of the same choice. */
struct choice {
    uint64_t state;
    char *texts;
    uint8_t *bytes;
};

/* The generated calls. A function of rarity n is called once where others are called n times. */
struct function {
    const char *name;
    void (*call)(struct choice *);
    int rarity;
};
extern const struct function functions[];
extern const int function_count;

/* choices.c */
struct choice new_choice(uint64_t seed);
void free_choice(struct choice *choice);
uint32_t choose(struct choice *choice, uint32_t count);
bool chance(struct choice *choice, uint32_t one_in);
/* Never a path that begins at the root: what the library writes stays below the working directory. */
char *choose_text(struct choice *choice, int position, const char *function);
const uint8_t *choose_bytes(struct choice *choice, uint32_t *length);
uint32_t choose_number(struct choice *choice);
int32_t choose_search(struct choice *choice);
uint64_t choose_long(struct choice *choice);
bool choose_flag(struct choice *choice);
/* One function with arguments of its own. */
void call_something(struct choice *choice);

/* Results of earlier calls become the arguments of later ones. */
void keep_text(uint32_t command, uint32_t error, const char *text);
void keep_handle(uint32_t error, uint32_t handle);
void keep_search(uint32_t error, int32_t search);
void read_text(const char *text);
void read_bytes(const uint8_t *bytes, uint32_t length);

/* Lines of a file, which become arguments; settings become those of functions that take some. */
void read_seeds(const char *path);
void add_settings(const char *text);
const char *choose_settings(struct choice *choice);

/* account.c */
uint32_t begin_call(void);
void end_call(uint32_t command, uint32_t error, bool has_callback, const char *function);
void end_plain_call(uint32_t error, const char *function);
void called_back(uint32_t command, uint32_t error);
/* Whether there are so many calls that have not ended that a caller had better wait. */
bool is_crowded(void);
unsigned long open_calls(void);
/* Prints the sums. Returns whether each call ended as it must. */
bool print_account(void);

#endif
