// The peer of serialized connections: a program with Jansson that reads the text of a completed connection into a
// structure, and writes the text from it. JSON lines on the standard output.
//
//   state STATE          STATE: a file with the serialized state of a completed connection
#include <jansson.h>

#include "bench.h"

// A connection. It keeps the peer's document and the invitation whole, since they may have members that nobody knows.
struct connection {
  char *source_id, *agent_did, *agent_key, *did, *key, *peer_did, *peer_key, *endpoint, *institution, *label, *logo;
  char *thread, *parent;
  json_int_t state;
  json_t *document, *invitation, *protocols;
};

static char *text;  // the serialized state
static size_t length;
static struct connection one;

static json_t *member(const json_t *object, const char *name) {
  json_t *value = json_object_get(object, name);
  if (!value) fprintf(stderr, "state: no %s\n", name), exit(1);
  return value;
}

// A copy of a member's text; NULL for null.
static char *copy(const json_t *object, const char *name) {
  const char *value = json_string_value(member(object, name));
  return value ? strdup(value) : NULL;
}

static void read_connection(struct connection *c) {
  json_t *all = json_loadb(text, length, 0, NULL);
  if (!all || strcmp(json_string_value(member(all, "version")), "2.0")) exit(1);
  const json_t *data = member(all, "data"), *state = member(member(member(all, "state"), "Invitee"), "Completed");
  const json_t *invitation = member(member(state, "invitation"), "ConnectionInvitation");
  const json_t *service = json_array_get(member(member(state, "did_doc"), "service"), 0);
  c->source_id = copy(data, "source_id"), c->state = json_integer_value(member(data, "state"));
  c->agent_did = copy(data, "agent_did"), c->agent_key = copy(data, "agent_vk");
  c->did = copy(data, "pw_did"), c->key = copy(data, "pw_verkey"), c->institution = copy(data, "public_did");
  c->peer_did = copy(data, "their_pw_did"), c->peer_key = copy(data, "their_pw_verkey");
  c->endpoint = copy(service, "serviceEndpoint");
  c->label = copy(invitation, "label"), c->logo = copy(invitation, "imageUrl");
  c->thread = copy(member(state, "thread"), "thid"), c->parent = copy(member(state, "thread"), "pthid");
  c->document = json_incref(member(state, "did_doc")), c->invitation = json_incref(member(state, "invitation"));
  c->protocols = json_incref(member(state, "protocols"));
  json_decref(all);
}

static void release(struct connection *c) {
  char *texts[] = {c->source_id, c->agent_did, c->agent_key, c->did, c->key, c->peer_did, c->peer_key, c->endpoint,
                   c->institution, c->label, c->logo, c->thread, c->parent};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
  json_decref(c->document), json_decref(c->invitation), json_decref(c->protocols);
}

// The same members as in the text that was read, in the same order.
static char *write_connection(const struct connection *c) {
  const json_t *keys = member(member(c->invitation, "ConnectionInvitation"), "recipientKeys");
  json_t *sender = json_pack("{s:s, s:{s:s, s:s, s:s}, s:s?, s:s?, s:n, s:s}", "DID", "", "agentKeyDlgProof", "agentDID",
                             "", "agentDelegatedKey", "", "signature", "", "logoUrl", c->logo, "name", c->label,
                             "publicDID", "verKey", json_string_value(json_array_get(keys, 0)));
  json_t *detail = json_pack("{s:s, s:{s:s, s:s, s:s}, s:o, s:s, s:s, s:s, s:n}", "connReqId", "", "senderAgencyDetail",
                             "DID", "", "endpoint", "", "verKey", "", "senderDetail", sender, "statusCode", "",
                             "statusMsg", "", "targetName", "", "threadId");
  json_t *data = json_pack(
      "{s:s, s:s, s:s, s:o, s:n, s:s?, s:s, s:s, s:n, s:s, s:I, s:n, s:s, s:s, s:s, s:s}", "agent_did", c->agent_did,
      "agent_vk", c->agent_key, "endpoint", c->endpoint, "invite_detail", detail, "invite_url", "public_did",
      c->institution, "pw_did", c->did, "pw_verkey", c->key, "redirect_detail", "source_id", c->source_id, "state",
      c->state, "their_public_did", "their_pw_did", c->peer_did, "their_pw_verkey", c->peer_key, "uuid", "", "version",
      "2.0");
  json_t *all = json_pack("{s:o, s:{s:{s:{s:O, s:O, s:O, s:{s:s, s:s}}}}, s:s}", "data", data, "state", "Invitee",
                          "Completed", "did_doc", c->document, "invitation", c->invitation, "protocols", c->protocols,
                          "thread", "thid", c->thread, "pthid", c->parent, "version", "2.0");
  char *written = all ? json_dumps(all, JSON_COMPACT) : NULL;
  json_decref(all);
  if (!written) exit(1);
  return written;
}

static void serialize(void) { free(write_connection(&one)); }
static void deserialize(void) {
  struct connection c;
  read_connection(&c), release(&c);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  FILE *f = fopen(argv[1], "r");
  text = calloc(1, 1 << 20);
  if (!text || !f || !(length = fread(text, 1, (1 << 20) - 1, f))) return perror(argv[1]), 1;
  fclose(f);
  if (text[length - 1] == '\n') length--;
  read_connection(&one);
  char *written = write_connection(&one);
  if (strlen(written) != length || memcmp(written, text, length)) return fprintf(stderr, "state: another text\n"), 1;
  free(written);
  bench_peer = "jansson";
  bench_calls("state.serialize", serialize, 2000, 1, 1);
  bench_calls("state.deserialize", deserialize, 2000, 1, 1);
  return 0;
}
