/* The current error: four members, one per thread, left alone by success. */
#include "check.h"

static const char *current(void) {
    const char *json = "untouched";
    vcx_get_current_error(&json);
    return json;
}

static void *other_thread(void *unused) {
    (void)unused;
    CHECK(current() == NULL);
    CHECK(vcx_set_log_max_lvl(6) == VCX_INVALID_OPTION);
    CHECK(strstr(current(), "from 0 to 5") != NULL);
    return NULL;
}

int main(void) {
    const char *keys[] = {"\"backtrace\":null", "\"cause\":\"", "\"error\":\"", "\"message\":\"Error: "};
    const char *place = NULL;
    pthread_t thread;
    size_t i;

    CHECK(current() == NULL);
    CHECK(vcx_update_institution_info(NULL, "http://example.org/logo.png") == VCX_INVALID_OPTION);
    for (i = 0; i < sizeof keys / sizeof keys[0]; i++) CHECK(strstr(current(), keys[i]) != NULL);

    place = current();
    CHECK(vcx_connection_release(1) == VCX_SUCCESS);
    CHECK(current() == place);
    CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(current() == place);
    CHECK(strstr(current(), "NULL") != NULL);
    return 0;
}
