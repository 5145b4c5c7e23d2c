/* A child of a process that has loaded the library, and has not used it, can use it. Without msdk's help the Swift runtime takes
   the child's thread for the parent's: where another thread waits for one of the runtime's locks, both then ask the kernel for
   ever. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static sem_t answered;
static int is_forked;

/* The library makes a mutex for each of its lazy values, and the runtime's lock is held meanwhile. */
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    int (*real)(pthread_mutex_t *, const pthread_mutexattr_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_init");
    if (is_forked) usleep(50000);
    return real(mutex, attributes);
}

/* Goes on while the main thread makes its next call, so that both threads come to the same lock. */
static void on_number(vcx_command_handle_t command, vcx_error_t error, uint32_t number) {
    (void)command, (void)number;
    CHECK(error == VCX_SUCCESS);
    sem_post(&answered);
    usleep(20000);
}

static void use(void) {
    CHECK(vcx_connection_get_state(1, 4711, on_number) == VCX_SUCCESS);
    sem_wait(&answered);
    CHECK(vcx_connection_get_state(2, 4711, on_number) == VCX_SUCCESS);
    sem_wait(&answered);
}

int main(void) {
    int status;
    pid_t child;

    CHECK(sem_init(&answered, 0, 0) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        is_forked = 1;
        alarm(10); /* a child that hangs ends by the signal */
        use();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
