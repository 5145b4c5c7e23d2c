// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Payments
//
// Kept for programs written for libvcx. Payments need a payment method of libindy's plug-ins, and this library has none:
// the functions about tokens report 1087, as libvcx does without a plug-in. Nothing that the library issues, accepts or
// publishes costs anything.

/// Reads the tokens in the wallet: there are none.
///
/// - Parameters:
///   - payment_handle: Ignored.
///   - cb: Receives 1087 and an empty text.
@_cdecl("vcx_wallet_get_token_info")
public func vcx_wallet_get_token_info(
  _ command_handle: vcx_command_handle_t, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPaymentMethod(Completion(command_handle, cb), failing: "")
}

/// Creates a payment address, with a payment method.
///
/// - Parameters:
///   - seed: The seed of its key, or NULL for a random one.
///   - cb: Receives 1087 and an empty text.
@_cdecl("vcx_wallet_create_payment_address")
public func vcx_wallet_create_payment_address(
  _ command_handle: vcx_command_handle_t, _ seed: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPaymentMethod(Completion(command_handle, cb), optionalText(seed, "seed"), failing: "")
}

/// Makes tokens on a test ledger, with a payment method.
///
/// - Parameters:
///   - seed: The seed of the trustee's key, or NULL.
///   - fees: The fees as JSON text, or NULL.
/// - Returns: 1087, or 1007 if a text is not UTF-8.
@_cdecl("vcx_mint_tokens")
public func vcx_mint_tokens(_ seed: CString?, _ fees: CString?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    _ = try optionalText(seed, "seed").decode()
    _ = try optionalText(fees, "fees").decode()
    throw .noPaymentMethod
  }
}

/// Signs bytes with the key of a payment address, with a payment method.
///
/// - Parameters:
///   - payment_address: The payment address.
///   - message_raw: The bytes.
///   - message_len: The number of bytes; not 0.
///   - cb: Receives 1087.
@_cdecl("vcx_wallet_sign_with_address")
public func vcx_wallet_sign_with_address(
  _ command_handle: vcx_command_handle_t, _ payment_address: CString?, _ message_raw: UnsafePointer<UInt8>?,
  _ message_len: UInt32, _ cb: vcx_bytes_cb?
) -> vcx_error_t {
  withoutPaymentMethod(
    Completion(command_handle, cb), text(payment_address, "payment_address"),
    bytes(message_raw, message_len, "message_raw"))
}

/// Verifies a signature with the key of a payment address, with a payment method.
///
/// - Parameters:
///   - payment_address: The payment address.
///   - message_raw: The bytes that were signed.
///   - message_len: The number of bytes; not 0.
///   - signature_raw: The signature.
///   - signature_len: Its length; not 0.
///   - cb: Receives 1087.
@_cdecl("vcx_wallet_verify_with_address")
public func vcx_wallet_verify_with_address(
  _ command_handle: vcx_command_handle_t, _ payment_address: CString?, _ message_raw: UnsafePointer<UInt8>?,
  _ message_len: UInt32, _ signature_raw: UnsafePointer<UInt8>?, _ signature_len: UInt32, _ cb: vcx_bool_cb?
) -> vcx_error_t {
  withoutPaymentMethod(
    Completion(command_handle, cb), text(payment_address, "payment_address"),
    bytes(message_raw, message_len, "message_raw"),
    bytes(signature_raw, signature_len, "signature_raw")
  )
}

/// Sends tokens, with a payment method.
///
/// - Parameters:
///   - payment_handle: Ignored.
///   - tokens: The amount, as text.
///   - recipient: The payment address of the recipient.
///   - cb: Receives 1087 and an empty text.
@_cdecl("vcx_wallet_send_tokens")
public func vcx_wallet_send_tokens(
  _ command_handle: vcx_command_handle_t, _ payment_handle: vcx_payment_handle_t, _ tokens: CString?,
  _ recipient: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPaymentMethod(
    Completion(command_handle, cb), text(tokens, "tokens"), text(recipient, "recipient"), failing: "")
}

/// Checks nothing: accepts any payment address.
///
/// - Parameters:
///   - payment_address: The payment address.
///   - cb: Receives 0.
@_cdecl("vcx_wallet_validate_payment_address")
public func vcx_wallet_validate_payment_address(
  _ command_handle: vcx_command_handle_t, _ payment_address: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(payment_address, "payment_address")) { _ in }
}

/// Reads the fees of the ledger, with a payment method.
///
/// - Parameters:
///   - cb: Receives 1087.
@_cdecl("vcx_ledger_get_fees")
public func vcx_ledger_get_fees(_ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?) -> vcx_error_t {
  withoutPaymentMethod(Completion(command_handle, cb))
}

/// Reads the price of an action on the ledger, with a payment method.
///
/// - Parameters:
///   - action_json: The action as JSON text.
///   - requester_info_json: The requester as JSON text, or NULL.
///   - cb: Receives 1087.
@_cdecl("vcx_get_request_price")
public func vcx_get_request_price(
  _ command_handle: vcx_command_handle_t, _ action_json: CString?, _ requester_info_json: CString?, _ cb: vcx_price_cb?
) -> vcx_error_t {
  withoutPaymentMethod(
    Completion(command_handle, cb), text(action_json, "action_json"),
    optionalText(requester_info_json, "requester_info_json"))
}

/// Reads the price of a credential: all credentials are free.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives `{}`; 1053.
@_cdecl("vcx_credential_get_payment_info")
public func vcx_credential_get_payment_info(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials) { (_: inout Credential) in "{}" }
}

/// Reads the payment of a credential. Only credentials of Evernym's own protocol have a payment, and the library speaks
/// the Aries protocols.
///
/// - Parameters:
///   - handle: The credential.
///   - cb: Receives 1103, or 1053.
@_cdecl("vcx_credential_get_payment_txn")
public func vcx_credential_get_payment_txn(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPayment(Completion(command_handle, cb), on: handle, of: credentials, failing: .onlyProprietary)
}

/// Reads the payment of a credential being issued. Only credentials of Evernym's own protocol have a payment.
///
/// - Parameters:
///   - handle: The credential.
///   - cb: Receives 1103, or 1015.
@_cdecl("vcx_issuer_credential_get_payment_txn")
public func vcx_issuer_credential_get_payment_txn(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPayment(Completion(command_handle, cb), on: handle, of: issuerCredentials, failing: .onlyProprietary)
}

/// Reads the payment of a schema: no schema has one.
///
/// - Parameters:
///   - handle: The schema.
///   - cb: Receives 1071, or 1042.
@_cdecl("vcx_schema_get_payment_txn")
public func vcx_schema_get_payment_txn(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_schema_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPayment(Completion(command_handle, cb), on: handle, of: schemas, failing: .noPayment)
}

/// Reads the payment of a credential definition: no definition has one.
///
/// - Parameters:
///   - handle: The definition.
///   - cb: Receives 1071, or 1037.
@_cdecl("vcx_credentialdef_get_payment_txn")
public func vcx_credentialdef_get_payment_txn(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_credentialdef_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  withoutPayment(Completion(command_handle, cb), on: handle, of: definitions, failing: .noPayment)
}

extension VCXError {
  fileprivate static let noPaymentMethod = VCXError(.missingPaymentMethod, "the library has no payment method")
  fileprivate static let noPayment = VCXError(.noPaymentInformation, "nothing was paid")
}

/// Completes a function that needs a payment method: checks its arguments, and then reports that no payment method
/// exists.
private func withoutPaymentMethod<each Argument, Value: Sendable>(
  _ completion: Completion<Value>?, _ inputs: repeat Input<each Argument>, failing failureValue: Value? = nil,
  function: StaticString = #function
) -> vcx_error_t {
  fail(completion, repeat each inputs, with: .noPaymentMethod, giving: failureValue, function: function)
}

/// Completes a function that reads the payment of an object: no object has one.
private func withoutPayment<Object>(
  _ completion: Completion<String>?, on handle: UInt32, of table: HandleTable<Object>, failing error: VCXError,
  function: StaticString = #function
) -> vcx_error_t {
  start(completion, on: handle, of: table, function: function) { (_: inout Object) -> String in throw error }
}
