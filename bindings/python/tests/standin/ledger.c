/* The agreement of a network. */
#include "standin.h"

static bool is_required = true;

void standin_requires_agreement(bool required) { is_required = required; }

uint32_t vcx_get_ledger_author_agreement(uint32_t command, string_cb callback) {
  const char *agreement =
      "{\"text\":\"Be careful.\",\"version\":\"2.0\",\"digest\":\"d1\","
      "\"aml\":{\"on_file\":\"The form is in our files.\"},\"ratified\":1}";
  callback(command, 0, is_required ? agreement : "{}");
  return 0;
}

uint32_t vcx_set_active_txn_author_agreement_meta(const char *text, const char *version, const char *hash,
                                                  const char *mechanism, uint64_t time) {
  bool is_its = strcmp(text, "Be careful.") == 0 && strcmp(version, "2.0") == 0 && strcmp(hash, "d1") == 0;
  return is_its && time > 1700000000 && strcmp(mechanism, "on_file") == 0 ? 0 : fail(1007, "not the acceptance");
}
