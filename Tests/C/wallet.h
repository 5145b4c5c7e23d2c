/* Shared by the programs about the wallet. */
#ifndef WALLET_H
#define WALLET_H

#include "check.h"
#include "msdk_wait.h"

#define RAW_KEY "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
#define OTHER_RAW_KEY "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"

/* The library's answer is no error. */
#define SUCCEEDS(wait, function, ...)                                                   \
    do {                                                                                \
        if (msdk_done(wait, function, __VA_ARGS__)) fail(__FILE__, __LINE__, (wait));   \
    } while (0)

/* The library's answer is the error `code`, which is forgotten then. */
#define FAILS(wait, code, function, ...)                        \
    do {                                                        \
        CHECK(msdk_done(wait, function, __VA_ARGS__) == (code)); \
        msdk_wait_free(wait);                                   \
    } while (0)

static inline void fail(const char *file, int line, const struct msdk_wait *wait) {
    fprintf(stderr, "%s:%d: error %u: %s\n", file, line, wait->error, wait->details ? wait->details : "");
    exit(1);
}

/* The configuration for a wallet with a raw key, and the members of an import. Valid until the next call. */
static inline const char *config(const char *home, const char *name, const char *key, const char *file) {
    static char text[8192];
    int length = snprintf(
        text, sizeof text,
        "{\"wallet_name\":\"%s\",\"wallet_key\":\"%s\",\"wallet_key_derivation\":\"RAW\","
        "\"storage_config\":{\"path\":\"%s\"},\"exported_wallet_path\":\"%s\",\"backup_key\":\"%s\"}",
        name, key, home, file, "sample backup key");
    CHECK(length > 0 && (size_t)length < sizeof text);
    return text;
}

/* Makes a wallet of the exported sample. */
static inline void make_wallet(struct msdk_wait *wait, const char *samples, const char *home, const char *name) {
    char file[4096];
    snprintf(file, sizeof file, "%s/sample.export", samples);
    SUCCEEDS(wait, vcx_wallet_import, config(home, name, RAW_KEY, file));
}

static inline void open_wallet(struct msdk_wait *wait, const char *home, const char *name, const char *key) {
    SUCCEEDS(wait, vcx_init_with_config, config(home, name, key, ""));
}

#endif
