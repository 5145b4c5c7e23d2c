/* Three mailboxes that hold more than one download brings. The wallet lists them. */
#include "standin.h"

static const char *too_large;

/* The DID of a mailbox that is too large alone, "all" for each of them, or "" if none is; NULL if there are no such mailboxes. */
void standin_full(const char *did) {
  free((void *)too_large);
  too_large = did ? strdup(did) : NULL;
}

bool is_full(void) { return too_large != NULL; }

/* One mailbox alone has a message, whose id is its DID. */
uint32_t full_download(uint32_t command, const char *dids, string_cb callback) {
  char text[200];
  if (!dids || strcmp(dids, too_large) == 0 || strcmp(too_large, "all") == 0) {
    callback(command, fail(1020, "the messages exceed 64 MiB"), NULL);
    return 0;
  }
  snprintf(text, sizeof text, "[{\"pairwiseDID\":\"%s\",\"msgs\":[{\"statusCode\":\"MS-103\",\"uid\":\"%s\"}]}]", dids, dids);
  callback(command, 0, text);
  return 0;
}

static bool is_read;

uint32_t vcx_wallet_open_search(uint32_t command, const char *type, const char *query, const char *options,
                                number_cb callback) {
  (void)query, (void)options;
  is_read = false;
  callback(command, strcmp(type, "msdk.mailbox") == 0 ? 0 : fail(1067, "no records of this type"), 6);
  return 0;
}

uint32_t vcx_wallet_search_next_records(uint32_t command, int32_t search, size_t count, string_cb callback) {
  (void)search, (void)count;
  callback(command, 0, is_read ? "{\"records\":null,\"totalCount\":null}"
                               : "{\"records\":[{\"id\":\"a\",\"value\":null,\"tags\":null},"
                                 "{\"id\":\"b\",\"value\":null,\"tags\":null},"
                                 "{\"id\":\"c\",\"value\":null,\"tags\":null}],\"totalCount\":null}");
  is_read = true;
  return 0;
}

uint32_t vcx_wallet_close_search(uint32_t command, int32_t search, void_cb callback) {
  callback(command, search == 6 ? 0 : fail(1057, "no search"));
  return 0;
}
