/* After the end of callbacks none begins, though operations are under way. */
#include <unistd.h>

#include "check.h"

static unsigned long calls;

static void on_number(vcx_command_handle_t command, vcx_error_t error, uint32_t number) {
    (void)command, (void)error, (void)number;
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
}

static void on_line(const void *context, uint32_t level, const char *target, const char *message,
                    const char *module_path, const char *file, uint32_t line) {
    (void)context, (void)level, (void)target, (void)message, (void)module_path, (void)file, (void)line;
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
}

static void on_done(vcx_command_handle_t command, vcx_error_t error) { on_number(command, error, 0); }

static void *keep_calling(void *unused) {
    (void)unused;
    for (;;) CHECK(vcx_connection_get_state(1, 4711, on_number) == VCX_SUCCESS);
    return NULL;
}

int main(void) {
    pthread_t thread;
    unsigned long before;

    CHECK(vcx_set_logger(NULL, NULL, on_line, NULL) == VCX_SUCCESS);
    CHECK(pthread_create(&thread, NULL, keep_calling, NULL) == 0);
    while (__atomic_load_n(&calls, __ATOMIC_SEQ_CST) < 100) usleep(1000);

    CHECK(msdk_end_callbacks() == VCX_SUCCESS);
    before = __atomic_load_n(&calls, __ATOMIC_SEQ_CST);
    CHECK(vcx_init_pool(2, "{\"pool_network_alias\":\"demo\"}", on_done) == VCX_SUCCESS); /* which writes to the log */
    usleep(200000);
    CHECK(__atomic_load_n(&calls, __ATOMIC_SEQ_CST) == before);
    CHECK(msdk_end_callbacks() == VCX_SUCCESS);
    return 0;
}
