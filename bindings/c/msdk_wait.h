/*
 * Waiting for the callbacks of libmsdk: calls made one after the other, as if they returned their results.
 *
 *   struct msdk_wait wait = MSDK_WAIT;
 *   uint32_t connection = msdk_number(&wait, msdk_connection_accept, "faber", invitation);
 *   const char *text = msdk_text(&wait, vcx_connection_serialize, connection);
 *   if (wait.error) fprintf(stderr, "%s\n", wait.details);
 *   msdk_wait_free(&wait);
 *
 * msdk_done, msdk_number, msdk_number_text, msdk_bool, msdk_search and msdk_text take a function of msdk.h, and its arguments
 * without the command handle and without the callback: none, or up to ten. They differ in what the callback brings. Errors stay: after one, further calls do nothing and
 * give 0 or NULL, so that a sequence of calls needs one check at its end.
 *
 * A `struct msdk_wait` belongs to one thread at a time; any number of threads may wait, each with its own. It must stay
 * until the call has returned, which is when the operation has ended: a network that is silent can take a while.
 *
 * C99 or C++11, POSIX threads. All functions are static: nothing but this header is needed.
 */
#ifndef MSDK_WAIT_H
#define MSDK_WAIT_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "msdk.h"

struct msdk_wait {
    /** The first error since the beginning, or since it was set to 0 again. */
    vcx_error_t error;
  /** The library's details of the error, as JSON text; as long as the error stands. */
    char *details;
  /** The result of the last call; its text is valid until the next call. */
    uint32_t number;
    char *text;
    /** For the callbacks. */
    vcx_command_handle_t handle;
    bool is_answered;
    struct msdk_wait *next;
};

/** Before the first call. */
#define MSDK_WAIT { VCX_SUCCESS, NULL, 0, NULL, 0, false, NULL }

/* Calls a function with its arguments between the command handle and the callback. C99 requires an argument for "...", so
 * that a function without arguments has a form of its own: the number of arguments selects it. */
#define MSDK_WAIT_CALL(wait, callback, ...) \
    MSDK_WAIT_FORM(__VA_ARGS__, MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITH, \
        MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITH, MSDK_WAIT_WITHOUT, 0) \
    (wait, callback, __VA_ARGS__)
#define MSDK_WAIT_FORM(function, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, form, ...) form
#define MSDK_WAIT_WITH(wait, callback, function, ...) function((wait)->handle, __VA_ARGS__, callback)
#define MSDK_WAIT_WITHOUT(wait, callback, function) function((wait)->handle, callback)

/** Calls a function whose callback brings only an error. Returns the error. */
#define msdk_done(wait, ...) \
    msdk_wait_done((wait), msdk_wait_begin(wait) ? MSDK_WAIT_CALL(wait, msdk_wait_on_done, __VA_ARGS__) : 0)

/** Calls a function whose callback brings a handle or a state. Returns it, or 0 after an error. */
#define msdk_number(wait, ...) \
    msdk_wait_number((wait), msdk_wait_begin(wait) ? MSDK_WAIT_CALL(wait, msdk_wait_on_number, __VA_ARGS__) : 0)

/** Calls a function whose callback brings the handle of a search. Returns it, or 0 after an error. */
#define msdk_search(wait, ...) \
    ((vcx_search_handle_t)msdk_wait_number( \
        (wait), msdk_wait_begin(wait) ? MSDK_WAIT_CALL(wait, msdk_wait_on_search, __VA_ARGS__) : 0))

/** Calls a function whose callback brings a text. Returns it, or NULL after an error. The next call frees it. */
#define msdk_text(wait, ...) \
    msdk_wait_text((wait), msdk_wait_begin(wait) ? MSDK_WAIT_CALL(wait, msdk_wait_on_text, __VA_ARGS__) : 0)

/** Calls a function whose callback brings a handle and a text, such as vcx_credential_create_with_msgid. Returns the handle,
 * or 0 after an error; the text is in `text` until the next call. */
#define msdk_number_text(wait, ...) \
    msdk_wait_number((wait), msdk_wait_begin(wait) ? MSDK_WAIT_CALL(wait, msdk_wait_on_number_text, __VA_ARGS__) : 0)

/** Calls a function whose callback brings yes or no, such as msdk_credential_is_revoked. Returns it, or false after an error. */
#define msdk_bool(wait, ...) \
    (msdk_wait_number((wait), msdk_wait_begin(wait) ? MSDK_WAIT_CALL(wait, msdk_wait_on_bool, __VA_ARGS__) : 0) != 0)

static pthread_mutex_t msdk_wait_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t msdk_wait_answered = PTHREAD_COND_INITIALIZER;
static struct msdk_wait *msdk_wait_first;
static vcx_command_handle_t msdk_wait_last_handle;

static inline char *msdk_wait_copy(const char *text) {
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = size ? (char *)malloc(size) : NULL;
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* The details of an error belong to the thread it is told on: this one. */
static inline void msdk_wait_fail(struct msdk_wait *wait, vcx_error_t error) {
    const char *details = NULL;
    vcx_get_current_error(&details);
    free(wait->details);
    wait->details = msdk_wait_copy(details);
    wait->error = error;
}

/* Registers the call, before it is made: its callback may run before the function returns. */
static inline bool msdk_wait_begin(struct msdk_wait *wait) {
    if (wait->error) return false;
    free(wait->text);
    wait->text = NULL;
    wait->number = 0;
    wait->is_answered = false;
    pthread_mutex_lock(&msdk_wait_mutex);
    wait->handle = ++msdk_wait_last_handle;
    wait->next = msdk_wait_first;
    msdk_wait_first = wait;
    pthread_mutex_unlock(&msdk_wait_mutex);
    return true;
}

/* Removes the call with this handle from the list of waiting calls; the mutex is held. */
static inline struct msdk_wait *msdk_wait_take(vcx_command_handle_t handle) {
    struct msdk_wait **place = &msdk_wait_first;
    while (*place && (*place)->handle != handle) place = &(*place)->next;
    struct msdk_wait *wait = *place;
    if (wait) *place = wait->next;
    return wait;
}

/* Every callback: copies what it is lent, and wakes who waits. */
static inline void msdk_wait_answer(
    vcx_command_handle_t handle, vcx_error_t error, uint32_t number, const char *text) {
    pthread_mutex_lock(&msdk_wait_mutex);
    struct msdk_wait *wait = msdk_wait_take(handle);
    if (wait) {
        if (error) msdk_wait_fail(wait, error);
        wait->number = number;
        wait->text = msdk_wait_copy(text);
        wait->is_answered = true;
    }
    pthread_cond_broadcast(&msdk_wait_answered);
    pthread_mutex_unlock(&msdk_wait_mutex);
}

static inline void msdk_wait_on_done(vcx_command_handle_t handle, vcx_error_t error) {
    msdk_wait_answer(handle, error, 0, NULL);
}

static inline void msdk_wait_on_number(vcx_command_handle_t handle, vcx_error_t error, uint32_t number) {
    msdk_wait_answer(handle, error, number, NULL);
}

static inline void msdk_wait_on_number_text(
    vcx_command_handle_t handle, vcx_error_t error, uint32_t number, const char *text) {
    msdk_wait_answer(handle, error, number, text);
}

static inline void msdk_wait_on_bool(vcx_command_handle_t handle, vcx_error_t error, bool answer) {
    msdk_wait_answer(handle, error, answer, NULL);
}

static inline void msdk_wait_on_search(vcx_command_handle_t handle, vcx_error_t error, vcx_search_handle_t search) {
    msdk_wait_answer(handle, error, (uint32_t)search, NULL);
}

static inline void msdk_wait_on_text(vcx_command_handle_t handle, vcx_error_t error, const char *text) {
    msdk_wait_answer(handle, error, 0, text);
}

/* Waits for the answer of a call that was begun. One that was refused has none, nor has one after an error. */
static inline vcx_error_t msdk_wait_done(struct msdk_wait *wait, vcx_error_t refused) {
    pthread_mutex_lock(&msdk_wait_mutex);
    if (refused) {
        msdk_wait_take(wait->handle);
        msdk_wait_fail(wait, refused);
    }
    while (!wait->error && !wait->is_answered) pthread_cond_wait(&msdk_wait_answered, &msdk_wait_mutex);
    pthread_mutex_unlock(&msdk_wait_mutex);
    return wait->error;
}

static inline uint32_t msdk_wait_number(struct msdk_wait *wait, vcx_error_t refused) {
    return msdk_wait_done(wait, refused) ? 0 : wait->number;
}

static inline const char *msdk_wait_text(struct msdk_wait *wait, vcx_error_t refused) {
    return msdk_wait_done(wait, refused) ? NULL : wait->text;
}

/** Frees what the last call and the last error left. */
static inline void msdk_wait_free(struct msdk_wait *wait) {
    free(wait->text);
    free(wait->details);
    wait->text = wait->details = NULL;
    wait->error = VCX_SUCCESS;
}

#endif
