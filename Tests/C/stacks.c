/* JSON of every depth, on a thread of the caller's with a small stack, and on the library's own. */
#include "check.h"
#include "msdk_wait.h"

static const char *nested(char *text, const char *before, int depth) {
    char *end = text + sprintf(text, "%s", before);
    for (int i = 0; i < depth; i++) end += sprintf(end, "{\"a\":");
    end += sprintf(end, "1");
    for (int i = 0; i < depth; i++) *end++ = '}';
    strcpy(end, "}");
    return text;
}

static char text[4 << 20];

/* JSON that is nested too deep is refused before it can take any stack. */
static void *configure(void *unused) {
    const char *before = "{\"wallet_name\":\"no such wallet\",\"wallet_key\":\"k\",\"wallet_key_derivation\":\"RAW\",\"x\":";
    for (int depth = 100; depth <= 400000; depth *= 4) {
        CHECK(vcx_init_with_config(0, nested(text, before, depth), msdk_wait_on_done) == VCX_INVALID_CONFIGURATION);
    }
    struct msdk_wait wait = MSDK_WAIT;
    CHECK(msdk_done(&wait, vcx_init_with_config, nested(text, before, 99)) == VCX_WALLET_NOT_FOUND);
    msdk_wait_free(&wait);
    (void)unused;
    return NULL;
}

/* A deep one goes through the library's threads and into the text of a connection, which has levels of its own. */
static void *invite(void *unused) {
    const char *before =
        "{\"@id\":\"1\",\"label\":\"x\",\"recipientKeys\":[\"EJTbBYPHHEQaYk5w5i5wcx78xKRhdH1PrCyRscwot9pf\"],"
        "\"serviceEndpoint\":\"http://127.0.0.1\",\"x\":";
    struct msdk_wait wait = MSDK_WAIT;
    uint32_t connection = msdk_number(&wait, vcx_connection_create_with_invite, "x", nested(text, before, 60));
    CHECK(connection != 0);
    const char *serialized = msdk_text(&wait, vcx_connection_serialize, connection);
    CHECK(serialized != NULL && strstr(serialized, "{\"a\":{\"a\":") != NULL);
    (void)unused;
    msdk_wait_free(&wait);
    return NULL;
}

static void run(void *(*function)(void *), size_t stack) {
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, stack) == 0);
    CHECK(pthread_create(&thread, &attributes, function, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
}

int main(void) {
    run(configure, 256 << 10);
    run(invite, 256 << 10);
    return 0;
}
