/* Written by scripts/bindings from the Swift sources. */
enum { MOST_ARGUMENTS = 7 };

#include "calls.h"

static void on_done(vcx_command_handle_t call, vcx_error_t error) {
    msdk_answer(call, error, 0, NULL);
}

static void on_string(vcx_command_handle_t call, vcx_error_t error, const char *text) {
    msdk_answer(call, error, 1, (struct value[]){{.name = "text", .kind = TEXT, .data = text}});
}

static void on_number(vcx_command_handle_t call, vcx_error_t error, uint32_t number) {
    msdk_answer(call, error, 1, (struct value[]){{.name = "number", .kind = NUMBER, .number = number}});
}

static void on_search(vcx_command_handle_t call, vcx_error_t error, vcx_search_handle_t search_handle) {
    msdk_answer(call, error, 1, (struct value[]){{.name = "searchHandle", .kind = NUMBER, .number = search_handle}});
}

static void on_bool(vcx_command_handle_t call, vcx_error_t error, bool answer) {
    msdk_answer(call, error, 1, (struct value[]){{.name = "answer", .kind = BOOL, .number = answer}});
}

static void on_price(vcx_command_handle_t call, vcx_error_t error, uint64_t price) {
    msdk_answer(call, error, 1, (struct value[]){{.name = "price", .kind = BIG, .big = price}});
}

static void on_bytes(vcx_command_handle_t call, vcx_error_t error, const uint8_t *bytes, uint32_t length) {
    msdk_answer(call, error, 1, (struct value[]){{.name = "bytes", .kind = BYTES, .data = bytes, .length = length}});
}

static void on_number_string(vcx_command_handle_t call, vcx_error_t error, uint32_t number, const char *text) {
    msdk_answer(call, error, 2, (struct value[]){{.name = "number", .kind = NUMBER, .number = number}, {.name = "text", .kind = TEXT, .data = text}});
}

static void on_definition_transactions(vcx_command_handle_t call, vcx_error_t error, vcx_credentialdef_handle_t credentialdef_handle, const char *definition_transaction, const char *registry_transaction, const char *registry_entry_transaction) {
    msdk_answer(call, error, 4, (struct value[]){{.name = "credentialdefHandle", .kind = NUMBER, .number = credentialdef_handle}, {.name = "definitionTransaction", .kind = TEXT, .data = definition_transaction}, {.name = "registryTransaction", .kind = TEXT, .data = registry_transaction}, {.name = "registryEntryTransaction", .kind = TEXT, .data = registry_entry_transaction}});
}

static napi_value js_vcx_init_with_config(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return promised(&call, enlist(&call) ? vcx_init_with_config(call.handle, config, on_done) : 0);
}

static napi_value js_vcx_init(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config_path = take_text(&call, "configPath");
    return promised(&call, enlist(&call) ? vcx_init(call.handle, config_path, on_done) : 0);
}

static napi_value js_vcx_init_pool(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *pool_config = take_text(&call, "poolConfig");
    return promised(&call, enlist(&call) ? vcx_init_pool(call.handle, pool_config, on_done) : 0);
}

static napi_value js_vcx_shutdown(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    bool delete_wallet = take_bool(&call, "deleteWallet");
    return call.problem ? done(&call) : checked(&call, vcx_shutdown(delete_wallet));
}

static napi_value js_msdk_end_callbacks(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return call.problem ? done(&call) : checked(&call, msdk_end_callbacks());
}

static napi_value js_vcx_version(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return told(&call, call.problem ? NULL : vcx_version());
}

static napi_value js_vcx_error_c_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_error_t error_code = take_uint32(&call, "errorCode");
    return told(&call, call.problem ? NULL : vcx_error_c_message(error_code));
}

static napi_value js_msdk_state_name(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type = take_text(&call, "type");
    uint32_t state = take_uint32(&call, "state");
    return told(&call, call.problem ? NULL : msdk_state_name(type, state));
}

static napi_value js_msdk_call_timeout(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    uint32_t milliseconds = take_uint32(&call, "milliseconds");
    if (!call.problem) msdk_call_timeout(milliseconds);
    return done(&call);
}

static napi_value js_vcx_update_institution_info(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *name = take_text(&call, "name");
    const char *logo_url = take_text(&call, "logoUrl");
    return call.problem ? done(&call) : checked(&call, vcx_update_institution_info(name, logo_url));
}

static napi_value js_vcx_health_check(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return promised(&call, enlist(&call) ? vcx_health_check(call.handle, on_done) : 0);
}

static napi_value js_vcx_set_next_agency_response(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    uint32_t message_index = take_uint32(&call, "messageIndex");
    if (!call.problem) vcx_set_next_agency_response(message_index);
    return done(&call);
}

static napi_value js_msdk_agent_open(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return promised(&call, enlist(&call) ? msdk_agent_open(call.handle, config, on_number) : 0);
}

static napi_value js_msdk_agent_select(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    msdk_agent_handle_t agent_handle = take_uint32(&call, "agentHandle");
    return call.problem ? done(&call) : checked(&call, msdk_agent_select(agent_handle));
}

static napi_value js_msdk_agent_close(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    msdk_agent_handle_t agent_handle = take_uint32(&call, "agentHandle");
    return promised(&call, enlist(&call) ? msdk_agent_close(call.handle, agent_handle, on_done) : 0);
}

static napi_value js_vcx_init_minimal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return call.problem ? done(&call) : checked(&call, vcx_init_minimal(config));
}

static napi_value js_vcx_wallet_set_handle(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    int32_t handle = take_int32(&call, "handle");
    return call.problem ? done(&call) : checked(&call, vcx_wallet_set_handle(handle));
}

static napi_value js_vcx_pool_set_handle(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    int32_t handle = take_int32(&call, "handle");
    return call.problem ? done(&call) : checked(&call, vcx_pool_set_handle(handle));
}

static napi_value js_vcx_set_default_logger(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *pattern = take_text(&call, "pattern");
    return call.problem ? done(&call) : checked(&call, vcx_set_default_logger(pattern));
}

static napi_value js_vcx_set_log_max_lvl(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    uint32_t max_lvl = take_uint32(&call, "maxLvl");
    return call.problem ? done(&call) : checked(&call, vcx_set_log_max_lvl(max_lvl));
}

static napi_value js_vcx_provision_agent_with_token_async(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    const char *token = take_text(&call, "token");
    return promised(&call, enlist(&call) ? vcx_provision_agent_with_token_async(call.handle, config, token, on_string) : 0);
}

static napi_value js_vcx_agent_provision_async(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return promised(&call, enlist(&call) ? vcx_agent_provision_async(call.handle, config, on_string) : 0);
}

static napi_value js_vcx_get_provision_token(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return promised(&call, enlist(&call) ? vcx_get_provision_token(call.handle, config, on_string) : 0);
}

static napi_value js_vcx_agent_update_info(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *json = take_text(&call, "json");
    return promised(&call, enlist(&call) ? vcx_agent_update_info(call.handle, json, on_done) : 0);
}

static napi_value js_vcx_update_webhook_url(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *notification_webhook_url = take_text(&call, "notificationWebhookUrl");
    return promised(&call, enlist(&call) ? vcx_update_webhook_url(call.handle, notification_webhook_url, on_done) : 0);
}

static napi_value js_vcx_create_pairwise_agent(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return promised(&call, enlist(&call) ? vcx_create_pairwise_agent(call.handle, on_string) : 0);
}

static napi_value js_msdk_connection_accept(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *invitation = take_text(&call, "invitation");
    return promised(&call, enlist(&call) ? msdk_connection_accept(call.handle, source_id, invitation, on_number) : 0);
}

static napi_value js_vcx_connection_create_with_invite(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *invite_details = take_text(&call, "inviteDetails");
    return promised(&call, enlist(&call) ? vcx_connection_create_with_invite(call.handle, source_id, invite_details, on_number) : 0);
}

static napi_value js_vcx_create_connection_with_invite(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *invite_details = take_text(&call, "inviteDetails");
    return promised(&call, enlist(&call) ? vcx_create_connection_with_invite(call.handle, source_id, invite_details, on_number) : 0);
}

static napi_value js_vcx_connection_create_with_outofband_invitation(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *invite = take_text(&call, "invite");
    return promised(&call, enlist(&call) ? vcx_connection_create_with_outofband_invitation(call.handle, source_id, invite, on_number) : 0);
}

static napi_value js_vcx_connection_accept_connection_invite(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *invite_details = take_text(&call, "inviteDetails");
    const char *connection_options = take_text(&call, "connectionOptions");
    return promised(&call, enlist(&call) ? vcx_connection_accept_connection_invite(call.handle, source_id, invite_details, connection_options, on_number_string) : 0);
}

static napi_value js_vcx_connection_create(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    return promised(&call, enlist(&call) ? vcx_connection_create(call.handle, source_id, on_number) : 0);
}

static napi_value js_msdk_public_did_listen(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    return promised(&call, enlist(&call) ? msdk_public_did_listen(call.handle, source_id, on_number) : 0);
}

static napi_value js_vcx_connection_create_outofband(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *goal_code = take_text(&call, "goalCode");
    const char *goal = take_text(&call, "goal");
    bool handshake = take_bool(&call, "handshake");
    const char *request_attach = take_text(&call, "requestAttach");
    return promised(&call, enlist(&call) ? vcx_connection_create_outofband(call.handle, source_id, goal_code, goal, handshake, request_attach, on_number) : 0);
}

static napi_value js_vcx_connection_connect(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *connection_options = take_text(&call, "connectionOptions");
    return promised(&call, enlist(&call) ? vcx_connection_connect(call.handle, connection_handle, connection_options, on_string) : 0);
}

static napi_value js_vcx_connection_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_update_state(call.handle, connection_handle, on_number) : 0);
}

static napi_value js_vcx_connection_update_state_with_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_connection_update_state_with_message(call.handle, connection_handle, message, on_number) : 0);
}

static napi_value js_vcx_connection_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_get_state(call.handle, connection_handle, on_number) : 0);
}

static napi_value js_vcx_connection_invite_details(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    bool abbreviated = take_bool(&call, "abbreviated");
    return promised(&call, enlist(&call) ? vcx_connection_invite_details(call.handle, connection_handle, abbreviated, on_string) : 0);
}

static napi_value js_vcx_connection_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_serialize(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_vcx_connection_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *connection_data = take_text(&call, "connectionData");
    return promised(&call, enlist(&call) ? vcx_connection_deserialize(call.handle, connection_data, on_number) : 0);
}

static napi_value js_vcx_connection_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return call.problem ? done(&call) : checked(&call, vcx_connection_release(connection_handle));
}

static napi_value js_vcx_connection_delete_connection(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_delete_connection(call.handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_connection_info(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_info(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_vcx_connection_get_pw_did(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_get_pw_did(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_vcx_connection_get_their_pw_did(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_get_their_pw_did(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_msdk_connection_find_existing(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *invitation = take_text(&call, "invitation");
    const char *connections = take_text(&call, "connections");
    return promised(&call, enlist(&call) ? msdk_connection_find_existing(call.handle, invitation, connections, on_string) : 0);
}

static napi_value js_vcx_connection_send_reuse(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *invite = take_text(&call, "invite");
    return promised(&call, enlist(&call) ? vcx_connection_send_reuse(call.handle, connection_handle, invite, on_done) : 0);
}

static napi_value js_vcx_connection_send_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *msg = take_text(&call, "msg");
    const char *send_msg_options = take_text(&call, "sendMsgOptions");
    return promised(&call, enlist(&call) ? vcx_connection_send_message(call.handle, connection_handle, msg, send_msg_options, on_string) : 0);
}

static napi_value js_vcx_connection_send_ping(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *comment = take_text(&call, "comment");
    return promised(&call, enlist(&call) ? vcx_connection_send_ping(call.handle, connection_handle, comment, on_done) : 0);
}

static napi_value js_vcx_connection_send_discovery_features(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *query = take_text(&call, "query");
    const char *comment = take_text(&call, "comment");
    return promised(&call, enlist(&call) ? vcx_connection_send_discovery_features(call.handle, connection_handle, query, comment, on_done) : 0);
}

static napi_value js_vcx_connection_sign_data(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    uint32_t data_raw_length = 0;
    const uint8_t *data_raw = take_bytes(&call, "dataRaw", &data_raw_length);
    return promised(&call, enlist(&call) ? vcx_connection_sign_data(call.handle, connection_handle, data_raw, data_raw_length, on_bytes) : 0);
}

static napi_value js_vcx_connection_verify_signature(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    uint32_t data_raw_length = 0;
    const uint8_t *data_raw = take_bytes(&call, "dataRaw", &data_raw_length);
    uint32_t signature_raw_length = 0;
    const uint8_t *signature_raw = take_bytes(&call, "signatureRaw", &signature_raw_length);
    return promised(&call, enlist(&call) ? vcx_connection_verify_signature(call.handle, connection_handle, data_raw, data_raw_length, signature_raw, signature_raw_length, on_bool) : 0);
}

static napi_value js_vcx_connection_get_problem_report(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_get_problem_report(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_vcx_connection_send_answer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *question = take_text(&call, "question");
    const char *answer = take_text(&call, "answer");
    return promised(&call, enlist(&call) ? vcx_connection_send_answer(call.handle, connection_handle, question, answer, on_done) : 0);
}

static napi_value js_vcx_connection_send_invite_action(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *data = take_text(&call, "data");
    return promised(&call, enlist(&call) ? vcx_connection_send_invite_action(call.handle, connection_handle, data, on_string) : 0);
}

static napi_value js_vcx_connection_need_upgrade(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *serialized = take_text(&call, "serialized");
    return promised(&call, enlist(&call) ? vcx_connection_need_upgrade(call.handle, serialized, on_bool) : 0);
}

static napi_value js_vcx_connection_upgrade(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *data = take_text(&call, "data");
    return promised(&call, enlist(&call) ? vcx_connection_upgrade(call.handle, connection_handle, data, on_string) : 0);
}

static napi_value js_vcx_connection_redirect(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    vcx_connection_handle_t redirect_connection_handle = take_uint32(&call, "redirectConnectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_redirect(call.handle, connection_handle, redirect_connection_handle, on_done) : 0);
}

static napi_value js_vcx_connection_get_redirect_details(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_connection_get_redirect_details(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_msdk_objects_list(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *query_json = take_text(&call, "queryJson");
    return promised(&call, enlist(&call) ? msdk_objects_list(call.handle, query_json, on_string) : 0);
}

static napi_value js_msdk_object_open(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *object_id = take_text(&call, "objectId");
    return promised(&call, enlist(&call) ? msdk_object_open(call.handle, object_id, on_number_string) : 0);
}

static napi_value js_msdk_object_delete(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *object_id = take_text(&call, "objectId");
    return promised(&call, enlist(&call) ? msdk_object_delete(call.handle, object_id, on_done) : 0);
}

static napi_value js_vcx_messages_download(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *message_status = take_text(&call, "messageStatus");
    const char *uids = take_text(&call, "uids");
    const char *pw_dids = take_text(&call, "pwDids");
    return promised(&call, enlist(&call) ? vcx_messages_download(call.handle, message_status, uids, pw_dids, on_string) : 0);
}

static napi_value js_vcx_messages_update_status(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *message_status = take_text(&call, "messageStatus");
    const char *msg_json = take_text(&call, "msgJson");
    return promised(&call, enlist(&call) ? vcx_messages_update_status(call.handle, message_status, msg_json, on_done) : 0);
}

static napi_value js_vcx_download_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *uid = take_text(&call, "uid");
    return promised(&call, enlist(&call) ? vcx_download_message(call.handle, uid, on_string) : 0);
}

static napi_value js_msdk_messages_subscribe(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    napi_value receive = take_function(&call, "receive");
    return subscribed(&call, list_receiver(&call, receive) ? msdk_messages_subscribe(call.handle, on_string) : 0);
}

static napi_value js_msdk_messages_unsubscribe(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_command_handle_t subscription = take_uint32(&call, "subscription");
    vcx_error_t error = call.problem ? 0 : msdk_messages_unsubscribe(subscription);
    end_subscription(&call, subscription);
    return checked(&call, error);
}

static napi_value js_vcx_download_agent_messages(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *message_status = take_text(&call, "messageStatus");
    const char *uids = take_text(&call, "uids");
    return promised(&call, enlist(&call) ? vcx_download_agent_messages(call.handle, message_status, uids, on_string) : 0);
}

static napi_value js_msdk_parse_push(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *payload = take_text(&call, "payload");
    return promised(&call, enlist(&call) ? msdk_parse_push(call.handle, payload, on_string) : 0);
}

static napi_value js_vcx_resolve_message_by_url(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *url = take_text(&call, "url");
    return promised(&call, enlist(&call) ? vcx_resolve_message_by_url(call.handle, url, on_string) : 0);
}

static napi_value js_vcx_extract_attached_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_extract_attached_message(call.handle, message, on_string) : 0);
}

static napi_value js_vcx_extract_thread_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_extract_thread_id(call.handle, message, on_string) : 0);
}

static napi_value js_vcx_wallet_add_record(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    const char *value = take_text(&call, "value");
    const char *tags_json = take_text(&call, "tagsJson");
    return promised(&call, enlist(&call) ? vcx_wallet_add_record(call.handle, type_, id, value, tags_json, on_done) : 0);
}

static napi_value js_vcx_wallet_update_record_value(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    const char *value = take_text(&call, "value");
    return promised(&call, enlist(&call) ? vcx_wallet_update_record_value(call.handle, type_, id, value, on_done) : 0);
}

static napi_value js_vcx_wallet_update_record_tags(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    const char *tags = take_text(&call, "tags");
    return promised(&call, enlist(&call) ? vcx_wallet_update_record_tags(call.handle, type_, id, tags, on_done) : 0);
}

static napi_value js_vcx_wallet_add_record_tags(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    const char *tags = take_text(&call, "tags");
    return promised(&call, enlist(&call) ? vcx_wallet_add_record_tags(call.handle, type_, id, tags, on_done) : 0);
}

static napi_value js_vcx_wallet_delete_record_tags(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    const char *tags = take_text(&call, "tags");
    return promised(&call, enlist(&call) ? vcx_wallet_delete_record_tags(call.handle, type_, id, tags, on_done) : 0);
}

static napi_value js_vcx_wallet_get_record(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    const char *options_json = take_text(&call, "optionsJson");
    return promised(&call, enlist(&call) ? vcx_wallet_get_record(call.handle, type_, id, options_json, on_string) : 0);
}

static napi_value js_vcx_wallet_delete_record(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *id = take_text(&call, "id");
    return promised(&call, enlist(&call) ? vcx_wallet_delete_record(call.handle, type_, id, on_done) : 0);
}

static napi_value js_vcx_wallet_open_search(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *type_ = take_text(&call, "type");
    const char *query_json = take_text(&call, "queryJson");
    const char *options_json = take_text(&call, "optionsJson");
    return promised(&call, enlist(&call) ? vcx_wallet_open_search(call.handle, type_, query_json, options_json, on_search) : 0);
}

static napi_value js_vcx_wallet_search_next_records(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_search_handle_t wallet_search_handle = take_int32(&call, "walletSearchHandle");
    size_t count = take_size(&call, "count");
    return promised(&call, enlist(&call) ? vcx_wallet_search_next_records(call.handle, wallet_search_handle, count, on_string) : 0);
}

static napi_value js_vcx_wallet_close_search(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_search_handle_t search_handle = take_int32(&call, "searchHandle");
    return promised(&call, enlist(&call) ? vcx_wallet_close_search(call.handle, search_handle, on_done) : 0);
}

static napi_value js_msdk_wallet_rekey(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *new_key = take_text(&call, "newKey");
    const char *derivation = take_text(&call, "derivation");
    return promised(&call, enlist(&call) ? msdk_wallet_rekey(call.handle, new_key, derivation, on_done) : 0);
}

static napi_value js_vcx_wallet_export(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *path = take_text(&call, "path");
    const char *backup_key = take_text(&call, "backupKey");
    return promised(&call, enlist(&call) ? vcx_wallet_export(call.handle, path, backup_key, on_done) : 0);
}

static napi_value js_vcx_wallet_import(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return promised(&call, enlist(&call) ? vcx_wallet_import(call.handle, config, on_done) : 0);
}

static napi_value js_vcx_wallet_backup_create(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *wallet_encryption_key = take_text(&call, "walletEncryptionKey");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_create(call.handle, source_id, wallet_encryption_key, on_number) : 0);
}

static napi_value js_vcx_wallet_backup_backup(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_wallet_backup_handle_t wallet_backup_handle = take_uint32(&call, "walletBackupHandle");
    const char *path = take_text(&call, "path");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_backup(call.handle, wallet_backup_handle, path, on_done) : 0);
}

static napi_value js_vcx_wallet_backup_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_wallet_backup_handle_t wallet_backup_handle = take_uint32(&call, "walletBackupHandle");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_update_state(call.handle, wallet_backup_handle, on_number) : 0);
}

static napi_value js_vcx_wallet_backup_update_state_with_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_wallet_backup_handle_t wallet_backup_handle = take_uint32(&call, "walletBackupHandle");
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_update_state_with_message(call.handle, wallet_backup_handle, message, on_number) : 0);
}

static napi_value js_vcx_wallet_backup_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_wallet_backup_handle_t wallet_backup_handle = take_uint32(&call, "walletBackupHandle");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_serialize(call.handle, wallet_backup_handle, on_string) : 0);
}

static napi_value js_vcx_wallet_backup_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *wallet_backup_str = take_text(&call, "walletBackupStr");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_deserialize(call.handle, wallet_backup_str, on_number) : 0);
}

static napi_value js_vcx_wallet_backup_restore(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *config = take_text(&call, "config");
    return promised(&call, enlist(&call) ? vcx_wallet_backup_restore(call.handle, config, on_done) : 0);
}

static napi_value js_vcx_credential_create_with_offer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *offer = take_text(&call, "offer");
    return promised(&call, enlist(&call) ? vcx_credential_create_with_offer(call.handle, source_id, offer, on_number) : 0);
}

static napi_value js_vcx_credential_create_with_msgid(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *msg_id = take_text(&call, "msgId");
    return promised(&call, enlist(&call) ? vcx_credential_create_with_msgid(call.handle, source_id, connection_handle, msg_id, on_number_string) : 0);
}

static napi_value js_vcx_credential_accept_credential_offer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *offer = take_text(&call, "offer");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_credential_accept_credential_offer(call.handle, source_id, offer, connection_handle, on_number_string) : 0);
}

static napi_value js_vcx_credential_send_request(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    vcx_payment_handle_t payment_handle = take_uint32(&call, "paymentHandle");
    return promised(&call, enlist(&call) ? vcx_credential_send_request(call.handle, credential_handle, connection_handle, payment_handle, on_done) : 0);
}

static napi_value js_vcx_credential_get_request_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    const char *my_pw_did = take_text(&call, "myPwDid");
    const char *their_pw_did = take_text(&call, "theirPwDid");
    vcx_payment_handle_t payment_handle = take_uint32(&call, "paymentHandle");
    return promised(&call, enlist(&call) ? vcx_credential_get_request_msg(call.handle, credential_handle, my_pw_did, their_pw_did, payment_handle, on_string) : 0);
}

static napi_value js_vcx_credential_get_offers(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_credential_get_offers(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_vcx_credential_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_credential_update_state(call.handle, credential_handle, on_number) : 0);
}

static napi_value js_vcx_credential_update_state_with_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_credential_update_state_with_message(call.handle, credential_handle, message, on_number) : 0);
}

static napi_value js_vcx_credential_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t handle = take_uint32(&call, "handle");
    return promised(&call, enlist(&call) ? vcx_credential_get_state(call.handle, handle, on_number) : 0);
}

static napi_value js_vcx_credential_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t handle = take_uint32(&call, "handle");
    return promised(&call, enlist(&call) ? vcx_credential_serialize(call.handle, handle, on_string) : 0);
}

static napi_value js_vcx_credential_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *credential_data = take_text(&call, "credentialData");
    return promised(&call, enlist(&call) ? vcx_credential_deserialize(call.handle, credential_data, on_number) : 0);
}

static napi_value js_vcx_credential_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t handle = take_uint32(&call, "handle");
    return call.problem ? done(&call) : checked(&call, vcx_credential_release(handle));
}

static napi_value js_vcx_credential_reject(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *comment = take_text(&call, "comment");
    return promised(&call, enlist(&call) ? vcx_credential_reject(call.handle, credential_handle, connection_handle, comment, on_done) : 0);
}

static napi_value js_vcx_credential_parse_offer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *offer = take_text(&call, "offer");
    return promised(&call, enlist(&call) ? vcx_credential_parse_offer(call.handle, offer, on_string) : 0);
}

static napi_value js_vcx_credential_get_problem_report(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_credential_get_problem_report(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_msdk_credential_create_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *proposal = take_text(&call, "proposal");
    const char *comment = take_text(&call, "comment");
    const char *options = take_text(&call, "options");
    return promised(&call, enlist(&call) ? msdk_credential_create_proposal(call.handle, source_id, proposal, comment, options, on_number) : 0);
}

static napi_value js_msdk_credential_send_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? msdk_credential_send_proposal(call.handle, credential_handle, connection_handle, on_done) : 0);
}

static napi_value js_msdk_credential_propose_instead(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *proposal = take_text(&call, "proposal");
    const char *comment = take_text(&call, "comment");
    return promised(&call, enlist(&call) ? msdk_credential_propose_instead(call.handle, credential_handle, connection_handle, proposal, comment, on_done) : 0);
}

static napi_value js_msdk_credential_get_offer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? msdk_credential_get_offer(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_get_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_get_credential(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_delete_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_delete_credential(call.handle, credential_handle, on_done) : 0);
}

static napi_value js_vcx_credential_get_presentation_proposal_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_credential_get_presentation_proposal_msg(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_credential_get_info(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_credential_get_info(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_msdk_credential_is_revoked(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? msdk_credential_is_revoked(call.handle, credential_handle, on_bool) : 0);
}

static napi_value js_vcx_fetch_public_entities(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return promised(&call, enlist(&call) ? vcx_fetch_public_entities(call.handle, on_done) : 0);
}

static napi_value js_msdk_credentials_open_search(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *query_json = take_text(&call, "queryJson");
    return promised(&call, enlist(&call) ? msdk_credentials_open_search(call.handle, query_json, on_search) : 0);
}

static napi_value js_msdk_credentials_search_next(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_search_handle_t search_handle = take_int32(&call, "searchHandle");
    size_t count = take_size(&call, "count");
    return promised(&call, enlist(&call) ? msdk_credentials_search_next(call.handle, search_handle, count, on_string) : 0);
}

static napi_value js_msdk_credentials_close_search(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_search_handle_t search_handle = take_int32(&call, "searchHandle");
    return promised(&call, enlist(&call) ? msdk_credentials_close_search(call.handle, search_handle, on_done) : 0);
}

static napi_value js_msdk_credentials_get(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *id = take_text(&call, "id");
    return promised(&call, enlist(&call) ? msdk_credentials_get(call.handle, id, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_parse_request(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *request = take_text(&call, "request");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_parse_request(call.handle, request, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_create_with_request(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *proof_req = take_text(&call, "proofReq");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_create_with_request(call.handle, source_id, proof_req, on_number) : 0);
}

static napi_value js_vcx_disclosed_proof_create_with_msgid(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *msg_id = take_text(&call, "msgId");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_create_with_msgid(call.handle, source_id, connection_handle, msg_id, on_number_string) : 0);
}

static napi_value js_vcx_disclosed_proof_create_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *proposal = take_text(&call, "proposal");
    const char *comment = take_text(&call, "comment");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_create_proposal(call.handle, source_id, proposal, comment, on_number) : 0);
}

static napi_value js_msdk_disclosed_proof_create_proposal_with_options(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *proposal = take_text(&call, "proposal");
    const char *comment = take_text(&call, "comment");
    const char *options = take_text(&call, "options");
    return promised(&call, enlist(&call) ? msdk_disclosed_proof_create_proposal_with_options(call.handle, source_id, proposal, comment, options, on_number) : 0);
}

static napi_value js_vcx_disclosed_proof_retrieve_credentials(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_retrieve_credentials(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_msdk_disclosed_proof_describe_request(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? msdk_disclosed_proof_describe_request(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_get_requests(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_get_requests(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_generate_proof(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    const char *selected_credentials = take_text(&call, "selectedCredentials");
    const char *self_attested_attrs = take_text(&call, "selfAttestedAttrs");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_generate_proof(call.handle, proof_handle, selected_credentials, self_attested_attrs, on_done) : 0);
}

static napi_value js_vcx_disclosed_proof_send_proof(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_send_proof(call.handle, proof_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_disclosed_proof_send_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_send_proposal(call.handle, proof_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_disclosed_proof_reject_proof(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_reject_proof(call.handle, proof_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_disclosed_proof_decline_presentation_request(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *reason = take_text(&call, "reason");
    const char *proposal = take_text(&call, "proposal");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_decline_presentation_request(call.handle, proof_handle, connection_handle, reason, proposal, on_done) : 0);
}

static napi_value js_vcx_disclosed_proof_get_proof_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_get_proof_msg(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_get_reject_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_get_reject_msg(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_get_state(call.handle, proof_handle, on_number) : 0);
}

static napi_value js_vcx_disclosed_proof_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_update_state(call.handle, proof_handle, on_number) : 0);
}

static napi_value js_vcx_disclosed_proof_update_state_with_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_update_state_with_message(call.handle, proof_handle, message, on_number) : 0);
}

static napi_value js_vcx_disclosed_proof_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_serialize(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *proof_data = take_text(&call, "proofData");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_deserialize(call.handle, proof_data, on_number) : 0);
}

static napi_value js_vcx_disclosed_proof_get_problem_report(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_disclosed_proof_get_problem_report(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_disclosed_proof_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t handle = take_uint32(&call, "handle");
    return call.problem ? done(&call) : checked(&call, vcx_disclosed_proof_release(handle));
}

static napi_value js_vcx_issuer_create_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    vcx_credentialdef_handle_t cred_def_handle = take_uint32(&call, "credDefHandle");
    const char *issuer_did = take_text(&call, "issuerDid");
    const char *credential_data = take_text(&call, "credentialData");
    const char *credential_name = take_text(&call, "credentialName");
    const char *price = take_text(&call, "price");
    return promised(&call, enlist(&call) ? vcx_issuer_create_credential(call.handle, source_id, cred_def_handle, issuer_did, credential_data, credential_name, price, on_number) : 0);
}

static napi_value js_vcx_issuer_send_credential_offer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_send_credential_offer(call.handle, credential_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_issuer_get_credential_offer_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_get_credential_offer_msg(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_issuer_send_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_send_credential(call.handle, credential_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_issuer_get_credential_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    const char *my_pw_did = take_text(&call, "myPwDid");
    return promised(&call, enlist(&call) ? vcx_issuer_get_credential_msg(call.handle, credential_handle, my_pw_did, on_string) : 0);
}

static napi_value js_vcx_issuer_credential_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_update_state(call.handle, credential_handle, on_number) : 0);
}

static napi_value js_vcx_issuer_credential_update_state_with_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_update_state_with_message(call.handle, credential_handle, message, on_number) : 0);
}

static napi_value js_vcx_issuer_credential_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_get_state(call.handle, credential_handle, on_number) : 0);
}

static napi_value js_vcx_issuer_credential_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_serialize(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_issuer_credential_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *credential_data = take_text(&call, "credentialData");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_deserialize(call.handle, credential_data, on_number) : 0);
}

static napi_value js_vcx_issuer_credential_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return call.problem ? done(&call) : checked(&call, vcx_issuer_credential_release(credential_handle));
}

static napi_value js_msdk_issuer_credential_get_place(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? msdk_issuer_credential_get_place(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_issuer_revoke_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_revoke_credential(call.handle, credential_handle, on_done) : 0);
}

static napi_value js_vcx_issuer_credential_get_problem_report(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_get_problem_report(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_issuer_accept_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return call.problem ? done(&call) : checked(&call, vcx_issuer_accept_credential(credential_handle));
}

static napi_value js_vcx_issuer_terminate_credential(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    uint32_t termination_type = take_uint32(&call, "terminationType");
    const char *msg = take_text(&call, "msg");
    return call.problem ? done(&call) : checked(&call, vcx_issuer_terminate_credential(credential_handle, termination_type, msg));
}

static napi_value js_msdk_issuer_credential_create_with_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *proposal = take_text(&call, "proposal");
    return promised(&call, enlist(&call) ? msdk_issuer_credential_create_with_proposal(call.handle, source_id, proposal, on_number) : 0);
}

static napi_value js_msdk_issuer_credential_get_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? msdk_issuer_credential_get_proposal(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_msdk_issuer_credential_plan_offer(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_credentialdef_handle_t cred_def_handle = take_uint32(&call, "credDefHandle");
    const char *credential_data = take_text(&call, "credentialData");
    const char *credential_name = take_text(&call, "credentialName");
    return promised(&call, enlist(&call) ? msdk_issuer_credential_plan_offer(call.handle, credential_handle, cred_def_handle, credential_data, credential_name, on_done) : 0);
}

static napi_value js_msdk_issuer_credential_decline_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *reason = take_text(&call, "reason");
    return promised(&call, enlist(&call) ? msdk_issuer_credential_decline_proposal(call.handle, credential_handle, connection_handle, reason, on_done) : 0);
}

static napi_value js_msdk_issuer_create_credential_with_options(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    vcx_credentialdef_handle_t cred_def_handle = take_uint32(&call, "credDefHandle");
    const char *credential_data = take_text(&call, "credentialData");
    const char *credential_name = take_text(&call, "credentialName");
    const char *options = take_text(&call, "options");
    return promised(&call, enlist(&call) ? msdk_issuer_create_credential_with_options(call.handle, source_id, cred_def_handle, credential_data, credential_name, options, on_number) : 0);
}

static napi_value js_vcx_proof_create(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *requested_attrs = take_text(&call, "requestedAttrs");
    const char *requested_predicates = take_text(&call, "requestedPredicates");
    const char *revocation_interval = take_text(&call, "revocationInterval");
    const char *name = take_text(&call, "name");
    return promised(&call, enlist(&call) ? vcx_proof_create(call.handle, source_id, requested_attrs, requested_predicates, revocation_interval, name, on_number) : 0);
}

static napi_value js_msdk_proof_create_with_options(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *requested_attrs = take_text(&call, "requestedAttrs");
    const char *requested_predicates = take_text(&call, "requestedPredicates");
    const char *revocation_interval = take_text(&call, "revocationInterval");
    const char *name = take_text(&call, "name");
    const char *options = take_text(&call, "options");
    return promised(&call, enlist(&call) ? msdk_proof_create_with_options(call.handle, source_id, requested_attrs, requested_predicates, revocation_interval, name, options, on_number) : 0);
}

static napi_value js_vcx_proof_create_with_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *presentation_proposal = take_text(&call, "presentationProposal");
    const char *name = take_text(&call, "name");
    return promised(&call, enlist(&call) ? vcx_proof_create_with_proposal(call.handle, source_id, presentation_proposal, name, on_number) : 0);
}

static napi_value js_vcx_proof_send_request(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_proof_send_request(call.handle, proof_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_proof_request_proof(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *requested_attrs = take_text(&call, "requestedAttrs");
    const char *requested_predicates = take_text(&call, "requestedPredicates");
    const char *revocation_interval = take_text(&call, "revocationInterval");
    const char *name = take_text(&call, "name");
    return promised(&call, enlist(&call) ? vcx_proof_request_proof(call.handle, proof_handle, connection_handle, requested_attrs, requested_predicates, revocation_interval, name, on_done) : 0);
}

static napi_value js_msdk_proof_decline_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    const char *reason = take_text(&call, "reason");
    return promised(&call, enlist(&call) ? msdk_proof_decline_proposal(call.handle, proof_handle, connection_handle, reason, on_done) : 0);
}

static napi_value js_vcx_proof_set_connection(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? vcx_proof_set_connection(call.handle, proof_handle, connection_handle, on_done) : 0);
}

static napi_value js_vcx_proof_get_request_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_proof_get_request_msg(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_proof_get_request_attach(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_proof_get_request_attach(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_get_proof_proposal(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_get_proof_proposal(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_get_proof(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    vcx_connection_handle_t unused_connection_handle = take_uint32(&call, "unusedConnectionHandle");
    return promised(&call, enlist(&call) ? vcx_get_proof(call.handle, proof_handle, unused_connection_handle, on_number_string) : 0);
}

static napi_value js_vcx_get_proof_msg(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_get_proof_msg(call.handle, proof_handle, on_number_string) : 0);
}

static napi_value js_msdk_proof_content(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? msdk_proof_content(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_msdk_proof_explain(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? msdk_proof_explain(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_proof_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_proof_update_state(call.handle, proof_handle, on_number) : 0);
}

static napi_value js_vcx_proof_update_state_with_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    const char *message = take_text(&call, "message");
    return promised(&call, enlist(&call) ? vcx_proof_update_state_with_message(call.handle, proof_handle, message, on_number) : 0);
}

static napi_value js_vcx_proof_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_proof_get_state(call.handle, proof_handle, on_number) : 0);
}

static napi_value js_vcx_proof_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_proof_serialize(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_proof_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *proof_data = take_text(&call, "proofData");
    return promised(&call, enlist(&call) ? vcx_proof_deserialize(call.handle, proof_data, on_number) : 0);
}

static napi_value js_vcx_proof_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return call.problem ? done(&call) : checked(&call, vcx_proof_release(proof_handle));
}

static napi_value js_vcx_proof_get_problem_report(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? vcx_proof_get_problem_report(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_proof_accepted(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    const char *response_data = take_text(&call, "responseData");
    return call.problem ? done(&call) : checked(&call, vcx_proof_accepted(proof_handle, response_data));
}

static napi_value js_vcx_schema_create(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *schema_name = take_text(&call, "schemaName");
    const char *version = take_text(&call, "version");
    const char *schema_data = take_text(&call, "schemaData");
    vcx_payment_handle_t payment_handle = take_uint32(&call, "paymentHandle");
    return promised(&call, enlist(&call) ? vcx_schema_create(call.handle, source_id, schema_name, version, schema_data, payment_handle, on_number) : 0);
}

static napi_value js_vcx_schema_prepare_for_endorser(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *schema_name = take_text(&call, "schemaName");
    const char *version = take_text(&call, "version");
    const char *schema_data = take_text(&call, "schemaData");
    const char *endorser = take_text(&call, "endorser");
    return promised(&call, enlist(&call) ? vcx_schema_prepare_for_endorser(call.handle, source_id, schema_name, version, schema_data, endorser, on_number_string) : 0);
}

static napi_value js_vcx_schema_get_attributes(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *schema_id = take_text(&call, "schemaId");
    return promised(&call, enlist(&call) ? vcx_schema_get_attributes(call.handle, source_id, schema_id, on_number_string) : 0);
}

static napi_value js_vcx_schema_get_schema_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_schema_handle_t schema_handle = take_uint32(&call, "schemaHandle");
    return promised(&call, enlist(&call) ? vcx_schema_get_schema_id(call.handle, schema_handle, on_string) : 0);
}

static napi_value js_vcx_schema_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_schema_handle_t schema_handle = take_uint32(&call, "schemaHandle");
    return promised(&call, enlist(&call) ? vcx_schema_serialize(call.handle, schema_handle, on_string) : 0);
}

static napi_value js_vcx_schema_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *schema_data = take_text(&call, "schemaData");
    return promised(&call, enlist(&call) ? vcx_schema_deserialize(call.handle, schema_data, on_number) : 0);
}

static napi_value js_vcx_schema_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_schema_handle_t schema_handle = take_uint32(&call, "schemaHandle");
    return call.problem ? done(&call) : checked(&call, vcx_schema_release(schema_handle));
}

static napi_value js_vcx_schema_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_schema_handle_t schema_handle = take_uint32(&call, "schemaHandle");
    return promised(&call, enlist(&call) ? vcx_schema_update_state(call.handle, schema_handle, on_number) : 0);
}

static napi_value js_vcx_schema_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_schema_handle_t schema_handle = take_uint32(&call, "schemaHandle");
    return promised(&call, enlist(&call) ? vcx_schema_get_state(call.handle, schema_handle, on_number) : 0);
}

static napi_value js_vcx_credentialdef_create(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *credentialdef_name = take_text(&call, "credentialdefName");
    const char *schema_id = take_text(&call, "schemaId");
    const char *issuer_did = take_text(&call, "issuerDid");
    const char *tag = take_text(&call, "tag");
    const char *revocation_details = take_text(&call, "revocationDetails");
    vcx_payment_handle_t payment_handle = take_uint32(&call, "paymentHandle");
    return promised(&call, enlist(&call) ? vcx_credentialdef_create(call.handle, source_id, credentialdef_name, schema_id, issuer_did, tag, revocation_details, payment_handle, on_number) : 0);
}

static napi_value js_vcx_credentialdef_create_with_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *cred_def_id = take_text(&call, "credDefId");
    const char *issuer_did = take_text(&call, "issuerDid");
    const char *revocation_config = take_text(&call, "revocationConfig");
    return promised(&call, enlist(&call) ? vcx_credentialdef_create_with_id(call.handle, source_id, cred_def_id, issuer_did, revocation_config, on_number) : 0);
}

static napi_value js_vcx_credentialdef_prepare_for_endorser(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *source_id = take_text(&call, "sourceId");
    const char *credentialdef_name = take_text(&call, "credentialdefName");
    const char *schema_id = take_text(&call, "schemaId");
    const char *issuer_did = take_text(&call, "issuerDid");
    const char *tag = take_text(&call, "tag");
    const char *revocation_details = take_text(&call, "revocationDetails");
    const char *endorser = take_text(&call, "endorser");
    return promised(&call, enlist(&call) ? vcx_credentialdef_prepare_for_endorser(call.handle, source_id, credentialdef_name, schema_id, issuer_did, tag, revocation_details, endorser, on_definition_transactions) : 0);
}

static napi_value js_vcx_credentialdef_get_cred_def_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credentialdef_handle_t cred_def_handle = take_uint32(&call, "credDefHandle");
    return promised(&call, enlist(&call) ? vcx_credentialdef_get_cred_def_id(call.handle, cred_def_handle, on_string) : 0);
}

static napi_value js_vcx_credentialdef_serialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credentialdef_handle_t credentialdef_handle = take_uint32(&call, "credentialdefHandle");
    return promised(&call, enlist(&call) ? vcx_credentialdef_serialize(call.handle, credentialdef_handle, on_string) : 0);
}

static napi_value js_vcx_credentialdef_deserialize(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *credentialdef_data = take_text(&call, "credentialdefData");
    return promised(&call, enlist(&call) ? vcx_credentialdef_deserialize(call.handle, credentialdef_data, on_number) : 0);
}

static napi_value js_vcx_credentialdef_release(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credentialdef_handle_t credentialdef_handle = take_uint32(&call, "credentialdefHandle");
    return call.problem ? done(&call) : checked(&call, vcx_credentialdef_release(credentialdef_handle));
}

static napi_value js_vcx_credentialdef_update_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credentialdef_handle_t credentialdef_handle = take_uint32(&call, "credentialdefHandle");
    return promised(&call, enlist(&call) ? vcx_credentialdef_update_state(call.handle, credentialdef_handle, on_number) : 0);
}

static napi_value js_vcx_credentialdef_get_state(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credentialdef_handle_t credentialdef_handle = take_uint32(&call, "credentialdefHandle");
    return promised(&call, enlist(&call) ? vcx_credentialdef_get_state(call.handle, credentialdef_handle, on_number) : 0);
}

static napi_value js_msdk_webvh_create(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *place = take_text(&call, "place");
    const char *options = take_text(&call, "options");
    return promised(&call, enlist(&call) ? msdk_webvh_create(call.handle, place, options, on_string) : 0);
}

static napi_value js_msdk_webvh_update(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *did = take_text(&call, "did");
    const char *changes = take_text(&call, "changes");
    return promised(&call, enlist(&call) ? msdk_webvh_update(call.handle, did, changes, on_string) : 0);
}

static napi_value js_msdk_webvh_deactivate(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *did = take_text(&call, "did");
    return promised(&call, enlist(&call) ? msdk_webvh_deactivate(call.handle, did, on_string) : 0);
}

static napi_value js_msdk_set_resolver(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    napi_value receive = take_function(&call, "receive");
    return subscribed(&call, list_receiver(&call, receive) ? msdk_set_resolver(call.handle, on_string) : 0);
}

static napi_value js_msdk_answer_resolver(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    uint32_t request = take_uint32(&call, "request");
    const char *answer = take_text(&call, "answer");
    return call.problem ? done(&call) : checked(&call, msdk_answer_resolver(request, answer));
}

static napi_value js_msdk_remove_resolver(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_command_handle_t resolver = take_uint32(&call, "resolver");
    vcx_error_t error = call.problem ? 0 : msdk_remove_resolver(resolver);
    end_subscription(&call, resolver);
    return checked(&call, error);
}

static napi_value js_vcx_get_ledger_author_agreement(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return promised(&call, enlist(&call) ? vcx_get_ledger_author_agreement(call.handle, on_string) : 0);
}

static napi_value js_vcx_set_active_txn_author_agreement_meta(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *agreement_text = take_text(&call, "agreementText");
    const char *version = take_text(&call, "version");
    const char *hash = take_text(&call, "hash");
    const char *acc_mech_type = take_text(&call, "accMechType");
    uint64_t time_of_acceptance = take_uint64(&call, "timeOfAcceptance");
    return call.problem ? done(&call) : checked(&call, vcx_set_active_txn_author_agreement_meta(agreement_text, version, hash, acc_mech_type, time_of_acceptance));
}

static napi_value js_msdk_public_did_publish(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return promised(&call, enlist(&call) ? msdk_public_did_publish(call.handle, on_string) : 0);
}

static napi_value js_vcx_endorse_transaction(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *transaction = take_text(&call, "transaction");
    return promised(&call, enlist(&call) ? vcx_endorse_transaction(call.handle, transaction, on_done) : 0);
}

static napi_value js_vcx_pack_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    int32_t wallet_handle = take_int32(&call, "walletHandle");
    uint32_t message_length = 0;
    const uint8_t *message = take_bytes(&call, "message", &message_length);
    const char *receiver_keys = take_text(&call, "receiverKeys");
    const char *sender = take_text(&call, "sender");
    return promised(&call, enlist(&call) ? vcx_pack_message(call.handle, wallet_handle, message, message_length, receiver_keys, sender, on_bytes) : 0);
}

static napi_value js_vcx_unpack_message(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    int32_t wallet_handle = take_int32(&call, "walletHandle");
    uint32_t jwe_data_length = 0;
    const uint8_t *jwe_data = take_bytes(&call, "jweData", &jwe_data_length);
    return promised(&call, enlist(&call) ? vcx_unpack_message(call.handle, wallet_handle, jwe_data, jwe_data_length, on_bytes) : 0);
}

static napi_value js_msdk_connection_get_thread_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_connection_handle_t connection_handle = take_uint32(&call, "connectionHandle");
    return promised(&call, enlist(&call) ? msdk_connection_get_thread_id(call.handle, connection_handle, on_string) : 0);
}

static napi_value js_msdk_credential_get_thread_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? msdk_credential_get_thread_id(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_msdk_disclosed_proof_get_thread_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_disclosed_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? msdk_disclosed_proof_get_thread_id(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_msdk_issuer_credential_get_thread_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? msdk_issuer_credential_get_thread_id(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_msdk_proof_get_thread_id(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_proof_handle_t proof_handle = take_uint32(&call, "proofHandle");
    return promised(&call, enlist(&call) ? msdk_proof_get_thread_id(call.handle, proof_handle, on_string) : 0);
}

static napi_value js_vcx_wallet_get_token_info(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_payment_handle_t payment_handle = take_uint32(&call, "paymentHandle");
    return promised(&call, enlist(&call) ? vcx_wallet_get_token_info(call.handle, payment_handle, on_string) : 0);
}

static napi_value js_vcx_wallet_create_payment_address(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *seed = take_text(&call, "seed");
    return promised(&call, enlist(&call) ? vcx_wallet_create_payment_address(call.handle, seed, on_string) : 0);
}

static napi_value js_vcx_mint_tokens(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *seed = take_text(&call, "seed");
    const char *fees = take_text(&call, "fees");
    return call.problem ? done(&call) : checked(&call, vcx_mint_tokens(seed, fees));
}

static napi_value js_vcx_wallet_sign_with_address(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *payment_address = take_text(&call, "paymentAddress");
    uint32_t message_raw_length = 0;
    const uint8_t *message_raw = take_bytes(&call, "messageRaw", &message_raw_length);
    return promised(&call, enlist(&call) ? vcx_wallet_sign_with_address(call.handle, payment_address, message_raw, message_raw_length, on_bytes) : 0);
}

static napi_value js_vcx_wallet_verify_with_address(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *payment_address = take_text(&call, "paymentAddress");
    uint32_t message_raw_length = 0;
    const uint8_t *message_raw = take_bytes(&call, "messageRaw", &message_raw_length);
    uint32_t signature_raw_length = 0;
    const uint8_t *signature_raw = take_bytes(&call, "signatureRaw", &signature_raw_length);
    return promised(&call, enlist(&call) ? vcx_wallet_verify_with_address(call.handle, payment_address, message_raw, message_raw_length, signature_raw, signature_raw_length, on_bool) : 0);
}

static napi_value js_vcx_wallet_send_tokens(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_payment_handle_t payment_handle = take_uint32(&call, "paymentHandle");
    const char *tokens = take_text(&call, "tokens");
    const char *recipient = take_text(&call, "recipient");
    return promised(&call, enlist(&call) ? vcx_wallet_send_tokens(call.handle, payment_handle, tokens, recipient, on_string) : 0);
}

static napi_value js_vcx_wallet_validate_payment_address(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *payment_address = take_text(&call, "paymentAddress");
    return promised(&call, enlist(&call) ? vcx_wallet_validate_payment_address(call.handle, payment_address, on_done) : 0);
}

static napi_value js_vcx_ledger_get_fees(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    return promised(&call, enlist(&call) ? vcx_ledger_get_fees(call.handle, on_string) : 0);
}

static napi_value js_vcx_get_request_price(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    const char *action_json = take_text(&call, "actionJson");
    const char *requester_info_json = take_text(&call, "requesterInfoJson");
    return promised(&call, enlist(&call) ? vcx_get_request_price(call.handle, action_json, requester_info_json, on_price) : 0);
}

static napi_value js_vcx_credential_get_payment_info(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t credential_handle = take_uint32(&call, "credentialHandle");
    return promised(&call, enlist(&call) ? vcx_credential_get_payment_info(call.handle, credential_handle, on_string) : 0);
}

static napi_value js_vcx_credential_get_payment_txn(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credential_handle_t handle = take_uint32(&call, "handle");
    return promised(&call, enlist(&call) ? vcx_credential_get_payment_txn(call.handle, handle, on_string) : 0);
}

static napi_value js_vcx_issuer_credential_get_payment_txn(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_issuer_credential_handle_t handle = take_uint32(&call, "handle");
    return promised(&call, enlist(&call) ? vcx_issuer_credential_get_payment_txn(call.handle, handle, on_string) : 0);
}

static napi_value js_vcx_schema_get_payment_txn(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_schema_handle_t handle = take_uint32(&call, "handle");
    return promised(&call, enlist(&call) ? vcx_schema_get_payment_txn(call.handle, handle, on_string) : 0);
}

static napi_value js_vcx_credentialdef_get_payment_txn(napi_env env, napi_callback_info info) {
    struct call call = begin(env, info);
    vcx_credentialdef_handle_t handle = take_uint32(&call, "handle");
    return promised(&call, enlist(&call) ? vcx_credentialdef_get_payment_txn(call.handle, handle, on_string) : 0);
}

NAPI_MODULE_INIT() {
    enter(env, exports);
    export(env, exports, "initWithConfig", js_vcx_init_with_config);
    export(env, exports, "init", js_vcx_init);
    export(env, exports, "initPool", js_vcx_init_pool);
    export(env, exports, "shutdown", js_vcx_shutdown);
    export(env, exports, "endCallbacks", js_msdk_end_callbacks);
    export(env, exports, "version", js_vcx_version);
    export(env, exports, "errorCMessage", js_vcx_error_c_message);
    export(env, exports, "stateName", js_msdk_state_name);
    export(env, exports, "callTimeout", js_msdk_call_timeout);
    export(env, exports, "updateInstitutionInfo", js_vcx_update_institution_info);
    export(env, exports, "healthCheck", js_vcx_health_check);
    export(env, exports, "setNextAgencyResponse", js_vcx_set_next_agency_response);
    export(env, exports, "agentOpen", js_msdk_agent_open);
    export(env, exports, "agentSelect", js_msdk_agent_select);
    export(env, exports, "agentClose", js_msdk_agent_close);
    export(env, exports, "initMinimal", js_vcx_init_minimal);
    export(env, exports, "walletSetHandle", js_vcx_wallet_set_handle);
    export(env, exports, "poolSetHandle", js_vcx_pool_set_handle);
    export(env, exports, "setDefaultLogger", js_vcx_set_default_logger);
    export(env, exports, "setLogMaxLvl", js_vcx_set_log_max_lvl);
    export(env, exports, "provisionAgentWithTokenAsync", js_vcx_provision_agent_with_token_async);
    export(env, exports, "agentProvisionAsync", js_vcx_agent_provision_async);
    export(env, exports, "getProvisionToken", js_vcx_get_provision_token);
    export(env, exports, "agentUpdateInfo", js_vcx_agent_update_info);
    export(env, exports, "updateWebhookUrl", js_vcx_update_webhook_url);
    export(env, exports, "createPairwiseAgent", js_vcx_create_pairwise_agent);
    export(env, exports, "connectionAccept", js_msdk_connection_accept);
    export(env, exports, "connectionCreateWithInvite", js_vcx_connection_create_with_invite);
    export(env, exports, "createConnectionWithInvite", js_vcx_create_connection_with_invite);
    export(env, exports, "connectionCreateWithOutofbandInvitation", js_vcx_connection_create_with_outofband_invitation);
    export(env, exports, "connectionAcceptConnectionInvite", js_vcx_connection_accept_connection_invite);
    export(env, exports, "connectionCreate", js_vcx_connection_create);
    export(env, exports, "publicDidListen", js_msdk_public_did_listen);
    export(env, exports, "connectionCreateOutofband", js_vcx_connection_create_outofband);
    export(env, exports, "connectionConnect", js_vcx_connection_connect);
    export(env, exports, "connectionUpdateState", js_vcx_connection_update_state);
    export(env, exports, "connectionUpdateStateWithMessage", js_vcx_connection_update_state_with_message);
    export(env, exports, "connectionGetState", js_vcx_connection_get_state);
    export(env, exports, "connectionInviteDetails", js_vcx_connection_invite_details);
    export(env, exports, "connectionSerialize", js_vcx_connection_serialize);
    export(env, exports, "connectionDeserialize", js_vcx_connection_deserialize);
    export(env, exports, "connectionRelease", js_vcx_connection_release);
    export(env, exports, "connectionDeleteConnection", js_vcx_connection_delete_connection);
    export(env, exports, "connectionInfo", js_vcx_connection_info);
    export(env, exports, "connectionGetPwDid", js_vcx_connection_get_pw_did);
    export(env, exports, "connectionGetTheirPwDid", js_vcx_connection_get_their_pw_did);
    export(env, exports, "connectionFindExisting", js_msdk_connection_find_existing);
    export(env, exports, "connectionSendReuse", js_vcx_connection_send_reuse);
    export(env, exports, "connectionSendMessage", js_vcx_connection_send_message);
    export(env, exports, "connectionSendPing", js_vcx_connection_send_ping);
    export(env, exports, "connectionSendDiscoveryFeatures", js_vcx_connection_send_discovery_features);
    export(env, exports, "connectionSignData", js_vcx_connection_sign_data);
    export(env, exports, "connectionVerifySignature", js_vcx_connection_verify_signature);
    export(env, exports, "connectionGetProblemReport", js_vcx_connection_get_problem_report);
    export(env, exports, "connectionSendAnswer", js_vcx_connection_send_answer);
    export(env, exports, "connectionSendInviteAction", js_vcx_connection_send_invite_action);
    export(env, exports, "connectionNeedUpgrade", js_vcx_connection_need_upgrade);
    export(env, exports, "connectionUpgrade", js_vcx_connection_upgrade);
    export(env, exports, "connectionRedirect", js_vcx_connection_redirect);
    export(env, exports, "connectionGetRedirectDetails", js_vcx_connection_get_redirect_details);
    export(env, exports, "objectsList", js_msdk_objects_list);
    export(env, exports, "objectOpen", js_msdk_object_open);
    export(env, exports, "objectDelete", js_msdk_object_delete);
    export(env, exports, "messagesDownload", js_vcx_messages_download);
    export(env, exports, "messagesUpdateStatus", js_vcx_messages_update_status);
    export(env, exports, "downloadMessage", js_vcx_download_message);
    export(env, exports, "messagesSubscribe", js_msdk_messages_subscribe);
    export(env, exports, "messagesUnsubscribe", js_msdk_messages_unsubscribe);
    export(env, exports, "downloadAgentMessages", js_vcx_download_agent_messages);
    export(env, exports, "parsePush", js_msdk_parse_push);
    export(env, exports, "resolveMessageByUrl", js_vcx_resolve_message_by_url);
    export(env, exports, "extractAttachedMessage", js_vcx_extract_attached_message);
    export(env, exports, "extractThreadId", js_vcx_extract_thread_id);
    export(env, exports, "walletAddRecord", js_vcx_wallet_add_record);
    export(env, exports, "walletUpdateRecordValue", js_vcx_wallet_update_record_value);
    export(env, exports, "walletUpdateRecordTags", js_vcx_wallet_update_record_tags);
    export(env, exports, "walletAddRecordTags", js_vcx_wallet_add_record_tags);
    export(env, exports, "walletDeleteRecordTags", js_vcx_wallet_delete_record_tags);
    export(env, exports, "walletGetRecord", js_vcx_wallet_get_record);
    export(env, exports, "walletDeleteRecord", js_vcx_wallet_delete_record);
    export(env, exports, "walletOpenSearch", js_vcx_wallet_open_search);
    export(env, exports, "walletSearchNextRecords", js_vcx_wallet_search_next_records);
    export(env, exports, "walletCloseSearch", js_vcx_wallet_close_search);
    export(env, exports, "walletRekey", js_msdk_wallet_rekey);
    export(env, exports, "walletExport", js_vcx_wallet_export);
    export(env, exports, "walletImport", js_vcx_wallet_import);
    export(env, exports, "walletBackupCreate", js_vcx_wallet_backup_create);
    export(env, exports, "walletBackupBackup", js_vcx_wallet_backup_backup);
    export(env, exports, "walletBackupUpdateState", js_vcx_wallet_backup_update_state);
    export(env, exports, "walletBackupUpdateStateWithMessage", js_vcx_wallet_backup_update_state_with_message);
    export(env, exports, "walletBackupSerialize", js_vcx_wallet_backup_serialize);
    export(env, exports, "walletBackupDeserialize", js_vcx_wallet_backup_deserialize);
    export(env, exports, "walletBackupRestore", js_vcx_wallet_backup_restore);
    export(env, exports, "credentialCreateWithOffer", js_vcx_credential_create_with_offer);
    export(env, exports, "credentialCreateWithMsgid", js_vcx_credential_create_with_msgid);
    export(env, exports, "credentialAcceptCredentialOffer", js_vcx_credential_accept_credential_offer);
    export(env, exports, "credentialSendRequest", js_vcx_credential_send_request);
    export(env, exports, "credentialGetRequestMsg", js_vcx_credential_get_request_msg);
    export(env, exports, "credentialGetOffers", js_vcx_credential_get_offers);
    export(env, exports, "credentialUpdateState", js_vcx_credential_update_state);
    export(env, exports, "credentialUpdateStateWithMessage", js_vcx_credential_update_state_with_message);
    export(env, exports, "credentialGetState", js_vcx_credential_get_state);
    export(env, exports, "credentialSerialize", js_vcx_credential_serialize);
    export(env, exports, "credentialDeserialize", js_vcx_credential_deserialize);
    export(env, exports, "credentialRelease", js_vcx_credential_release);
    export(env, exports, "credentialReject", js_vcx_credential_reject);
    export(env, exports, "credentialParseOffer", js_vcx_credential_parse_offer);
    export(env, exports, "credentialGetProblemReport", js_vcx_credential_get_problem_report);
    export(env, exports, "credentialCreateProposal", js_msdk_credential_create_proposal);
    export(env, exports, "credentialSendProposal", js_msdk_credential_send_proposal);
    export(env, exports, "credentialProposeInstead", js_msdk_credential_propose_instead);
    export(env, exports, "credentialGetOffer", js_msdk_credential_get_offer);
    export(env, exports, "getCredential", js_vcx_get_credential);
    export(env, exports, "deleteCredential", js_vcx_delete_credential);
    export(env, exports, "credentialGetPresentationProposalMsg", js_vcx_credential_get_presentation_proposal_msg);
    export(env, exports, "credentialGetInfo", js_vcx_credential_get_info);
    export(env, exports, "credentialIsRevoked", js_msdk_credential_is_revoked);
    export(env, exports, "fetchPublicEntities", js_vcx_fetch_public_entities);
    export(env, exports, "credentialsOpenSearch", js_msdk_credentials_open_search);
    export(env, exports, "credentialsSearchNext", js_msdk_credentials_search_next);
    export(env, exports, "credentialsCloseSearch", js_msdk_credentials_close_search);
    export(env, exports, "credentialsGet", js_msdk_credentials_get);
    export(env, exports, "disclosedProofParseRequest", js_vcx_disclosed_proof_parse_request);
    export(env, exports, "disclosedProofCreateWithRequest", js_vcx_disclosed_proof_create_with_request);
    export(env, exports, "disclosedProofCreateWithMsgid", js_vcx_disclosed_proof_create_with_msgid);
    export(env, exports, "disclosedProofCreateProposal", js_vcx_disclosed_proof_create_proposal);
    export(env, exports, "disclosedProofCreateProposalWithOptions", js_msdk_disclosed_proof_create_proposal_with_options);
    export(env, exports, "disclosedProofRetrieveCredentials", js_vcx_disclosed_proof_retrieve_credentials);
    export(env, exports, "disclosedProofDescribeRequest", js_msdk_disclosed_proof_describe_request);
    export(env, exports, "disclosedProofGetRequests", js_vcx_disclosed_proof_get_requests);
    export(env, exports, "disclosedProofGenerateProof", js_vcx_disclosed_proof_generate_proof);
    export(env, exports, "disclosedProofSendProof", js_vcx_disclosed_proof_send_proof);
    export(env, exports, "disclosedProofSendProposal", js_vcx_disclosed_proof_send_proposal);
    export(env, exports, "disclosedProofRejectProof", js_vcx_disclosed_proof_reject_proof);
    export(env, exports, "disclosedProofDeclinePresentationRequest", js_vcx_disclosed_proof_decline_presentation_request);
    export(env, exports, "disclosedProofGetProofMsg", js_vcx_disclosed_proof_get_proof_msg);
    export(env, exports, "disclosedProofGetRejectMsg", js_vcx_disclosed_proof_get_reject_msg);
    export(env, exports, "disclosedProofGetState", js_vcx_disclosed_proof_get_state);
    export(env, exports, "disclosedProofUpdateState", js_vcx_disclosed_proof_update_state);
    export(env, exports, "disclosedProofUpdateStateWithMessage", js_vcx_disclosed_proof_update_state_with_message);
    export(env, exports, "disclosedProofSerialize", js_vcx_disclosed_proof_serialize);
    export(env, exports, "disclosedProofDeserialize", js_vcx_disclosed_proof_deserialize);
    export(env, exports, "disclosedProofGetProblemReport", js_vcx_disclosed_proof_get_problem_report);
    export(env, exports, "disclosedProofRelease", js_vcx_disclosed_proof_release);
    export(env, exports, "issuerCreateCredential", js_vcx_issuer_create_credential);
    export(env, exports, "issuerSendCredentialOffer", js_vcx_issuer_send_credential_offer);
    export(env, exports, "issuerGetCredentialOfferMsg", js_vcx_issuer_get_credential_offer_msg);
    export(env, exports, "issuerSendCredential", js_vcx_issuer_send_credential);
    export(env, exports, "issuerGetCredentialMsg", js_vcx_issuer_get_credential_msg);
    export(env, exports, "issuerCredentialUpdateState", js_vcx_issuer_credential_update_state);
    export(env, exports, "issuerCredentialUpdateStateWithMessage", js_vcx_issuer_credential_update_state_with_message);
    export(env, exports, "issuerCredentialGetState", js_vcx_issuer_credential_get_state);
    export(env, exports, "issuerCredentialSerialize", js_vcx_issuer_credential_serialize);
    export(env, exports, "issuerCredentialDeserialize", js_vcx_issuer_credential_deserialize);
    export(env, exports, "issuerCredentialRelease", js_vcx_issuer_credential_release);
    export(env, exports, "issuerCredentialGetPlace", js_msdk_issuer_credential_get_place);
    export(env, exports, "issuerRevokeCredential", js_vcx_issuer_revoke_credential);
    export(env, exports, "issuerCredentialGetProblemReport", js_vcx_issuer_credential_get_problem_report);
    export(env, exports, "issuerAcceptCredential", js_vcx_issuer_accept_credential);
    export(env, exports, "issuerTerminateCredential", js_vcx_issuer_terminate_credential);
    export(env, exports, "issuerCredentialCreateWithProposal", js_msdk_issuer_credential_create_with_proposal);
    export(env, exports, "issuerCredentialGetProposal", js_msdk_issuer_credential_get_proposal);
    export(env, exports, "issuerCredentialPlanOffer", js_msdk_issuer_credential_plan_offer);
    export(env, exports, "issuerCredentialDeclineProposal", js_msdk_issuer_credential_decline_proposal);
    export(env, exports, "issuerCreateCredentialWithOptions", js_msdk_issuer_create_credential_with_options);
    export(env, exports, "proofCreate", js_vcx_proof_create);
    export(env, exports, "proofCreateWithOptions", js_msdk_proof_create_with_options);
    export(env, exports, "proofCreateWithProposal", js_vcx_proof_create_with_proposal);
    export(env, exports, "proofSendRequest", js_vcx_proof_send_request);
    export(env, exports, "proofRequestProof", js_vcx_proof_request_proof);
    export(env, exports, "proofDeclineProposal", js_msdk_proof_decline_proposal);
    export(env, exports, "proofSetConnection", js_vcx_proof_set_connection);
    export(env, exports, "proofGetRequestMsg", js_vcx_proof_get_request_msg);
    export(env, exports, "proofGetRequestAttach", js_vcx_proof_get_request_attach);
    export(env, exports, "getProofProposal", js_vcx_get_proof_proposal);
    export(env, exports, "getProof", js_vcx_get_proof);
    export(env, exports, "getProofMsg", js_vcx_get_proof_msg);
    export(env, exports, "proofContent", js_msdk_proof_content);
    export(env, exports, "proofExplain", js_msdk_proof_explain);
    export(env, exports, "proofUpdateState", js_vcx_proof_update_state);
    export(env, exports, "proofUpdateStateWithMessage", js_vcx_proof_update_state_with_message);
    export(env, exports, "proofGetState", js_vcx_proof_get_state);
    export(env, exports, "proofSerialize", js_vcx_proof_serialize);
    export(env, exports, "proofDeserialize", js_vcx_proof_deserialize);
    export(env, exports, "proofRelease", js_vcx_proof_release);
    export(env, exports, "proofGetProblemReport", js_vcx_proof_get_problem_report);
    export(env, exports, "proofAccepted", js_vcx_proof_accepted);
    export(env, exports, "schemaCreate", js_vcx_schema_create);
    export(env, exports, "schemaPrepareForEndorser", js_vcx_schema_prepare_for_endorser);
    export(env, exports, "schemaGetAttributes", js_vcx_schema_get_attributes);
    export(env, exports, "schemaGetSchemaId", js_vcx_schema_get_schema_id);
    export(env, exports, "schemaSerialize", js_vcx_schema_serialize);
    export(env, exports, "schemaDeserialize", js_vcx_schema_deserialize);
    export(env, exports, "schemaRelease", js_vcx_schema_release);
    export(env, exports, "schemaUpdateState", js_vcx_schema_update_state);
    export(env, exports, "schemaGetState", js_vcx_schema_get_state);
    export(env, exports, "credentialdefCreate", js_vcx_credentialdef_create);
    export(env, exports, "credentialdefCreateWithId", js_vcx_credentialdef_create_with_id);
    export(env, exports, "credentialdefPrepareForEndorser", js_vcx_credentialdef_prepare_for_endorser);
    export(env, exports, "credentialdefGetCredDefId", js_vcx_credentialdef_get_cred_def_id);
    export(env, exports, "credentialdefSerialize", js_vcx_credentialdef_serialize);
    export(env, exports, "credentialdefDeserialize", js_vcx_credentialdef_deserialize);
    export(env, exports, "credentialdefRelease", js_vcx_credentialdef_release);
    export(env, exports, "credentialdefUpdateState", js_vcx_credentialdef_update_state);
    export(env, exports, "credentialdefGetState", js_vcx_credentialdef_get_state);
    export(env, exports, "webvhCreate", js_msdk_webvh_create);
    export(env, exports, "webvhUpdate", js_msdk_webvh_update);
    export(env, exports, "webvhDeactivate", js_msdk_webvh_deactivate);
    export(env, exports, "setResolver", js_msdk_set_resolver);
    export(env, exports, "answerResolver", js_msdk_answer_resolver);
    export(env, exports, "removeResolver", js_msdk_remove_resolver);
    export(env, exports, "getLedgerAuthorAgreement", js_vcx_get_ledger_author_agreement);
    export(env, exports, "setActiveTxnAuthorAgreementMeta", js_vcx_set_active_txn_author_agreement_meta);
    export(env, exports, "publicDidPublish", js_msdk_public_did_publish);
    export(env, exports, "endorseTransaction", js_vcx_endorse_transaction);
    export(env, exports, "packMessage", js_vcx_pack_message);
    export(env, exports, "unpackMessage", js_vcx_unpack_message);
    export(env, exports, "connectionGetThreadId", js_msdk_connection_get_thread_id);
    export(env, exports, "credentialGetThreadId", js_msdk_credential_get_thread_id);
    export(env, exports, "disclosedProofGetThreadId", js_msdk_disclosed_proof_get_thread_id);
    export(env, exports, "issuerCredentialGetThreadId", js_msdk_issuer_credential_get_thread_id);
    export(env, exports, "proofGetThreadId", js_msdk_proof_get_thread_id);
    export(env, exports, "walletGetTokenInfo", js_vcx_wallet_get_token_info);
    export(env, exports, "walletCreatePaymentAddress", js_vcx_wallet_create_payment_address);
    export(env, exports, "mintTokens", js_vcx_mint_tokens);
    export(env, exports, "walletSignWithAddress", js_vcx_wallet_sign_with_address);
    export(env, exports, "walletVerifyWithAddress", js_vcx_wallet_verify_with_address);
    export(env, exports, "walletSendTokens", js_vcx_wallet_send_tokens);
    export(env, exports, "walletValidatePaymentAddress", js_vcx_wallet_validate_payment_address);
    export(env, exports, "ledgerGetFees", js_vcx_ledger_get_fees);
    export(env, exports, "getRequestPrice", js_vcx_get_request_price);
    export(env, exports, "credentialGetPaymentInfo", js_vcx_credential_get_payment_info);
    export(env, exports, "credentialGetPaymentTxn", js_vcx_credential_get_payment_txn);
    export(env, exports, "issuerCredentialGetPaymentTxn", js_vcx_issuer_credential_get_payment_txn);
    export(env, exports, "schemaGetPaymentTxn", js_vcx_schema_get_payment_txn);
    export(env, exports, "credentialdefGetPaymentTxn", js_vcx_credentialdef_get_payment_txn);
    return exports;
}
