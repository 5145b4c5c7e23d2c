/* The logger that prints to the standard error, and that a process has one logger. */
#include <unistd.h>

#include "check.h"

static void log_line(const void *context, uint32_t level, const char *target, const char *message,
                     const char *module_path, const char *file, uint32_t line) {
    (void)context, (void)level, (void)target, (void)message, (void)module_path, (void)file, (void)line;
}

int main(void) {
    const void *context = "untouched";
    vcx_log_enabled_cb enabled = NULL;
    vcx_log_cb log = NULL;
    vcx_log_flush_cb flush = NULL;
    char text[256] = {0};
    int ends[2], error_stream = dup(STDERR_FILENO);

    CHECK(vcx_get_logger(&context, &enabled, &log, &flush) == VCX_SUCCESS);
    CHECK(context == NULL && enabled == NULL && log == NULL && flush == NULL);
    CHECK(vcx_set_default_logger("\xff") == VCX_INVALID_OPTION);
    CHECK(vcx_set_logger(NULL, NULL, NULL, NULL) == VCX_INVALID_OPTION);

    CHECK(setenv("RUST_LOG", "warn,Wallet=debug", 1) == 0);
    CHECK(vcx_set_default_logger(NULL) == VCX_SUCCESS);
    CHECK(vcx_set_default_logger("trace") == VCX_LOGGING_ERROR);
    CHECK(vcx_set_logger(NULL, NULL, log_line, NULL) == VCX_LOGGING_ERROR);

    CHECK(vcx_get_logger(&context, &enabled, &log, &flush) == VCX_SUCCESS);
    CHECK(enabled(context, VCX_LOG_DEBUG, "Wallet") && !enabled(context, VCX_LOG_DEBUG, "HTTP"));
    CHECK(pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    log(context, VCX_LOG_WARNING, "HTTP", "slow", "HTTP", "HTTP/Client.swift", 12);
    CHECK(dup2(error_stream, STDERR_FILENO) == STDERR_FILENO);
    CHECK(read(ends[0], text, sizeof text - 1) > 0);
    CHECK(strcmp(text, "warning HTTP HTTP/Client.swift:12 slow\n") == 0);
    return 0;
}
