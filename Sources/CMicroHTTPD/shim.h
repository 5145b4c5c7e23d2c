#include <malloc.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/// Gives back to the system what was freed. Here, since bodies of requests take most memory and glibc's module lacks it.
static inline void msdk_return_free_memory(void) { malloc_trim(0); }
/// Lets all threads share one pool of memory.
static inline void msdk_share_free_memory(void) { mallopt(M_ARENA_MAX, 1); }

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
