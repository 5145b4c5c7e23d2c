/* Prints the version of the library, and how an error is told. */
#include <inttypes.h>
#include <stdio.h>

#include <msdk.h>

static void connected(vcx_command_handle_t command_handle, vcx_error_t error, const char *invitation) {
    (void)command_handle;
    printf("connected: %" PRIu32 " %s\n", error, invitation ? invitation : "");
}

int main(void) {
    const char *details = NULL;
    vcx_error_t error;

    printf("msdk %s\n", vcx_version());

    /* A callback is required where a result can come: without one the call is refused. */
    error = vcx_connection_connect(1, 1, NULL, NULL);
    printf("without a callback: %" PRIu32 ", %s\n", error, vcx_error_c_message(error));
    vcx_get_current_error(&details);
    printf("in detail: %s\n", details);

    /* Text is UTF-8. */
    error = vcx_connection_connect(2, 1, "\xff", connected);
    printf("with options that are no UTF-8: %" PRIu32 ", %s\n", error, vcx_error_c_message(error));
    return error == VCX_INVALID_OPTION ? 0 : 1;
}
