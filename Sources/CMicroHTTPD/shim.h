#include <malloc.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/// Gives back to the system what was freed. Here, since bodies of requests take most memory and glibc's module lacks it.
static inline void msdk_return_free_memory(void) { malloc_trim(0); }
/// Lets all threads share one pool of memory.
static inline void msdk_share_free_memory(void) { mallopt(M_ARENA_MAX, 1); }

// Sockets of waiting clients, of which the end of the client is the only event. Here, since glibc's module lacks epoll.

/// -1 when the system has no room for another one.
static inline int msdk_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Reports the end of the socket's other side once, with `key`.
static inline void msdk_poller_watch(int poller, int socket, uint64_t key) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.u64 = key};
  epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
}
static inline void msdk_poller_forget(int poller, int socket) {
  struct epoll_event event = {0};
  epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event);
}
/// Writes the keys of up to `count` ended sockets, at most 64, without waiting. Returns their number, or -1.
static inline int msdk_poller_ended(int poller, uint64_t *keys, int count) {
  struct epoll_event events[64];
  const int found = epoll_wait(poller, events, count < 64 ? count : 64, 0);
  for (int place = 0; place < found; place++) keys[place] = events[place].data.u64;
  return found;
}

/// Hides the query of a request's target from libmicrohttpd, which parses the query next, in this buffer of its own. It has
/// little memory for the parameters: version 0.9.75 never answers a request with about 500 of them.
static inline void msdk_mhd_hide_query(const char *target) {
  char *query = strchr((char *)target, '?');
  if (query != NULL) query[1] = 0;
}

// Swift cannot call variadic functions. These give the variadic ones of libmicrohttpd the arguments that msdk uses.

static inline struct MHD_Daemon *msdk_mhd_start(
    const struct sockaddr *address, unsigned int connection_limit, unsigned int idle_seconds,
    MHD_NotifyConnectionCallback connection_changed,
    void *(*started)(void *context, const char *target, struct MHD_Connection *), MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, void *context) {
  const unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                             (address->sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_CONNECTION_LIMIT,
      connection_limit, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_NOTIFY_CONNECTION,
      connection_changed, context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_URI_LOG_CALLBACK,
      started, context, MHD_OPTION_END);
}

/// 0 when the daemon has no port.
static inline uint16_t msdk_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

/// -1 when the connection has no socket.
static inline int msdk_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static inline const struct sockaddr *msdk_mhd_client(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}
