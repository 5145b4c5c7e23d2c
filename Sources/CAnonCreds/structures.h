// The structures that functions of libanoncreds.so take by value. The library is opened at run time and its header is
// not needed to build, so they are written down here. All are naturally aligned.
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t count;
  uint8_t *data;
} anoncreds_bytes;

typedef struct {
  size_t count;
  const char *const *data;
} anoncreds_texts;

typedef struct {
  size_t count;
  const size_t *data;
} anoncreds_objects;

typedef struct {
  size_t count;
  const int32_t *data;
} anoncreds_numbers;

// Where a revocable credential stands in its registry.
typedef struct {
  size_t registry;
  size_t registry_private;
  size_t status_list;
  int64_t index;
} anoncreds_revocation;

// A credential in a presentation; timestamp -1 and state 0 say that nothing is proved about revocation.
typedef struct {
  size_t credential;
  int32_t timestamp;
  size_t revocation_state;
} anoncreds_entry;

typedef struct {
  size_t count;
  const anoncreds_entry *data;
} anoncreds_entries;

// A requested item, and which entry answers it.
typedef struct {
  int64_t entry;
  const char *referent;
  int8_t is_predicate;
  int8_t is_revealed;
} anoncreds_item;

typedef struct {
  size_t count;
  const anoncreds_item *data;
} anoncreds_items;

// The status list of another time that serves for a requested one.
typedef struct {
  const char *registry_id;
  int32_t requested;
  int32_t served;
} anoncreds_override;

typedef struct {
  size_t count;
  const anoncreds_override *data;
} anoncreds_overrides;
