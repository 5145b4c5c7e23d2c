/* An operation that starts calls back once, with its command handle, on another thread; one that is refused never. */
#include <unistd.h>

#include "check.h"

enum { CALLS = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int ends[CALLS];
static int total;
static pthread_t caller;

static void ended(vcx_command_handle_t command_handle, vcx_error_t error) {
    CHECK(error == VCX_SUCCESS);
    CHECK(command_handle < CALLS);
    CHECK(!pthread_equal(pthread_self(), caller));
    pthread_mutex_lock(&mutex);
    ends[command_handle]++;
    total++;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&mutex);
}

static void never(vcx_command_handle_t command_handle, vcx_error_t error) {
    fprintf(stderr, "a refused call called back: %u %u\n", command_handle, error);
    exit(1);
}

int main(void) {
    vcx_command_handle_t i;
    caller = pthread_self();
    for (i = 0; i < CALLS; i++) {
        CHECK(vcx_wallet_validate_payment_address(i, "\xff", never) == VCX_INVALID_OPTION);
        CHECK(vcx_wallet_validate_payment_address(i, "", never) == VCX_INVALID_OPTION);
        CHECK(vcx_wallet_validate_payment_address(i, NULL, never) == VCX_INVALID_OPTION);
        CHECK(vcx_wallet_validate_payment_address(i, "address", NULL) == VCX_INVALID_OPTION);
        CHECK(vcx_wallet_validate_payment_address(i, "address", ended) == VCX_SUCCESS);
    }
    pthread_mutex_lock(&mutex);
    while (total < CALLS) pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    usleep(50000); /* for a second end, if there is one */
    CHECK(total == CALLS);
    for (i = 0; i < CALLS; i++) CHECK(ends[i] == 1);
    return 0;
}
