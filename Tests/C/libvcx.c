/* A program as it was written for libvcx, in C and in C++: it includes vcx.h, and uses the names of
 * libvcx's header. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vcx.h"

static volatile int finished;
static vcx_error_t result;
static vcx_state_t state;
static vcx_connection_handle_t connection;

static void require(vcx_bool_t holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "libvcx: %s does not hold\n", what);
    exit(1);
}

static void wait_for_callback(vcx_error_t started) {
    int turns = 0;
    require(started == 0, "that the operation has begun");
    while (!finished && turns++ < 3000) usleep(10000);
    require(finished, "that the callback was called");
    finished = 0;
}

/* The callbacks, with the types that libvcx's header gives them. */

static void on_done(vcx_command_handle_t command, vcx_error_t err) {
    (void)command;
    result = err;
    finished = 1;
}

static void on_connection(vcx_command_handle_t command, vcx_error_t err, vcx_connection_handle_t handle) {
    connection = handle;
    on_done(command, err);
}

static void on_state(vcx_command_handle_t command, vcx_error_t err, vcx_state_t reached) {
    state = reached;
    on_done(command, err);
}

static void on_text(vcx_command_handle_t command, vcx_error_t err, const char *text) {
    require(err != 0 || text != NULL, "that there is a text");
    on_done(command, err);
}

static void on_search(vcx_command_handle_t command, vcx_error_t err, vcx_wallet_search_handle_t handle) {
    require(err != 0 && handle == 0, "that there is no search");
    on_done(command, err);
}

static void on_validity(vcx_command_handle_t command, vcx_error_t err, vcx_bool_t valid) {
    require(!valid, "that nothing is valid");
    on_done(command, err);
}

static void on_signature(vcx_command_handle_t command, vcx_error_t err, vcx_data_t *bytes, vcx_u32_t length) {
    require(bytes == NULL && length == 0, "that there is no signature");
    on_done(command, err);
}

static void on_price(vcx_command_handle_t command, vcx_error_t err, vcx_price_t price) {
    require(price == 0, "that there is no price");
    on_done(command, err);
}

static void on_proof(vcx_command_handle_t command, vcx_error_t err, vcx_proof_state_t proof, const char *text) {
    require(text == NULL && (proof == undefined || proof == validated || proof == invalid), "that there is no proof");
    on_done(command, err);
}

static volatile int warnings;

static void on_line(const void *context, vcx_u32_t level, const char *target, const char *message,
                    const char *module_path, const char *file, vcx_u32_t line) {
    (void)context, (void)target, (void)message, (void)module_path, (void)file, (void)line;
    if (level == VCX_LOG_WARNING) warnings++;
}

static const char *name_of(vcx_state_t value) {
    switch (value) {
        case none: return "none";
        case initialized: return "initialized";
        case offer_sent: return "offer_sent";
        case request_received: return "request_received";
        case accepted: return "accepted";
        case unfulfilled: return "unfulfilled";
        case expired: return "expired";
        case revoked: return "revoked";
        default: return "another";
    }
}

int main(void) {
    const uint8_t data[] = {1, 2, 3};
    const char *details = NULL;
    vcx_status_t status;
    count_t count = 10;
    char *config = vcx_provision_agent(NULL);
    require(config == NULL, "that there is no configuration");

    /* Programs begin with the pool, and end when there is none. */
    require(vcx_set_logger(NULL, NULL, on_line, NULL) == 0, "that there is a logger");
    wait_for_callback(vcx_init_pool(0, "[{\"pool_network_alias\":\"demo\"}]", on_done));
    require(result == VCX_SUCCESS && warnings == 1, "that the pool is there, with a warning");

    vcx_get_current_error(&details);
    require(details != NULL && strstr(details, "cause") != NULL, "that the error is told");

    wait_for_callback(vcx_connection_create(1, "libvcx", on_connection));
    require(result == VCX_SUCCESS && connection != 0, "that there is a connection");
    memset(&status, 0, sizeof status);
    status.handle.connection_handle = connection;
    status.status = result;

    wait_for_callback(vcx_connection_get_state(2, status.handle.connection_handle, on_state));
    require(strcmp(name_of(state), "initialized") == 0, "that the connection is initialized");
    wait_for_callback(vcx_connection_update_state(3, connection, on_state));
    wait_for_callback(vcx_connection_serialize(4, connection, on_text));
    require(vcx_connection_sign_data(5, 4711, data, sizeof data, on_signature) != 0, "that an unknown connection is refused");
    require(vcx_connection_verify_signature(6, 4711, data, sizeof data, data, sizeof data, on_validity) != 0,
            "that an unknown connection is refused");
    require(vcx_connection_release(connection) == 0, "that the connection is released");

    wait_for_callback(vcx_wallet_open_search(7, "type", "{}", "{}", on_search));
    wait_for_callback(vcx_wallet_search_next_records(8, (vcx_wallet_search_handle_t)1, count, on_text));
    wait_for_callback(vcx_get_request_price(9, "{}", NULL, on_price));
    require(result == VCX_MISSING_PAYMENT_METHOD, "that nothing has a price");
    wait_for_callback(vcx_get_proof(10, 4711, connection, on_proof));
    require(result == VCX_INVALID_PROOF_HANDLE, "that an unknown proof is refused");
    require(strcmp(vcx_error_c_message(VCX_NOT_READY), "Object not ready for specified action") == 0, "the text");
    return (int)vcx_shutdown(false);
}
