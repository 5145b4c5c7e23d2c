internal import DynamicLibrary

/// The functions of libindy_vdr.so, in version 0.4.
///
/// Almost every function returns an error's code, 0 for success. Handles are numbers; -1 stands for an absent number.
struct LedgerFunctions: Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias NewText = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  typealias NewHandle = UnsafeMutablePointer<Int64>
  /// The caller's number, an error's code, the reply.
  typealias Reply = @convention(c) (Int64, Int64, UnsafeMutablePointer<CChar>?) -> Void
  typealias Refreshed = @convention(c) (Int64, Int64) -> Void
  /// Submitter, id.
  typealias BuildByID = @convention(c) (Text?, Text?, NewHandle) -> Int64

  let freeText: @convention(c) (UnsafeMutablePointer<CChar>?) -> Void
  let currentError: @convention(c) (NewText) -> Int64
  let createPool: @convention(c) (Text?, NewHandle) -> Int64
  let refreshPool: @convention(c) (Int64, Refreshed, Int64) -> Int64
  let closePool: @convention(c) (Int64) -> Int64
  let submit: @convention(c) (Int64, Int64, Reply, Int64) -> Int64

  let schema: BuildByID
  let definition: BuildByID
  let revocationRegistry: BuildByID
  /// Submitter, id, from, to.
  let revocationDelta: @convention(c) (Text?, Text?, Int64, Int64, NewHandle) -> Int64
  /// Submitter, ledger, number.
  let transaction: @convention(c) (Text?, Int32, Int32, NewHandle) -> Int64
  /// Submitter, DID, number of a transaction, time.
  let nym: @convention(c) (Text?, Text?, Int32, Int64, NewHandle) -> Int64
  /// Submitter, DID, name, hash, ciphertext, number of a transaction, time.
  let attribute: @convention(c) (Text?, Text?, Text?, Text?, Text?, Int32, Int64, NewHandle) -> Int64
  /// Submitter, version of the agreement: nil for the agreement in force.
  let agreement: BuildByID
  /// Submitter, time, version.
  let acceptanceMechanisms: @convention(c) (Text?, Int64, Text?, NewHandle) -> Int64
  /// A whole request as JSON.
  let custom: @convention(c) (Text?, NewHandle) -> Int64
}

extension LedgerFunctions {
  init(_ library: DynamicLibrary) throws(DynamicLibraryError) {
    freeText = try library.function("indy_vdr_string_free")
    currentError = try library.function("indy_vdr_get_current_error")
    createPool = try library.function("indy_vdr_pool_create")
    refreshPool = try library.function("indy_vdr_pool_refresh")
    closePool = try library.function("indy_vdr_pool_close")
    submit = try library.function("indy_vdr_pool_submit_request")
    schema = try library.function("indy_vdr_build_get_schema_request")
    definition = try library.function("indy_vdr_build_get_cred_def_request")
    revocationRegistry = try library.function("indy_vdr_build_get_revoc_reg_def_request")
    revocationDelta = try library.function("indy_vdr_build_get_revoc_reg_delta_request")
    transaction = try library.function("indy_vdr_build_get_txn_request")
    nym = try library.function("indy_vdr_build_get_nym_request")
    attribute = try library.function("indy_vdr_build_get_attrib_request")
    agreement = try library.function("indy_vdr_build_get_txn_author_agreement_request")
    acceptanceMechanisms = try library.function("indy_vdr_build_get_acceptance_mechanisms_request")
    custom = try library.function("indy_vdr_build_custom_request")
  }
}
