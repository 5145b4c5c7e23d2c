/*
 * For programs written for libvcx: the same interface under its other name, with the names that
 * libvcx's own header declares beside the functions.
 *
 * States are numbers and not enumerations, so that callbacks that take them are those of msdk.h in
 * C++ too. vcx_proof_state_t has one value more than libvcx's header knew, VCX_PROOF_REJECTED, and
 * vcx_state_t two, VCX_STATE_REDIRECTED and VCX_STATE_REJECTED.
 */
#ifndef MSDK_VCX_H
#define MSDK_VCX_H

#include "msdk.h"

/* The states of connections, credentials and proofs. */
enum {
    none = VCX_STATE_NONE,
    initialized = VCX_STATE_INITIALIZED,
    offer_sent = VCX_STATE_OFFER_SENT,
    request_received = VCX_STATE_REQUEST_RECEIVED,
    accepted = VCX_STATE_ACCEPTED,
    unfulfilled = VCX_STATE_UNFULFILLED,
    expired = VCX_STATE_EXPIRED,
    revoked = VCX_STATE_REVOKED
};
typedef uint32_t vcx_state_t;

/* The states of a proof that was asked for. */
enum {
    undefined = VCX_PROOF_UNDEFINED,
    validated = VCX_PROOF_VERIFIED,
    invalid = VCX_PROOF_INVALID
};
typedef uint32_t vcx_proof_state_t;

typedef bool vcx_bool_t;
typedef int32_t vcx_i32_t;
typedef uint32_t vcx_u32_t;
typedef uint64_t vcx_u64_t;
typedef uint64_t vcx_price_t;
typedef uint32_t count_t;
typedef const uint8_t vcx_data_t;
typedef vcx_search_handle_t vcx_wallet_search_handle_t;

/* No function of the library takes or gives it. */
typedef struct {
    union {
        vcx_schema_handle_t schema_handle;
        vcx_credentialdef_handle_t credentialdef_handle;
        vcx_connection_handle_t connection_handle;
        vcx_credential_handle_t credential_handle;
        vcx_proof_handle_t proof_handle;
    } handle;
    vcx_error_t status;
    char *msg;
} vcx_status_t;

#endif
