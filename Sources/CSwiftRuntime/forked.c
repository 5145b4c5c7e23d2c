/* Lets a forked child use the library, on Linux. */
#include <swift_runtime.h>

#ifdef __linux__
#include <pthread.h>
#include <sys/types.h>

/* The Swift runtime keeps the kernel's number of each thread in this variable, and writes it into a lock that the thread holds.
   The thread that loads the library has one from the beginning. A child of a fork keeps the number of the parent's thread: if
   another thread waits for a lock of that thread, such as the one of a lazy value, the kernel does not know the owner, and both
   threads ask it for ever. So the child forgets the number, and the runtime asks for it again.

   The variable is a detail of Swift 6.2 and 6.3 (ulock_get_tid in swift/Threading/Impl/Linux/ulock.h). If another version has no such
   variable, the library does not link: look then whether Tests/C/forked.c passes without this file. */
extern __attribute__((visibility("hidden"))) __thread pid_t thread_number __asm__(
    "_ZZN5swift14threading_impl5linux13ulock_get_tidEvE3tid");

static void forget_number(void) { thread_number = 0; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, forget_number); }
#endif
