/* Credentials and proofs, each with the handle 77. */
#include "standin.h"

static uint32_t created(uint32_t command, number_cb callback) {
  callback(command, 0, 77);
  return 0;
}

static uint32_t released(uint32_t handle) { return vcx_connection_release(handle); }

uint32_t vcx_credential_create_with_offer(uint32_t command, const char *source, const char *offer, number_cb callback) {
  if (strcmp(source, "credential") != 0 || strcmp(offer, "{\"@id\": \"1\"}") != 0) return fail(1043, "not the offer");
  return created(command, callback);
}

uint32_t vcx_credential_create_with_msgid(uint32_t command, const char *source, uint32_t connection, const char *uid,
                                          number_string_cb callback) {
  if (strcmp(source, "credential") != 0 || connection != 77 || strcmp(uid, "7") != 0) return fail(1020, "no offer");
  callback(command, 0, 77, "{}");
  return 0;
}

uint32_t vcx_credential_release(uint32_t handle) { return released(handle); }

uint32_t vcx_credential_parse_offer(uint32_t command, const char *offer, string_cb callback) {
  (void)offer;
  callback(command, 0,
           "{\"name\":\"degree\",\"attributes\":[{\"name\":\"age\",\"value\":\"28\"}],\"cred_def_id\":\"d\","
           "\"schema_id\":\"s\",\"thid\":\"t\"}");
  return 0;
}

GIVES_TEXT(vcx_credential_get_info,
           "{\"referent\":\"c\",\"attrs\":{\"age\":\"28\"},\"schema_id\":\"s\",\"cred_def_id\":\"d\","
           "\"rev_reg_id\":null,\"cred_rev_id\":null}")

uint32_t vcx_credential_send_request(uint32_t command, uint32_t handle, uint32_t connection, uint32_t payment,
                                     void_cb callback) {
  if (handle != 77 || connection != 0 || payment != 0) return fail(1003, "not without a connection");
  callback(command, 0);
  return 0;
}

uint32_t vcx_credential_get_state(uint32_t command, uint32_t handle, number_cb callback) {
  (void)handle;
  callback(command, 0, 3);
  return 0;
}

uint32_t vcx_delete_credential(uint32_t command, uint32_t handle, void_cb callback) {
  (void)handle;
  callback(command, fail(1073, "it is deleted already"));
  return 0;
}

/* A wallet with two credentials, a page of one after the other. The conditions of the last search are the first's comment. */
#define HELD(id, more)                                                                                           \
  "{\"referent\":\"" id "\",\"attrs\":{\"age\":\"28\"},\"schema_id\":\"s\",\"cred_def_id\":\"d\",\"rev_reg_id\":null," \
  "\"cred_rev_id\":null,\"schema_name\":\"degree\",\"schema_version\":\"1.0\",\"issuer_did\":\"i\",\"revoked\":false," more "}"
#define OLDER HELD("older", "\"received\":null,\"connection\":null,\"display\":null")

static char conditions[1024];
static int read_pages;

uint32_t msdk_credentials_open_search(uint32_t command, const char *query, void (*callback)(uint32_t, uint32_t, int32_t)) {
  snprintf(conditions, sizeof conditions, "%s", query);
  read_pages = 0;
  callback(command, 0, 5);
  return 0;
}

uint32_t msdk_credentials_search_next(uint32_t command, int32_t search, size_t count, string_cb callback) {
  if (search != 5 || count == 0) return fail(1057, "no search");
  static const char *const pages[] = {
    "[" HELD("newer", "\"received\":7,\"connection\":\"did\",\"display\":{\"comment\":\"Yours\",\"attachments\":[{\"@id\":\"logo\"}]}") "]",
    "[" OLDER "]", "[]"};
  callback(command, 0, pages[read_pages < 2 ? read_pages++ : 2]);
  return 0;
}

uint32_t msdk_credentials_close_search(uint32_t command, int32_t search, void_cb callback) {
  callback(command, search == 5 ? 0 : fail(1057, "no search"));
  return 0;
}

uint32_t msdk_credentials_get(uint32_t command, const char *id, string_cb callback) {
  if (strcmp(id, "conditions") == 0) {
    callback(command, 0, HELD("c", "\"received\":7,\"connection\":\"did\",\"display\":{\"attachments\":[{\"@id\":\"logo\","
                              "\"mime-type\":\"image/png\",\"data\":{\"base64\":\"aGk=\"}}]}"));
  } else {
    callback(command, fail(1073, "no such credential"), NULL);
  }
  return 0;
}

const char *standin_conditions(void) { return conditions; }

GIVES_TEXT(msdk_credential_get_thread_id, "thread")
GIVES_TEXT(msdk_disclosed_proof_get_thread_id, "thread")
GIVES_TEXT(msdk_connection_get_thread_id, "thread")
GIVES_TEXT(msdk_disclosed_proof_describe_request,
           "{\"thid\":\"t\",\"name\":\"Check\",\"version\":\"1.0\",\"display\":{\"goal\":\"To see\"},\"attributes\":{},"
           "\"predicates\":{}}")

/* The text that a proof is made from is the credentials that fit; what is chosen is the text of the proof. */
static char matching[4096], chosen[2048];

uint32_t vcx_disclosed_proof_create_with_request(uint32_t command, const char *source, const char *request,
                                                 number_cb callback) {
  (void)source;
  snprintf(matching, sizeof matching, "%s", request);
  return created(command, callback);
}

uint32_t vcx_disclosed_proof_release(uint32_t handle) { return released(handle); }

GIVES_TEXT(vcx_disclosed_proof_retrieve_credentials, matching)

uint32_t vcx_disclosed_proof_generate_proof(uint32_t command, uint32_t handle, const char *selected,
                                            const char *attested, void_cb callback) {
  (void)handle;
  snprintf(chosen, sizeof chosen, "[%s,%s]", selected, attested);
  callback(command, 0);
  return 0;
}

GIVES_TEXT(vcx_disclosed_proof_serialize, chosen)

/* Each way to decline says which it was. */
uint32_t vcx_disclosed_proof_reject_proof(uint32_t command, uint32_t handle, uint32_t connection, void_cb callback) {
  (void)handle, (void)connection;
  snprintf(chosen, sizeof chosen, "without a word");
  callback(command, 0);
  return 0;
}

uint32_t vcx_disclosed_proof_decline_presentation_request(uint32_t command, uint32_t handle, uint32_t connection,
                                                          const char *reason, const char *proposal, void_cb callback) {
  (void)handle, (void)connection;
  snprintf(chosen, sizeof chosen, "%s|%s", reason ? reason : "-", proposal ? proposal : "-");
  callback(command, 0);
  return 0;
}

/* A requested proof. Its text is what it was created from; the presentation answers one item of each kind. */
#define CREDENTIAL "{\"schema_id\":\"s\",\"cred_def_id\":\"d\",\"rev_reg_id\":null,\"timestamp\":null}"

static bool has_message;

uint32_t msdk_proof_create_with_options(uint32_t command, const char *source, const char *attributes, const char *predicates,
                           const char *interval, const char *name, const char *options, number_cb callback) {
  (void)source;
  has_message = false;
  snprintf(chosen, sizeof chosen, "[%s,%s,%s,\"%s\"%s%s]", attributes, predicates, interval, name,
           options == NULL ? "" : ",", options == NULL ? "" : options);
  return created(command, callback);
}

uint32_t vcx_proof_release(uint32_t handle) { return released(handle); }

GIVES_TEXT(vcx_proof_serialize, chosen)

GIVES_STATE(vcx_proof_update_state, next_state)

GIVES_STATE(vcx_proof_get_state, present_state)

GIVES_TEXT(vcx_proof_get_problem_report, REPORT)

uint32_t msdk_proof_explain(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  callback(command, 0,
           present_digit() == '4' ? "{\"verified\":true,\"reasons\":[],\"warnings\":[]}"
           : present_digit() == '0'
               ? "{\"verified\":false,\"reasons\":[{\"code\":\"value\",\"referent\":\"a\",\"text\":\"t\"}],\"warnings\":[]}"
               : "{\"verified\":null,\"reasons\":[],\"warnings\":[]}");
  return 0;
}

GIVES_TEXT(msdk_proof_content,
           "{\"revealed\":{\"a\":{\"values\":{\"name\":\"Alice\"},\"credential\":" CREDENTIAL "},"
           "\"g\":{\"values\":{\"x\":\"1\"},\"credential\":" CREDENTIAL "}},"
           "\"self_attested\":{\"s\":{\"values\":{\"phone\":\"555\"}}},"
           "\"unrevealed\":{\"u\":{\"names\":[\"y\"],\"credential\":" CREDENTIAL "}},"
           "\"predicates\":{\"p\":{\"name\":\"age\",\"p_type\":\">=\",\"p_value\":18,\"credential\":" CREDENTIAL "}}}")

/* In state 1, a requested proof has a thread once its message was read. */
uint32_t vcx_proof_get_request_msg(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  has_message = true;
  callback(command, 0, "{\"@type\":\"request-presentation\"}");
  return 0;
}

uint32_t msdk_proof_get_thread_id(uint32_t command, uint32_t handle, string_cb callback) {
  (void)handle;
  if (present_digit() == '1' && !has_message) return fail(1005, "there is no message");
  callback(command, 0, "thread");
  return 0;
}

uint32_t vcx_get_proof_msg(uint32_t command, uint32_t handle, number_string_cb callback) {
  (void)handle;
  callback(command, 0, 1, "{\"@type\":\"presentation\"}");
  return 0;
}

/* The message stands for what it attaches. */
uint32_t vcx_extract_attached_message(uint32_t command, const char *message, string_cb callback) {
  callback(command, 0, message);
  return 0;
}
