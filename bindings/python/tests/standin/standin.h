/* The stand-in for libmsdk in the tests of the Python layer: each function behaves in one way that the layer must cope
 * with. The argument `handle`, or the text's first letter, selects the way. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*void_cb)(uint32_t, uint32_t);
typedef void (*string_cb)(uint32_t, uint32_t, const char *);
typedef void (*number_cb)(uint32_t, uint32_t, uint32_t);
typedef void (*number_string_cb)(uint32_t, uint32_t, uint32_t, const char *);
typedef void (*bytes_cb)(uint32_t, uint32_t, const uint8_t *, uint32_t);

/* Makes an error the current one of this thread, and returns its code. */
uint32_t fail(uint32_t code, const char *cause);

/* Gives the next of the states that the test has set, or the present one. */
uint32_t next_state(uint32_t command, number_cb callback);
uint32_t present_state(uint32_t command, number_cb callback);
char present_digit(void);

/* Whether the mailboxes hold more than one download brings, and the download then. */
bool is_full(void);
uint32_t full_download(uint32_t command, const char *dids, string_cb callback);

uint32_t vcx_connection_release(uint32_t handle);

/* Defines a function on an object that answers with a text, with a state, or with nothing. */
#define GIVES_TEXT(function, text)                                                   \
  uint32_t function(uint32_t command, uint32_t handle, string_cb callback) {         \
    (void)handle;                                                                    \
    callback(command, 0, text);                                                      \
    return 0;                                                                        \
  }

#define GIVES_STATE(function, state)                                                 \
  uint32_t function(uint32_t command, uint32_t handle, number_cb callback) {         \
    (void)handle;                                                                    \
    return state(command, callback);                                                 \
  }

#define REPORT "{\"description\":{\"code\":\"no\",\"en\":\"not with you\"}}"
