// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Writing to a ledger for others
//
// On a ledger, an author without the right to write prepares a transaction for an endorser: see
// vcx_schema_prepare_for_endorser and vcx_credentialdef_prepare_for_endorser.

/// Signs a transaction that another author prepared for `institution_did`, and submits it to the ledger.
///
/// If the ledger has the author's key, the author's signature is checked first.
///
/// - Parameters:
///   - transaction: The transaction as JSON text.
///   - cb: Receives 0; 1016 if it is not such a transaction, or not signed by its author, 1073 when the wallet lacks the
///     key of `institution_did`, 1082 if the ledger refuses it, 1025 if the ledger cannot be reached, 1030 without a
///     ledger.
@_cdecl("vcx_endorse_transaction")
public func vcx_endorse_transaction(
  _ command_handle: vcx_command_handle_t, _ transaction: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(transaction, "transaction"), runningSession(), by: .network) {
    try $1.endorse($0)
  }
}
