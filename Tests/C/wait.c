/* msdk_wait.h: results come back as if they were returned, the first error stays, threads do not get in each other's
 * way. */
#include "check.h"
#include "msdk_wait.h"

enum { THREADS = 8, CALLS = 500 };

/* A URL whose query holds {"thread":N}, and that text. */
static const char *const urls[] = {"http://x?c_i=eyJ0aHJlYWQiOjB9", "http://x?c_i=eyJ0aHJlYWQiOjF9"};
static const char *const texts[] = {"{\"thread\":0}", "{\"thread\":1}"};

static void brings_results(void) {
    struct msdk_wait wait = MSDK_WAIT;
    CHECK(msdk_done(&wait, vcx_wallet_validate_payment_address, "address") == VCX_SUCCESS);
    CHECK(strcmp(msdk_text(&wait, vcx_resolve_message_by_url, urls[1]), texts[1]) == 0);
    CHECK(msdk_number(&wait, vcx_connection_get_state, 12345) == 0);
    CHECK(wait.error == VCX_SUCCESS && wait.details == NULL);
    msdk_wait_free(&wait);
}

static void keeps_the_first_error(void) {
    struct msdk_wait wait = MSDK_WAIT;
    CHECK(msdk_number(&wait, vcx_connection_update_state, 12345) == 0); /* told by the callback */
    CHECK(wait.error == VCX_INVALID_CONNECTION_HANDLE);
    CHECK(strstr(wait.details, vcx_error_c_message(wait.error)) != NULL);
    CHECK(msdk_text(&wait, vcx_resolve_message_by_url, urls[0]) == NULL);
    CHECK(msdk_done(&wait, vcx_wallet_validate_payment_address, NULL) == VCX_INVALID_CONNECTION_HANDLE);

    wait.error = VCX_SUCCESS;
    CHECK(msdk_done(&wait, vcx_wallet_validate_payment_address, NULL) == VCX_INVALID_OPTION); /* returned */
    CHECK(strstr(wait.details, vcx_error_c_message(wait.error)) != NULL);

    msdk_wait_free(&wait);
    CHECK(wait.error == VCX_SUCCESS);
    CHECK(msdk_text(&wait, vcx_resolve_message_by_url, urls[0]) != NULL);
    msdk_wait_free(&wait);
}

/* The other shapes of callbacks: an answer, and a handle with a text. */
static void brings_answers_and_pairs(void) {
    struct msdk_wait wait = MSDK_WAIT;
    uint32_t connection = msdk_number(&wait, vcx_connection_create, "faber");
    const char *stored = msdk_text(&wait, vcx_connection_serialize, connection);
    char *kept = stored ? strdup(stored) : NULL;
    CHECK(kept != NULL && !msdk_bool(&wait, vcx_connection_need_upgrade, kept));
    CHECK(wait.error == VCX_SUCCESS);
    free(kept);
    CHECK(msdk_number_text(&wait, vcx_credential_create_with_msgid, "degree", connection, "uid") == 0);
    CHECK(wait.error != VCX_SUCCESS && wait.text == NULL);
    CHECK(!msdk_bool(&wait, vcx_connection_need_upgrade, "{}"));
    msdk_wait_free(&wait);
    CHECK(vcx_connection_release(connection) == VCX_SUCCESS);
}

/* Functions that have no argument but the command handle and the callback. */
static void calls_functions_without_arguments(void) {
    struct msdk_wait wait = MSDK_WAIT;
    CHECK(msdk_done(&wait, vcx_health_check) != VCX_SUCCESS && wait.details != NULL); /* no session runs */
    msdk_wait_free(&wait);
    CHECK(msdk_text(&wait, vcx_create_pairwise_agent) == NULL && wait.error != VCX_SUCCESS);
    msdk_wait_free(&wait);
}

static void *waits_often(void *number) {
    struct msdk_wait wait = MSDK_WAIT;
    size_t which = *(const size_t *)number % 2;
    int i;
    for (i = 0; i < CALLS; i++) CHECK(strcmp(msdk_text(&wait, vcx_resolve_message_by_url, urls[which]), texts[which]) == 0);
    msdk_wait_free(&wait);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    size_t numbers[THREADS], i;
    brings_results();
    keeps_the_first_error();
    brings_answers_and_pairs();
    calls_functions_without_arguments();
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, waits_often, &numbers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
