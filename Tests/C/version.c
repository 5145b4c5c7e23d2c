/* The texts that live as long as the process. */
#include "check.h"

int main(void) {
    const char *version = vcx_version();
    CHECK(strncmp(version, MSDK_VERSION "+", strlen(MSDK_VERSION) + 1) == 0);
    CHECK(strlen(version) == strlen(MSDK_VERSION) + 8);
    CHECK(version == vcx_version());
    /* ctypes programs that declare no result type cut the address to 32 bits with a sign. */
    CHECK((uintptr_t)version < (uintptr_t)1 << 31);

    CHECK(strcmp(vcx_error_c_message(VCX_SUCCESS), "Success") == 0);
    CHECK(strcmp(vcx_error_c_message(VCX_NOT_READY), "Object not ready for specified action") == 0);
    CHECK(strcmp(vcx_error_c_message(VCX_WALLET_NOT_FOUND), "Wallet Not Found") == 0);
    CHECK(strcmp(vcx_error_c_message(1002), "Unknown Error") == 0);
    return 0;
}
