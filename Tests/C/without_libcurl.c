/* Without libcurl the library works up to the first request, and then says that libcurl is missing: no URL is called wrong. */
#include <unistd.h>

#include "check.h"
#include "msdk_wait.h"

#define VERKEY "EJTbBYPHHEQaYk5w5i5wcx78xKRhdH1PrCyRscwot9pf"
#define DID "VsKV7grR1BUE29mG2Fm2kX"
#define MISSING "libcurl could not start: "

static const char *config(const char *home) {
    static char text[4096];
    snprintf(
        text, sizeof text,
        "{\"wallet_name\":\"w\",\"wallet_key\":\"8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY\","
        "\"wallet_key_derivation\":\"RAW\",\"storage_config\":{\"path\":\"%s\"},"
        "\"agency_endpoint\":\"http://127.0.0.1:1\",\"agency_did\":\"" DID "\",\"agency_verkey\":\"" VERKEY "\","
        "\"sdk_to_remote_did\":\"" DID "\",\"sdk_to_remote_verkey\":\"" VERKEY "\","
        "\"remote_to_sdk_did\":\"" DID "\",\"remote_to_sdk_verkey\":\"" VERKEY "\"}",
        home);
    return text;
}

int main(void) {
    char home[] = "/tmp/msdk-without-libcurl-XXXXXX";
    const char *details = NULL;
    struct msdk_wait wait = MSDK_WAIT;
    CHECK(setenv("MSDK_CURL_LIB", "/nonexistent/libcurl.so.4", 1) == 0 && mkdtemp(home) != NULL);

    CHECK(vcx_provision_agent(config(home)) == NULL);
    vcx_get_current_error(&details);
    CHECK(details != NULL && strstr(details, MISSING) != NULL);

    CHECK(msdk_done(&wait, vcx_init_with_config, config(home)) == VCX_SUCCESS);
    CHECK(msdk_done(&wait, vcx_wallet_add_record, "t", "i", "v", "{}") == VCX_SUCCESS);
    CHECK(msdk_done(&wait, vcx_health_check) != VCX_SUCCESS && strstr(wait.details, MISSING) != NULL);
    msdk_wait_free(&wait);
    CHECK(msdk_text(&wait, vcx_resolve_message_by_url, "http://127.0.0.1:1/x") == NULL);
    CHECK(strstr(wait.details, MISSING) != NULL);
    msdk_wait_free(&wait);

    CHECK(vcx_shutdown(true) == 0 && rmdir(home) == 0);
    return 0;
}
