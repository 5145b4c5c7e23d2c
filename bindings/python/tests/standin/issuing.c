/* Issued credentials, with the handle 77. The test sets their states. */
#include "standin.h"

static uint32_t sent;

uint32_t standin_issued(void) { return sent; }

uint32_t vcx_credentialdef_release(uint32_t handle) { return vcx_connection_release(handle); }

uint32_t vcx_issuer_credential_release(uint32_t handle) { return vcx_connection_release(handle); }

uint32_t msdk_issuer_create_credential_with_options(uint32_t command, const char *source, uint32_t definition,
                                                    const char *values, const char *name, const char *options,
                                                    number_cb callback) {
  (void)source, (void)definition, (void)values, (void)name, (void)options;
  sent = 0;
  callback(command, 0, 77);
  return 0;
}

GIVES_STATE(vcx_issuer_credential_get_state, present_state)

uint32_t vcx_issuer_send_credential(uint32_t command, uint32_t handle, uint32_t connection, void_cb callback) {
  (void)handle, (void)connection;
  sent++;
  callback(command, 0);
  return 0;
}
