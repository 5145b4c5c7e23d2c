// glibc declares these functions only for programs that define _GNU_SOURCE, which Swift does not.
typedef struct {
  const char *file;
  void *base;
  const char *symbol;
  void *symbol_address;
} msdk_image;

// Fills in which library or program the address belongs to. Returns 0 if it belongs to none.
extern int dladdr(const void *address, msdk_image *image);

// The variable of the environment, or NULL in a program that runs with other rights than its caller has.
extern char *secure_getenv(const char *name);
