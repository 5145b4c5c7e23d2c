// glibc declares dladdr only for programs that define _GNU_SOURCE, which Swift does not.
typedef struct {
  const char *file;
  void *base;
  const char *symbol;
  void *symbol_address;
} msdk_image;

// Fills in which library or program the address belongs to. Returns 0 if it belongs to none.
extern int dladdr(const void *address, msdk_image *image);
