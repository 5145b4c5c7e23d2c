/*
 * Lets system calls and allocations fail on purpose: preloaded into the process under test.
 *
 * Only calls that msdk makes itself, or one of its C libraries for it, are counted and failed: the address that a call
 * returns to tells which library made it. The program around them, such as Python, is left alone. Allocations count
 * where a C library makes them; Swift's own are left alone, since Swift ends the process when one fails.
 *
 * A file that the test maps too, named by FAULTS_CONTROL, says which call fails and how, and counts.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The order is that of KINDS in faults.py. */
enum kind { OPEN, LOOK, READ, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, MAP, CONNECT, SEND, RECEIVE, ALLOCATE, KINDS };

enum { SHORTEN = -1, KILL = -2 };

/* Shared with the test; the layout is that of Control in faults.py. */
struct control {
  int32_t is_armed;      /* whether calls are counted */
  int32_t kind;          /* which calls fail */
  int32_t first, last;   /* the numbers of the calls that fail, from 1 on; 0 and 0 for none */
  int32_t action;        /* errno of the failure, or SHORTEN, or KILL */
  int32_t struck;        /* how many have failed */
  int32_t counts[KINDS]; /* how many there were */
};

static struct control *control;

/* The code of the libraries whose calls count. */
static struct range { uintptr_t start, end; int allocates; } ranges[32];
static int range_count;

static int starts_with(const char *text, const char *start) { return !strncmp(text, start, strlen(start)); }

static int add_ranges(struct dl_phdr_info *info, size_t size, void *unused) {
  static const char *const allocating[] = {"libsqlite3", "libcurl", "libsodium", "libmicrohttpd"};
  (void)size, (void)unused;
  char path[4096] = "";
  const char *name = info->dlpi_name;
  if (!*name && readlink("/proc/self/exe", path, sizeof path - 1) > 0) name = path;
  const char *slash = strrchr(name, '/');
  name = slash ? slash + 1 : name;
  int allocates = 0;
  for (size_t i = 0; i < sizeof allocating / sizeof *allocating; i++) allocates |= starts_with(name, allocating[i]);
  if (!allocates && !starts_with(name, "libmsdk") && !starts_with(name, "msdk")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || range_count == 32) continue;
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    ranges[range_count++] = (struct range){start, start + header->p_memsz, allocates};
  }
  return 0;
}

/* Looks which libraries are there. To be called again when one was loaded. */
void faults_scan(void) {
  range_count = 0;
  dl_iterate_phdr(add_ranges, NULL);
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTS_CONTROL");
  int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  dlopen("libcurl.so.4", RTLD_NOW); /* msdk opens it with the first request: its calls are to count too */
  faults_scan();
  void *memory = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (memory != MAP_FAILED) __atomic_store_n(&control, memory, __ATOMIC_RELEASE);
}

/* The fate of a call of this kind: 0, or an action. */
static int strike(enum kind kind, void *caller) {
  struct control *shared = __atomic_load_n(&control, __ATOMIC_ACQUIRE);
  if (!shared || !__atomic_load_n(&shared->is_armed, __ATOMIC_ACQUIRE)) return 0;
  uintptr_t address = (uintptr_t)caller;
  int i = 0;
  while (i < range_count && !(ranges[i].start <= address && address < ranges[i].end)) i++;
  if (i == range_count || (kind == ALLOCATE && !ranges[i].allocates)) return 0;
  int number = __atomic_add_fetch(&shared->counts[kind], 1, __ATOMIC_ACQ_REL);
  if (shared->kind != (int)kind || number < shared->first || number > shared->last) return 0;
  __atomic_add_fetch(&shared->struck, 1, __ATOMIC_ACQ_REL);
  if (shared->action == KILL) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  return shared->action;
}

#define CALLER __builtin_return_address(0)
#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* Fails with -1, or `result`, where the call is to fail. */
#define FAIL(kind, result) \
  do { \
    int action = strike(kind, CALLER); \
    if (action > 0) { errno = action; return result; } \
  } while (0)

static int is_file(int file) {
  struct stat status;
  return syscall(SYS_fstat, file, &status) == 0 && S_ISREG(status.st_mode);
}

/* The same for bytes, if they `counts_here`; `count` is halved where the call is to be short. */
#define FAIL_OR_SHORTEN(kind, counts_here, count) \
  do { \
    int action = (counts_here) ? strike(kind, CALLER) : 0; \
    if (action > 0) { errno = action; return -1; } \
    if (action == SHORTEN && count > 1) count /= 2; \
  } while (0)
#define FAIL_BYTES(kind, file, count) FAIL_OR_SHORTEN(kind, is_file(file), count)
#define FAIL_MESSAGE(kind, count) FAIL_OR_SHORTEN(kind, 1, count)

/* Files and directories */

static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; }

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    FAIL(OPEN, -1); \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = mode_of(flags, list); \
    va_end(list); \
    return real(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)

int openat(int directory, const char *path, int flags, ...) {
  REAL(openat);
  FAIL(OPEN, -1);
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return real(directory, path, flags, mode);
}

DIR *opendir(const char *path) { REAL(opendir); FAIL(OPEN, NULL); return real(path); }

int stat(const char *path, struct stat *status) { REAL(stat); FAIL(LOOK, -1); return real(path, status); }
int stat64(const char *path, struct stat64 *status) { REAL(stat64); FAIL(LOOK, -1); return real(path, status); }
int lstat(const char *path, struct stat *status) { REAL(lstat); FAIL(LOOK, -1); return real(path, status); }
int lstat64(const char *path, struct stat64 *status) { REAL(lstat64); FAIL(LOOK, -1); return real(path, status); }
int fstat(int file, struct stat *status) { REAL(fstat); FAIL(LOOK, -1); return real(file, status); }
int fstat64(int file, struct stat64 *status) { REAL(fstat64); FAIL(LOOK, -1); return real(file, status); }

#define READING_AT(name, position) \
  ssize_t name(int file, void *bytes, size_t count, position offset) { \
    REAL(name); FAIL_BYTES(READ, file, count); return real(file, bytes, count, offset); \
  }
#define WRITING_AT(name, position) \
  ssize_t name(int file, const void *bytes, size_t count, position offset) { \
    REAL(name); FAIL_BYTES(WRITE, file, count); return real(file, bytes, count, offset); \
  }

ssize_t read(int file, void *bytes, size_t count) {
  REAL(read);
  FAIL_BYTES(READ, file, count);
  return real(file, bytes, count);
}
READING_AT(pread, off_t)
READING_AT(pread64, off64_t)
ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write);
  FAIL_BYTES(WRITE, file, count);
  return real(file, bytes, count);
}
WRITING_AT(pwrite, off_t)
WRITING_AT(pwrite64, off64_t)
ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  FAIL_BYTES(WRITE, file, count);
  return real(file, parts, count);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  FAIL_BYTES(WRITE, file, count);
  return real(file, parts, count, offset);
}

int fsync(int file) { REAL(fsync); FAIL(SYNC, -1); return real(file); }
int fdatasync(int file) { REAL(fdatasync); FAIL(SYNC, -1); return real(file); }
int ftruncate(int file, off_t size) { REAL(ftruncate); FAIL(TRUNCATE, -1); return real(file, size); }
int ftruncate64(int file, off64_t size) { REAL(ftruncate64); FAIL(TRUNCATE, -1); return real(file, size); }
int rename(const char *from, const char *to) { REAL(rename); FAIL(RENAME, -1); return real(from, to); }
int link(const char *from, const char *to) { REAL(link); FAIL(RENAME, -1); return real(from, to); }
int unlink(const char *path) { REAL(unlink); FAIL(UNLINK, -1); return real(path); }
int rmdir(const char *path) { REAL(rmdir); FAIL(UNLINK, -1); return real(path); }

/* Memory */

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  FAIL(MAP, MAP_FAILED);
  return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
void *mmap64(void *address, size_t size, int protection, int flags, int file, off64_t offset) {
  FAIL(MAP, MAP_FAILED);
  return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
void *mremap(void *address, size_t old, size_t new, int flags, ...) {
  FAIL(MAP, MAP_FAILED);
  va_list list;
  va_start(list, flags);
  void *target = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
  va_end(list);
  return (void *)syscall(SYS_mremap, address, old, new, flags, target);
}

/* dlsym allocates, so these are called by other names. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size) { FAIL(ALLOCATE, NULL); return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { FAIL(ALLOCATE, NULL); return __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { FAIL(ALLOCATE, NULL); return __libc_realloc(memory, size); }
char *strdup(const char *text) {
  FAIL(ALLOCATE, NULL);
  size_t size = strlen(text) + 1;
  char *copy = __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

/*
 * The derivation of keys, which takes tenths of a second on purpose, by the least of costs: there are thousands of
 * attempts. All steps of a test have it, so that the keys fit. It is looked up by the library's name since that may not
 * be visible to all.
 */
int crypto_pwhash(
    unsigned char *out, unsigned long long out_size, const char *password, unsigned long long password_size,
    const unsigned char *salt, unsigned long long operations, size_t memory, int algorithm) {
  static __typeof__(&crypto_pwhash) real;
  void *library = real ? NULL : dlopen("libsodium.so.23", RTLD_LAZY | RTLD_NOLOAD);
  if (library) real = (__typeof__(&crypto_pwhash))dlsym(library, "crypto_pwhash");
  (void)operations, (void)memory;
  return real ? real(out, out_size, password, password_size, salt, 3, 8192, algorithm) : -1;
}

/* Sockets */

int socket(int domain, int type, int protocol) { REAL(socket); FAIL(CONNECT, -1); return real(domain, type, protocol); }
int connect(int socket, const struct sockaddr *address, socklen_t size) {
  REAL(connect);
  FAIL(CONNECT, -1);
  return real(socket, address, size);
}
int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags) {
  REAL(accept4);
  FAIL(CONNECT, -1);
  return real(socket, address, size, flags);
}
ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  REAL(send);
  FAIL_MESSAGE(SEND, count);
  return real(socket, bytes, count, flags);
}
ssize_t sendto(
    int socket, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size) {
  REAL(sendto);
  FAIL_MESSAGE(SEND, count);
  return real(socket, bytes, count, flags, address, size);
}
ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  REAL(sendmsg);
  FAIL(SEND, -1);
  return real(socket, message, flags);
}
ssize_t recv(int socket, void *bytes, size_t count, int flags) {
  REAL(recv);
  FAIL_MESSAGE(RECEIVE, count);
  return real(socket, bytes, count, flags);
}
ssize_t recvfrom(
    int socket, void *bytes, size_t count, int flags, struct sockaddr *address, socklen_t *size) {
  REAL(recvfrom);
  FAIL_MESSAGE(RECEIVE, count);
  return real(socket, bytes, count, flags, address, size);
}
