// The floor of calls that answer at once: a shared library with two functions of msdk's. Each has the same arguments and
// does the same work by the shortest way.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {"Unknown Error", "Error", "Invalid Configuration", "Invalid JSON"};

const char *vcx_error_c_message(uint32_t code) {
  uint32_t number = code - 1001;
  return texts[number < sizeof texts / sizeof *texts ? number : 0];
}

// Whether the text is UTF-8 without overlong forms and surrogates.
static int is_utf8(const unsigned char *p) {
  while (*p) {
    unsigned first = *p++;
    if (first < 0x80) continue;
    int more = first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
    unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (more < 0) return 0;
    for (; more; more--, least = 0x80, most = 0xbf) {
      if (*p < least || *p > most) return 0;
      p++;
    }
  }
  return 1;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *name, *logo;

uint32_t vcx_update_institution_info(const char *new_name, const char *new_logo) {
  if (!new_name || !new_logo) return 1007;
  if (!is_utf8((const unsigned char *)new_name) || !is_utf8((const unsigned char *)new_logo)) return 1007;
  char *own_name = strdup(new_name), *own_logo = strdup(new_logo);
  pthread_mutex_lock(&lock);
  char *old_name = name, *old_logo = logo;
  name = own_name, logo = own_logo;
  pthread_mutex_unlock(&lock);
  free(old_name), free(old_logo);
  return 0;
}
