/* Preloaded: the program reaches this machine and no other, for any address that it connects to. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

/* For the program, to see that this is there. */
const int only_loopback = 1;

static bool is_here(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    return true;
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    if (!is_here(address)) {
        errno = ENETUNREACH;
        return -1;
    }
    int (*next)(int, const struct sockaddr *, socklen_t);
    *(void **)&next = dlsym(RTLD_NEXT, "connect");
    return next(socket, address, length);
}

/* Names are looked up nowhere. */
int getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
    struct addrinfo numeric;
    memset(&numeric, 0, sizeof numeric);
    if (hints) numeric = *hints;
    numeric.ai_flags |= AI_NUMERICHOST;
    return next(node, service, &numeric, result);
}
