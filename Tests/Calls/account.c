/* Which calls have begun, and what came of each. */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "calls.h"

enum { CALLS = 1 << 26, CROWD = 3000 };
enum { CALLED_BACK = 1, ACCEPTED = 2, REFUSED = 4 };

/* Memory that is not touched costs nothing. */
static _Atomic uint8_t calls[CALLS];
static const char *functions_called[CALLS];
static _Atomic uint32_t last = 0;
static _Atomic unsigned long ended, refused, failed, mistakes;

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

uint32_t begin_call(void) {
    uint32_t command = ++last;
    return command < CALLS ? command : CALLS - 1;
}

void end_call(uint32_t command, uint32_t error, bool has_callback, const char *function) {
    functions_called[command] = function;
    uint8_t before = atomic_fetch_or(&calls[command], error ? REFUSED : ACCEPTED);
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
    if (command == 0 || command >= CALLS) return mistake("of no call", "a callback", command, error);
    uint8_t before = atomic_fetch_or(&calls[command], CALLED_BACK);
    ended++;
    if (before & CALLED_BACK) mistake("for the second time", "a callback", command, error);
    if (before & REFUSED) mistake("of a refused call", "a callback", command, error);
    if (error) {
        failed++;
        expect_current_error("a callback", command, error);
    }
    if (command % 37 == 0 && !is_in_callback && is_room_left()) {
        struct choice choice = new_choice(command);
        is_in_callback = true;
        call_something(&choice);
        is_in_callback = false;
        free_choice(&choice);
    }
    if (command % 211 == 0) usleep(20000);
}

bool is_room_left(void) { return last < CALLS - 1000; }

bool is_crowded(void) { return last > ended + refused + CROWD; }

static bool is_open(uint32_t command) { return !(calls[command] & (CALLED_BACK | REFUSED)); }

unsigned long open_calls(void) {
    unsigned long count = 0;
    for (uint32_t command = 1; command <= last && command < CALLS; command++) count += is_open(command);
    return count;
}

static void print_lost_calls(void) {
    int left = 20;
    for (uint32_t command = 1; command <= last && command < CALLS && left; command++) {
        if (!is_open(command)) continue;
        fprintf(stderr, "lost: %s (call %u)\n", functions_called[command] ? functions_called[command] : "?", command);
        left--;
    }
}

bool print_account(void) {
    unsigned long lost = open_calls();
    print_lost_calls();
    printf(
        "%u calls with a callback: %lu called back (%lu with an error), %lu refused, %lu lost; %lu mistakes\n",
        (unsigned)last, (unsigned long)ended, (unsigned long)failed, (unsigned long)refused, lost,
        (unsigned long)mistakes);
    return !lost && !mistakes && ended;
}
