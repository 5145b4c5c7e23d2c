// The floor of an idle client with a WebSocket: a program that exchanges pings over one connection, and does nothing else.
//
//   idle_floor SECONDS       the seconds between two pings
//
// A process of its own answers. Writes an empty line when the connection stands, and runs until it is stopped.
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PING = 6 };  // the bytes of a masked ping without a content

static void check(int result, const char *call) {
  if (result >= 0) return;
  perror(call);
  exit(1);
}

static void answer(int listener) {
  char ping[PING];
  int peer = accept(listener, NULL, NULL);
  check(peer, "accept");
  while (recv(peer, ping, sizeof ping, MSG_WAITALL) == PING) check(send(peer, ping, sizeof ping, 0), "send");
  exit(0);
}

static int connected(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  check(bind(listener, (struct sockaddr *)&address, size), "bind");
  check(listen(listener, 1), "listen");
  check(getsockname(listener, (struct sockaddr *)&address, &size), "getsockname");
  pid_t child = fork();
  check(child, "fork");
  if (child == 0) {
    close(client);
    answer(listener);
  }
  close(listener);
  check(connect(client, (struct sockaddr *)&address, size), "connect");
  return client;
}

int main(int count, char **arguments) {
  int pause = count == 2 ? atoi(arguments[1]) * 1000 : 0;
  if (pause <= 0) return fputs("usage: idle_floor SECONDS\n", stderr), 2;
  char ping[PING] = {0};
  int client = connected();
  puts(""), fflush(stdout);
  struct pollfd answered = {.fd = client, .events = POLLIN};
  while (1) {
    int ready = poll(&answered, 1, pause);
    check(ready, "poll");
    if (ready == 0) check(send(client, ping, sizeof ping, 0), "send");
    if (ready > 0 && recv(client, ping, sizeof ping, 0) <= 0) return fputs("the other process ended\n", stderr), 1;
  }
}
