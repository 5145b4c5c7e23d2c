/* The errors of calls on a connection before the library is initialised, and on connections that are only restored. */
#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool is_done;
static vcx_error_t last_error;
static uint32_t last_number;
static char last_text[4096];

static void deliver(vcx_error_t error, uint32_t number, const char *text) {
    pthread_mutex_lock(&mutex);
    last_error = error;
    last_number = number;
    snprintf(last_text, sizeof last_text, "%s", text ? text : "");
    is_done = true;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&mutex);
}

static void on_done(vcx_command_handle_t command, vcx_error_t error) {
    (void)command;
    deliver(error, 0, NULL);
}

static void on_text(vcx_command_handle_t command, vcx_error_t error, const char *text) {
    (void)command;
    deliver(error, 0, text);
}

static void on_number(vcx_command_handle_t command, vcx_error_t error, uint32_t number) {
    (void)command;
    deliver(error, number, NULL);
}

/* The error of a call that was made with one of the callbacks above. */
static vcx_error_t ended(vcx_error_t returned) {
    CHECK(returned == VCX_SUCCESS);
    pthread_mutex_lock(&mutex);
    while (!is_done) pthread_cond_wait(&arrived, &mutex);
    is_done = false;
    pthread_mutex_unlock(&mutex);
    return last_error;
}

static const char *proprietary =
    "{\"id\":\"1\",\"sc\":\"MS-101\",\"sm\":\"\",\"t\":\"\",\"s\":{\"d\":\"XNKZvMcN2Bx3mu6oMiRfds\","
    "\"v\":\"4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw\",\"dp\":{\"d\":\"a\",\"k\":\"b\",\"s\":\"c\"}},"
    "\"sa\":{\"d\":\"a\",\"v\":\"b\",\"e\":\"http://agency\"}}";

int main(void) {
    uint32_t connection;

    CHECK(ended(vcx_health_check(0, on_done)) == VCX_INVALID_CONFIGURATION);
    CHECK(ended(vcx_create_pairwise_agent(0, on_text)) == VCX_INVALID_CONFIGURATION);
    CHECK(ended(vcx_download_message(0, "uid", on_text)) == VCX_INVALID_CONFIGURATION);
    CHECK(vcx_update_institution_info("Alice", "http://example.org/logo.png") == VCX_SUCCESS);
    CHECK(ended(vcx_extract_thread_id(0, "{\"@id\":\"1\"}", on_text)) == VCX_SUCCESS);
    CHECK(strcmp(last_text, "1") == 0);

    CHECK(ended(vcx_connection_create_with_invite(0, "faber", proprietary, on_number)) == VCX_SUCCESS);
    connection = last_number;
    CHECK(ended(vcx_connection_get_state(0, connection, on_number)) == VCX_SUCCESS);
    CHECK(last_number == VCX_STATE_REQUEST_RECEIVED);
    CHECK(ended(vcx_connection_invite_details(0, connection, true, on_text)) == VCX_SUCCESS);
    CHECK(strcmp(last_text, proprietary) == 0);
    CHECK(ended(vcx_connection_serialize(0, connection, on_text)) == VCX_SUCCESS);
    CHECK(strstr(last_text, "\"version\":\"1.0\"") != NULL);
    CHECK(ended(vcx_connection_delete_connection(0, connection, on_done)) != VCX_SUCCESS);
    CHECK(ended(vcx_connection_serialize(0, connection, on_text)) == VCX_INVALID_CONNECTION_HANDLE);

    CHECK(ended(msdk_connection_find_existing(0, proprietary, "[]", on_text)) == VCX_SUCCESS);
    CHECK(strcmp(last_text, "{\"index\":null,\"same\":\"none\"}") == 0);
    CHECK(vcx_shutdown(false) == VCX_SUCCESS);
    return 0;
}
