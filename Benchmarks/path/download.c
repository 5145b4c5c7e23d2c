// The floor of a download: the shortest program that fetches the answers of an agency over HTTP and unpacks them and the
// messages in them, with the same libcurl and libsodium. The answers have the length of real ones. It reads no JSON but
// the envelopes'. Prints how many messages it fetches and unpacks in a second of its processor, in the best turn, as a JSON
// line.
//
//   download COUNT          COUNT: the number of messages of 1 KB
#include <arpa/inet.h>
#include <curl/curl.h>
#include <microhttpd.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bench.h"
#include "envelope.h"

// The text of a message with 1 KB of content, an agency's words around its envelope, the most that an agency puts in an
// answer, and a request.
enum { MESSAGE = 1144, HEADING = 126, ANSWER = 1000000, REQUEST = 2000, TURNS = 5 };

struct text {
  char *bytes;
  size_t length;
};

static struct text answers[1000], received;
static int answer_count;
static size_t stride;  // from one message in an answer to the next
static CURL *curl;

static void must(int holds, const char *why) {
  if (holds) return;
  fprintf(stderr, "download: %s\n", why);
  exit(1);
}

static void make_answer(const uint8_t *content, size_t length) {
  struct text *answer = &answers[answer_count++];
  answer->bytes = malloc(length * 4 / 3 + 8192);
  answer->length = envelope_pack(answer->bytes, content, length, 1, 1);
}

static void make_answers(long count) {
  static uint8_t message[MESSAGE], content[ANSWER];
  static char envelope[MESSAGE * 2 + 4096];
  size_t length = 0;
  memset(message, 'm', sizeof message);
  for (long i = 0; i < count; i++) {
    size_t packed = envelope_pack(envelope, message, sizeof message, 1, 1);
    must(!stride || stride == packed + HEADING, "envelopes of different lengths");
    stride = packed + HEADING;
    if (length + stride > ANSWER) make_answer(content, length), length = 0;
    memset(content + length, ' ', HEADING);
    memcpy(content + length + HEADING, envelope, packed);
    length += stride;
  }
  make_answer(content, length);
}

// ---- the server, a process of its own -------------------------------------------------------

// Called for the head of a request, for each part of its body and at its end. The path is the number of the answer.
static enum MHD_Result serve(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                             const char *version, const char *body, size_t *length, void **request) {
  static int marker;
  (void)context, (void)method, (void)version, (void)body;
  if (!*request) return *request = &marker, MHD_YES;
  if (*length) return *length = 0, MHD_YES;
  struct text *answer = &answers[atoi(url + 1) % answer_count];
  struct MHD_Response *response =
      MHD_create_response_from_buffer(answer->length, answer->bytes, MHD_RESPMEM_PERSISTENT);
  enum MHD_Result queued = MHD_queue_response(connection, 200, response);
  MHD_destroy_response(response);
  return queued;
}

// Starts the server on the servers' processor. It ends with this process. Returns its port.
static int start_server(void) {
  int ends[2], port;
  must(!pipe(ends), "pipe");
  if (fork()) {
    close(ends[1]);
    must(read(ends[0], &port, sizeof port) == sizeof port, "the server does not start");
    return port;
  }
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  cpu_set_t servers;
  CPU_ZERO(&servers);
  CPU_SET(0, &servers);
  sched_setaffinity(0, sizeof servers, &servers);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, serve, NULL,
                                               MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
  if (!daemon) _exit(1);
  port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  if (write(ends[1], &port, sizeof port) != sizeof port) _exit(1);
  for (;;) pause();
}

// ---- the client -----------------------------------------------------------------------------

static size_t take(char *bytes, size_t size, size_t count, void *context) {
  (void)context;
  received.bytes = realloc(received.bytes, received.length + size * count);
  must(received.bytes != NULL, "memory");
  memcpy(received.bytes + received.length, bytes, size * count);
  received.length += size * count;
  return size * count;
}

// Fetches all answers. Returns the number of messages that it has unpacked.
static long download(int port) {
  static uint8_t content[ANSWER], message[MESSAGE];
  char url[64];
  long count = 0;
  for (int i = 0; i < answer_count; i++) {
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%d", port, i);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    must(curl_easy_perform(curl) == CURLE_OK, "request");
    size_t length = envelope_unpack(content, received.bytes, received.length, 1, &them[0]);
    for (size_t at = 0; at < length; at += stride, count++)
      envelope_unpack(message, (char *)content + at + HEADING, stride - HEADING, 1, &them[0]);
    free(received.bytes);
    received = (struct text){0};
  }
  return count;
}

int main(int argc, char **argv) {
  static char body[REQUEST];
  double best = 0;
  long count = argc == 2 ? atol(argv[1]) : 0;
  must(count > 0, "count");
  envelope_begin();
  make_answers(count);
  int port = start_server();
  must((curl = curl_easy_init()) != NULL, "curl");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)REQUEST);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  must(download(port) == count, "messages are missing");
  for (int turn = 0; turn < TURNS; turn++) {
    uint64_t start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    must(download(port) == count, "messages are missing");
    double rate = (double)count * 1e9 / (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start);
    if (rate > best) best = rate;
  }
  bench_peer = "floor";
  emit("mailbox.decrypt", best, "op/s");
  return 0;
}
