/* Stands before the C library's functions for files, in a process that works below one directory. Calls for other files
 * pass through.
 *
 *     MSDK_TEST_FOLDER   the directory
 *     MSDK_TEST_TRACE    a file that is given every change below the directory, in the order in which they happen
 *     MSDK_TEST_KILL     a number n: the process dies instead of the n-th call that gives or takes away a name
 *
 * A change in the trace: its letter, the file descriptor, the offset (of a truncation the length, of an opening the
 * flags), the lengths of two texts, and the texts. disk.py reads it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static char below[DESCRIPTORS]; /* whether the file of a descriptor is below the directory */
static const char *folder;
static long names_until_death;
static int trace = -1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    folder = getenv("MSDK_TEST_FOLDER");
    const char *path = getenv("MSDK_TEST_TRACE"), *death = getenv("MSDK_TEST_KILL");
    if (path) trace = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (death) names_until_death = atol(death);
}

/* The directory itself counts: who synchronises it makes the names in it last. */
static int is_below(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static int is_open_below(int file) { return file >= 0 && file < DESCRIPTORS && below[file]; }

static void put(const void *bytes, size_t size) {
    for (const char *rest = bytes; size;) {
        ssize_t count = REAL(write)(trace, rest, size);
        if (count < 0) abort();
        rest += count, size -= (size_t)count;
    }
}

static void note(char change, int file, int64_t offset, const void *one, size_t first, const char *two) {
    if (trace < 0) return;
    struct __attribute__((packed)) {
        char change;
        int32_t file;
        int64_t offset;
        uint32_t first, second;
    } head = {change, file, offset, (uint32_t)first, two ? (uint32_t)strlen(two) : 0};
    put(&head, sizeof head);
    put(one, first);
    put(two, head.second);
}

/* Does a call and notes it if it succeeds; nothing happens in between. */
#define NOTED(type, call, condition, ...)                  \
    do {                                                   \
        if (!(condition)) return call;                     \
        pthread_mutex_lock(&one_at_a_time);                \
        type result = call;                                \
        if (result >= 0) note(__VA_ARGS__);                \
        pthread_mutex_unlock(&one_at_a_time);              \
        return result;                                     \
    } while (0)

static int opened(int file, const char *path, int flags) {
    if (file >= 0 && file < DESCRIPTORS && (below[file] = (char)is_below(path)))
        note('o', file, (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0), path, strlen(path), NULL);
    return file;
}

#define OPEN(name)                                                          \
    int name(const char *path, int flags, ...) {                            \
        va_list rest;                                                       \
        va_start(rest, flags);                                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                       \
        pthread_mutex_lock(&one_at_a_time);                                 \
        int file = opened(REAL(name)(path, flags, mode), path, flags);      \
        pthread_mutex_unlock(&one_at_a_time);                               \
        return file;                                                        \
    }
OPEN(open)
OPEN(open64)

int close(int file) {
    int was_below = is_open_below(file);
    if (was_below) below[file] = 0;
    NOTED(int, REAL(close)(file), was_below, 'c', file, 0, NULL, 0, NULL);
}

ssize_t write(int file, const void *bytes, size_t size) {
    NOTED(ssize_t, REAL(write)(file, bytes, size), is_open_below(file), 'a', file, 0, bytes, (size_t)result, NULL);
}

#define PWRITE(name, offset_type)                                                                                      \
    ssize_t name(int file, const void *bytes, size_t size, offset_type offset) {                                       \
        NOTED(ssize_t, REAL(name)(file, bytes, size, offset), is_open_below(file), 'w', file, offset, bytes,           \
              (size_t)result, NULL);                                                                                   \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset_type)                                                                      \
    int name(int file, offset_type size) {                                                               \
        NOTED(int, REAL(name)(file, size), is_open_below(file), 't', file, size, NULL, 0, NULL);          \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int fsync(int file) { NOTED(int, REAL(fsync)(file), is_open_below(file), 's', file, 0, NULL, 0, NULL); }

int fdatasync(int file) { NOTED(int, REAL(fdatasync)(file), is_open_below(file), 's', file, 0, NULL, 0, NULL); }

/* Before a call for a name. */
static int is_name_below(const char *path) {
    if (!is_below(path)) return 0;
    if (__atomic_load_n(&names_until_death, __ATOMIC_SEQ_CST) &&
        !__atomic_sub_fetch(&names_until_death, 1, __ATOMIC_SEQ_CST))
        kill(getpid(), SIGKILL);
    return 1;
}

int unlink(const char *path) {
    NOTED(int, REAL(unlink)(path), is_name_below(path), 'u', -1, 0, path, strlen(path), NULL);
}

int rmdir(const char *path) { NOTED(int, REAL(rmdir)(path), is_name_below(path), 'u', -1, 0, path, strlen(path), NULL); }

int mkdir(const char *path, mode_t mode) {
    NOTED(int, REAL(mkdir)(path, mode), is_name_below(path), 'd', -1, 0, path, strlen(path), NULL);
}

int rename(const char *path, const char *name) {
    NOTED(int, REAL(rename)(path, name), is_name_below(path), 'r', -1, 0, path, strlen(path), name);
}

int link(const char *path, const char *name) {
    NOTED(int, REAL(link)(path, name), is_name_below(path), 'l', -1, 0, path, strlen(path), name);
}
