/* Which calls have begun, and what came of each. */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "calls.h"

/* A place serves another call after its call has ended. CROWD keeps the open calls far below the number of places. */
enum { PLACES = 1 << 22, CROWD = 3000 };
enum { CALLED_BACK = 1, ACCEPTED = 2, REFUSED = 4, STATES = 8 };

/* The number of the call, times STATES, with what came of it. */
static _Atomic uint64_t calls[PLACES];
static const char *functions_called[PLACES];
static _Atomic uint32_t last = 0;
static _Atomic unsigned long begun, ended, refused, failed, mistakes;

/* Calls within a callback do not lead to further ones. */
static _Thread_local bool is_in_callback;

static void mistake(const char *what, const char *function, uint32_t command, uint32_t error) {
    mistakes++;
    fprintf(stderr, "%s: %s (call %u, error %u)\n", function, what, command, error);
}

static void expect_current_error(const char *function, uint32_t command, uint32_t error) {
    const char *text = NULL;
    vcx_get_current_error(&text);
    if (!text) mistake("there is no current error", function, command, error);
    read_text(text);
}

static bool is_open(uint64_t call) { return call && !(call & (CALLED_BACK | REFUSED)); }

static void print_lost(uint64_t call) {
    const char *function = functions_called[call / STATES % PLACES];
    fprintf(stderr, "lost: %s (call %u)\n", function ? function : "?", (uint32_t)(call / STATES));
}

/* Adds to what came of a call. Returns what had come of it before. */
static uint64_t add(uint32_t command, uint64_t state) {
    _Atomic uint64_t *place = &calls[command % PLACES];
    uint64_t before = *place;
    while (before / STATES == command && !atomic_compare_exchange_weak(place, &before, before | state)) {}
    return before;
}

/* Takes the next number. Returns 0 if its place has an open call. */
static uint32_t take_number(void) {
    uint32_t command = ++last;
    uint64_t before = calls[command % PLACES];
    uint64_t call = (uint64_t)command * STATES;
    if (is_open(before) || !atomic_compare_exchange_strong(&calls[command % PLACES], &before, call)) return 0;
    functions_called[command % PLACES] = NULL;
    return command;
}

uint32_t begin_call(void) {
    uint32_t command = 0;
    while (!command) command = take_number();
    begun++;
    return command;
}

void end_call(uint32_t command, uint32_t error, bool has_callback, const char *function) {
    functions_called[command % PLACES] = function;
    uint64_t before = add(command, error ? REFUSED : ACCEPTED);
    if (!has_callback && !error) mistake("accepted without a callback", function, command, error);
    if (!error) return;
    refused++;
    if (before & CALLED_BACK) mistake("refused, and called back", function, command, error);
    expect_current_error(function, command, error);
}

void end_plain_call(uint32_t error, const char *function) {
    if (error) expect_current_error(function, 0, error);
}

void called_back(uint32_t command, uint32_t error) {
    uint64_t before = add(command, CALLED_BACK);
    if (command == 0 || before / STATES != command)
        return mistake("of no call, or of one that ended long ago", "a callback", command, error);
    ended++;
    if (before & CALLED_BACK) mistake("for the second time", "a callback", command, error);
    if (before & REFUSED) mistake("of a refused call", "a callback", command, error);
    if (error) {
        failed++;
        expect_current_error("a callback", command, error);
    }
    if (command % 37 == 0 && !is_in_callback) {
        struct choice choice = new_choice(command);
        is_in_callback = true;
        call_something(&choice);
        is_in_callback = false;
        free_choice(&choice);
    }
    if (command % 211 == 0) usleep(20000);
}

bool is_crowded(void) { return begun > ended + refused + CROWD; }

unsigned long open_calls(void) {
    unsigned long count = 0;
    for (int place = 0; place < PLACES; place++) count += is_open(calls[place]);
    return count;
}

static void print_lost_calls(void) {
    int left = 20;
    for (int place = 0; place < PLACES && left; place++) {
        if (!is_open(calls[place])) continue;
        print_lost(calls[place]);
        left--;
    }
}

bool print_account(void) {
    unsigned long lost = open_calls();
    print_lost_calls();
    printf(
        "%lu calls with a callback: %lu called back (%lu with an error), %lu refused, %lu lost; %lu mistakes\n",
        (unsigned long)begun, (unsigned long)ended, (unsigned long)failed, (unsigned long)refused, lost,
        (unsigned long)mistakes);
    return !lost && !mistakes && ended;
}
