/*
 * The core of the addon: arguments from JavaScript, promises, and answers from the threads of the library.
 *
 * functions.c, which scripts/bindings writes, defines MOST_ARGUMENTS and has a function for each function of msdk.h. It takes its arguments in their
 * order and ends with `promised`, `subscribed`, `checked`, `told` or `done`. Each callback passes its values to `msdk_answer`, which copies them on the
 * thread of the library and hands them to the thread of JavaScript. An argument of a wrong type is a TypeError.
 */
#define NAPI_VERSION 8
#include <math.h>
#include <msdk.h>
#include <node_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4 };

/** The library in one environment of JavaScript: the main thread, or a worker. */
struct instance {
    napi_env env;
    napi_ref error_class;
    napi_threadsafe_function deliver;
    size_t pending;
};

/** A call from JavaScript. `problem` is the first error in its arguments. */
struct call {
    napi_env env;
    struct instance *instance;
    napi_value given[MOST_ARGUMENTS], problem, promise;
    char *texts[MOST_ARGUMENTS];
    size_t taken, copied;
    vcx_command_handle_t handle;
};

enum kind { TEXT, NUMBER, BIG, BOOL, BYTES };

/** A value that a callback receives. `length` is that of BYTES. */
struct value {
    const char *name;
    enum kind kind;
    double number;
    uint64_t big;
    const void *data;
    size_t length;
};

/** The end of an operation, or a message of a subscription, with copies of the values. */
struct answer {
    vcx_command_handle_t handle;
    uint64_t serial;
    napi_deferred deferred; /* NULL for a subscription */
    struct instance *instance;
    vcx_error_t error;
    char *details;
    size_t count;
    struct value values[MOST_VALUES];
};

/* --- Calls under way. A command handle is the number of a slot; it is free again when its callback has come, or when its
 * subscription has ended. */

static struct slot {
    struct instance *instance; /* NULL if its environment has ended */
    napi_deferred deferred;    /* of a promise */
    napi_ref receiver;         /* of a subscription */
    uint64_t serial;           /* tells the uses of a slot apart */
    uint32_t next_free;
} *slots;
static uint32_t slot_count, first_free;
static uint64_t last_serial;
static pthread_mutex_t slots_mutex = PTHREAD_MUTEX_INITIALIZER;

/** Memory, or the end of the process, as everywhere in Node.js. */
static void *allocated(void *old, size_t size) {
    void *memory = realloc(old, size ? size : 1);
    if (!memory) abort();
    return memory;
}

static void *copied(const void *data, size_t size) { return data ? memcpy(allocated(NULL, size), data, size) : NULL; }

static vcx_command_handle_t occupy(struct instance *instance, napi_deferred deferred, napi_ref receiver) {
    pthread_mutex_lock(&slots_mutex);
    if (first_free == 0) { /* slot 0 stays empty: 0 means none */
        uint32_t old = slot_count;
        slot_count = old ? old * 2 : 64;
        slots = (struct slot *)allocated(slots, slot_count * sizeof *slots);
        for (uint32_t each = slot_count - 1; each > 0 && each >= old; each--) {
            slots[each].next_free = first_free;
            first_free = each;
        }
    }
    uint32_t handle = first_free;
    first_free = slots[handle].next_free;
    slots[handle] = (struct slot){instance, deferred, receiver, ++last_serial, 0};
    pthread_mutex_unlock(&slots_mutex);
    return handle;
}

/** Frees a slot; the mutex is held. */
static struct slot vacated(vcx_command_handle_t handle) {
    struct slot slot = slots[handle];
    slots[handle] = (struct slot){.next_free = first_free};
    first_free = handle;
    return slot;
}

/** One call less is under way: without any, the process may end. Only the thread of JavaScript counts. */
static void leave_one(struct instance *instance) {
    if (--instance->pending == 0) napi_unref_threadsafe_function(instance->env, instance->deliver);
}

static void enter_one(struct instance *instance) {
    if (instance->pending++ == 0) napi_ref_threadsafe_function(instance->env, instance->deliver);
}

/* --- Values for JavaScript */

static napi_value js_text(napi_env env, const char *text) {
    napi_value value = NULL;
    if (text) napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
    else napi_get_null(env, &value);
    return value;
}

static napi_value js_value(napi_env env, const struct value *given) {
    napi_value value = NULL;
    switch (given->kind) {
    case TEXT: return js_text(env, (const char *)given->data);
    case NUMBER: napi_create_double(env, given->number, &value); break;
    case BIG: napi_create_bigint_uint64(env, given->big, &value); break;
    case BOOL: napi_get_boolean(env, given->number != 0, &value); break;
    case BYTES: napi_create_buffer_copy(env, given->length, given->data ? given->data : "", NULL, &value); break;
    }
    return value;
}

/** Undefined, the value, or an object with the values by their names. */
static napi_value js_result(napi_env env, size_t count, const struct value *values) {
    napi_value result = NULL;
    if (count == 0) napi_get_undefined(env, &result);
    if (count == 1) result = js_value(env, values);
    if (count > 1) napi_create_object(env, &result);
    for (size_t each = 0; count > 1 && each < count; each++)
        napi_set_named_property(env, result, values[each].name, js_value(env, &values[each]));
    return result;
}

/** A new MsdkError. */
static napi_value js_error(struct instance *instance, vcx_error_t code, const char *details) {
    napi_env env = instance->env;
    napi_value class, error = NULL, given[3] = {NULL, js_text(env, vcx_error_c_message(code)), js_text(env, details)};
    napi_create_uint32(env, code, &given[0]);
    napi_get_reference_value(env, instance->error_class, &class);
    napi_new_instance(env, class, 3, given, &error);
    return error;
}

/** The MsdkError of a function that has just returned an error. Its details belong to this thread. */
static napi_value js_refusal(struct instance *instance, vcx_error_t code) {
    const char *details = NULL;
    vcx_get_current_error(&details);
    return js_error(instance, code, details);
}

/* --- Answers */

static void free_answer(struct answer *answer) {
    for (size_t each = 0; each < answer->count; each++) free((void *)answer->values[each].data);
    free(answer->details);
    free(answer);
}

static void settle_promise(napi_env env, struct answer *answer, napi_value error, napi_value result) {
    leave_one(answer->instance);
    if (answer->error) napi_reject_deferred(env, answer->deferred, error);
    else napi_resolve_deferred(env, answer->deferred, result);
}

/** Calls the receiver of a subscription, unless that has ended meanwhile. */
static void call_receiver(napi_env env, struct answer *answer, napi_value error, napi_value result) {
    pthread_mutex_lock(&slots_mutex);
    struct slot slot = slots[answer->handle];
    pthread_mutex_unlock(&slots_mutex);
    if (slot.serial != answer->serial) return;
    napi_value receiver, undefined, given[] = {error, result};
    napi_get_reference_value(env, slot.receiver, &receiver);
    napi_get_undefined(env, &undefined);
    napi_call_function(env, undefined, receiver, 2, given, NULL); /* an exception is an uncaught one of JavaScript */
}

/** Hands over an answer, on the thread of JavaScript. Without an environment, that thread is ending. */
static void settle(napi_env env, napi_value function, void *context, void *data) {
    struct answer *answer = (struct answer *)data;
    (void)function, (void)context;
    if (env) {
        napi_value error = NULL, result = js_result(env, answer->count, answer->values);
        if (answer->error) error = js_error(answer->instance, answer->error, answer->details);
        else napi_get_null(env, &error);
        (answer->deferred ? settle_promise : call_receiver)(env, answer, error, result);
    }
    free_answer(answer);
}

/** Every callback, on a thread of the library: copies the values and the details of the error. */
static void msdk_answer(vcx_command_handle_t handle, vcx_error_t error, size_t count, const struct value *values) {
    struct answer *made = (struct answer *)allocated(NULL, sizeof *made);
    *made = (struct answer){.handle = handle, .error = error, .count = count};
    const char *details = NULL;
    if (error) vcx_get_current_error(&details);
    if (details) made->details = (char *)copied(details, strlen(details) + 1);
    for (size_t each = 0; each < count; each++) {
        struct value value = values[each];
        value.data = copied(value.data, value.kind == TEXT && value.data ? strlen((const char *)value.data) + 1 : value.length);
        made->values[each] = value;
    }
    pthread_mutex_lock(&slots_mutex);
    struct slot slot = slots[handle].receiver ? slots[handle] : vacated(handle);
    made->serial = slot.serial;
    made->deferred = slot.deferred;
    made->instance = slot.instance;
    bool is_taken = slot.instance
        && napi_call_threadsafe_function(slot.instance->deliver, made, napi_tsfn_nonblocking) == napi_ok;
    pthread_mutex_unlock(&slots_mutex);
    if (!is_taken) free_answer(made);
}

/* --- Arguments */

static struct call begin(napi_env env, napi_callback_info info) {
    struct call call = {.env = env};
    size_t count = MOST_ARGUMENTS;
    napi_get_cb_info(env, info, &count, call.given, NULL, NULL); /* fills up with undefined */
    napi_get_instance_data(env, (void **)&call.instance);
    return call;
}

static napi_value next(struct call *call) { return call->given[call->taken++]; }

static void wrong(struct call *call, const char *name, const char *expected) {
    char text[200];
    napi_value message;
    if (call->problem) return;
    snprintf(text, sizeof text, "%s must be %s", name, expected);
    napi_create_string_utf8(call->env, text, NAPI_AUTO_LENGTH, &message);
    napi_create_type_error(call->env, NULL, message, &call->problem);
}

static napi_valuetype type_of(struct call *call, napi_value value) {
    napi_valuetype type = napi_undefined;
    napi_typeof(call->env, value, &type);
    return type;
}

/** A whole number between two others, inclusively. */
static double take_whole(struct call *call, const char *name, double least, double greatest) {
    double number = NAN;
    char expected[80];
    napi_get_value_double(call->env, next(call), &number);
    if (number >= least && number <= greatest && number == floor(number)) return number;
    snprintf(expected, sizeof expected, "a whole number from %.0f to %.0f", least, greatest);
    wrong(call, name, expected);
    return 0;
}

static uint32_t take_uint32(struct call *call, const char *name) { return (uint32_t)take_whole(call, name, 0, UINT32_MAX); }
static int32_t take_int32(struct call *call, const char *name) { return (int32_t)take_whole(call, name, INT32_MIN, INT32_MAX); }
static size_t take_size(struct call *call, const char *name) { return (size_t)take_whole(call, name, 0, 9007199254740991.0); }

static uint64_t take_uint64(struct call *call, const char *name) {
    uint64_t number = 0;
    bool is_exact = false;
    if (type_of(call, call->given[call->taken]) != napi_bigint) return (uint64_t)take_whole(call, name, 0, 9007199254740991.0);
    napi_get_value_bigint_uint64(call->env, next(call), &number, &is_exact);
    if (!is_exact) wrong(call, name, "an unsigned number of 64 bits");
    return number;
}

static bool take_bool(struct call *call, const char *name) {
    bool value = false;
    if (napi_get_value_bool(call->env, next(call), &value) != napi_ok) wrong(call, name, "a boolean");
    return value;
}

/** A text, which the end of the call frees. Undefined and null are NULL. */
static const char *take_text(struct call *call, const char *name) {
    napi_value value = next(call);
    napi_valuetype type = type_of(call, value);
    size_t length = 0;
    if (type == napi_undefined || type == napi_null) return NULL;
    if (type != napi_string) return wrong(call, name, "a string"), NULL;
    napi_get_value_string_utf8(call->env, value, NULL, 0, &length);
    char *text = (char *)allocated(NULL, length + 1);
    call->texts[call->copied++] = text;
    napi_get_value_string_utf8(call->env, value, text, length + 1, &length);
    if (strlen(text) != length) wrong(call, name, "a string without a zero byte");
    return text;
}

/** Bytes, which belong to JavaScript. */
static const uint8_t *take_bytes(struct call *call, const char *name, uint32_t *length) {
    napi_value value = next(call);
    bool is_array = false;
    napi_typedarray_type type = napi_int8_array;
    size_t count = 0;
    void *bytes = NULL;
    napi_is_typedarray(call->env, value, &is_array);
    if (is_array) napi_get_typedarray_info(call->env, value, &type, &count, &bytes, NULL, NULL);
    if (type != napi_uint8_array || count > UINT32_MAX) wrong(call, name, "a Uint8Array");
    *length = (uint32_t)count;
    return (const uint8_t *)bytes;
}

static napi_value take_function(struct call *call, const char *name) {
    napi_value value = next(call);
    if (type_of(call, value) != napi_function) wrong(call, name, "a function");
    return value;
}

/* --- Ends of a call */

static void free_texts(struct call *call) {
    for (size_t each = 0; each < call->copied; each++) free(call->texts[each]);
}

/** Makes the promise of a call and its command handle. Returns whether the library may be called. */
static bool enlist(struct call *call) {
    napi_deferred deferred = NULL;
    napi_create_promise(call->env, &deferred, &call->promise);
    if (call->problem) return napi_reject_deferred(call->env, deferred, call->problem), false;
    call->handle = occupy(call->instance, deferred, NULL);
    enter_one(call->instance);
    return true;
}

/** Makes the subscription of a call. Returns whether the library may be called. */
static bool list_receiver(struct call *call, napi_value receive) {
    napi_ref receiver = NULL;
    if (call->problem) return false;
    napi_create_reference(call->env, receive, 1, &receiver);
    call->handle = occupy(call->instance, NULL, receiver);
    enter_one(call->instance);
    return true;
}

/** Frees the slot of a call that has no callback any more. */
static struct slot dropped(struct call *call, vcx_command_handle_t handle) {
    pthread_mutex_lock(&slots_mutex);
    struct slot slot = vacated(handle);
    pthread_mutex_unlock(&slots_mutex);
    leave_one(call->instance);
    return slot;
}

/** Ends a call that returns a promise. A refused operation gets no callback. */
static napi_value promised(struct call *call, vcx_error_t refused) {
    if (refused) {
        napi_value error = js_refusal(call->instance, refused);
        napi_reject_deferred(call->env, dropped(call, call->handle).deferred, error);
    }
    free_texts(call);
    return call->promise;
}

/** Ends a call with a value, or throws. */
static napi_value ended(struct call *call, napi_value problem, napi_value value) {
    free_texts(call);
    if (problem) napi_throw(call->env, problem);
    return problem ? NULL : value;
}

static napi_value done(struct call *call) { return ended(call, call->problem, js_result(call->env, 0, NULL)); }

static napi_value checked(struct call *call, vcx_error_t error) {
    return error ? ended(call, js_refusal(call->instance, error), NULL) : done(call);
}

/** Ends a subscription of this environment, whose callback no longer comes. */
static void end_subscription(struct call *call, vcx_command_handle_t handle) {
    pthread_mutex_lock(&slots_mutex);
    bool is_ours = handle < slot_count && slots[handle].receiver && slots[handle].instance == call->instance;
    pthread_mutex_unlock(&slots_mutex);
    if (is_ours && !call->problem) napi_delete_reference(call->env, dropped(call, handle).receiver);
}

/** Ends a call that subscribes: returns the subscription, a number, or throws. */
static napi_value subscribed(struct call *call, vcx_error_t refused) {
    napi_value number = NULL, error = refused ? js_refusal(call->instance, refused) : call->problem;
    if (refused) end_subscription(call, call->handle);
    napi_create_uint32(call->env, call->handle, &number);
    return ended(call, error, number);
}

static napi_value told(struct call *call, const char *text) { return ended(call, call->problem, js_text(call->env, text)); }

/* --- The addon */

/** The environment ends: answers to its calls have no receiver any more. */
static void leave(void *data) {
    pthread_mutex_lock(&slots_mutex);
    for (uint32_t each = 1; each < slot_count; each++)
        if (slots[each].instance == data) slots[each].instance = NULL;
    pthread_mutex_unlock(&slots_mutex);
}

static void free_instance(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    free(data);
}

/** Keeps the class of errors. index.js calls it first. */
static napi_value use_error_class(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    napi_create_reference(env, next(&call), 1, &call.instance->error_class);
    return done(&call);
}

static void export(napi_env env, napi_value exports, const char *name, napi_callback function) {
    napi_value value;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, NULL, &value);
    napi_set_named_property(env, exports, name, value);
}

static void enter(napi_env env, napi_value exports) {
    struct instance *instance = (struct instance *)allocated(NULL, sizeof *instance);
    *instance = (struct instance){.env = env};
    napi_value name = js_text(env, "msdk");
    napi_create_threadsafe_function(env, NULL, NULL, name, 0, 1, NULL, NULL, NULL, settle, &instance->deliver);
    napi_unref_threadsafe_function(env, instance->deliver);
    napi_set_instance_data(env, instance, free_instance, NULL);
    napi_add_env_cleanup_hook(env, leave, instance); /* after that of `deliver`, so that it runs before */
    export(env, exports, "useErrorClass", use_error_class);
}
