#include <curl/curl.h>

/* Swift can neither name nor call a variadic function: one function for each type of argument. `set` is curl_easy_setopt, and
   `get` curl_easy_getinfo, as `dlsym` has found them. */

typedef CURLcode (*msdk_curl_setter)(CURL *handle, CURLoption option, ...);
typedef CURLcode (*msdk_curl_getter)(CURL *handle, CURLINFO info, ...);

static inline CURLcode msdk_curl_set_long(const void *set, CURL *handle, CURLoption option, long value) {
  return ((msdk_curl_setter)set)(handle, option, value);
}

static inline CURLcode msdk_curl_set_pointer(const void *set, CURL *handle, CURLoption option, const void *value) {
  return ((msdk_curl_setter)set)(handle, option, value);
}

static inline CURLcode msdk_curl_set_write(
    const void *set, CURL *handle, CURLoption option, curl_write_callback callback) {
  return ((msdk_curl_setter)set)(handle, option, callback);
}

static inline CURLcode msdk_curl_set_open_socket(const void *set, CURL *handle, curl_opensocket_callback callback) {
  return ((msdk_curl_setter)set)(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

/* libcurl keeps room there for the addresses of all families, more than the declared type has. */
static inline const void *msdk_curl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline CURLcode msdk_curl_get_long(const void *get, CURL *handle, CURLINFO info, long *value) {
  return ((msdk_curl_getter)get)(handle, info, value);
}

static inline CURLcode msdk_curl_get_off_t(const void *get, CURL *handle, CURLINFO info, curl_off_t *value) {
  return ((msdk_curl_getter)get)(handle, info, value);
}

static inline CURLcode msdk_curl_get_string(const void *get, CURL *handle, CURLINFO info, const char **value) {
  return ((msdk_curl_getter)get)(handle, info, value);
}

static inline CURLcode msdk_curl_get_socket(const void *get, CURL *handle, CURLINFO info, curl_socket_t *value) {
  return ((msdk_curl_getter)get)(handle, info, value);
}
