// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK
internal import Registry

// MARK: Writing to a ledger
//
// A network may require that authors accept its agreement. An author without the right to write prepares a transaction for
// an endorser: see vcx_schema_prepare_for_endorser and vcx_credentialdef_prepare_for_endorser.

/// Reads the agreement that the network requires of authors, from the first ledger.
///
/// The program shows the text to its user, who accepts it in one of the ways of `aml`. The library then writes with the
/// acceptance that the program gives it: in the configuration's `author_agreement`, or with
/// `vcx_set_active_txn_author_agreement_meta`.
///
/// - Parameters:
///   - cb: Receives JSON text: the agreement with its `text`, `version` and `digest`, and in `aml` the ways to accept it,
///     each with its meaning. `{}` if the network requires no agreement. 1030 without a ledger, 1025 if the ledger cannot
///     be reached.
@_cdecl("vcx_get_ledger_author_agreement")
public func vcx_get_ledger_author_agreement(
  _ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { try $0.authorAgreement() }
}

/// Accepts the agreement of a network: from now on the library writes to the ledger with this acceptance.
///
/// The acceptance holds until `vcx_shutdown`. The program keeps it for the next start, in the configuration's
/// `author_agreement`. Nothing is sent.
///
/// - Parameters:
///   - agreement_text: The agreement, or NULL if `hash` is given.
///   - version: Its version, or NULL if `hash` is given.
///   - hash: The digest of the agreement, or NULL if text and version are given.
///   - acc_mech_type: How the user accepted it: one of the ways of the network.
///   - time_of_acceptance: The time in seconds since 1970. The network learns the day.
/// - Returns: 0, or 1007, also if `hash` is not the digest of the text and the version.
@_cdecl("vcx_set_active_txn_author_agreement_meta")
public func vcx_set_active_txn_author_agreement_meta(
  _ agreement_text: CString?, _ version: CString?, _ hash: CString?, _ acc_mech_type: CString?,
  _ time_of_acceptance: UInt64
) -> vcx_error_t {
  attempt { () throws(VCXError) in
    let (agreement, version) = try (
      optionalText(agreement_text, "agreement_text").decode(), optionalText(version, "version").decode()
    )
    let digest = try optionalText(hash, "hash").decode()
    let mechanism = try text(acc_mech_type, "acc_mech_type").decode()
    guard let time = Int64(exactly: time_of_acceptance) else {
      throw VCXError(.invalidOption, "the argument time_of_acceptance is no time")
    }
    do {
      CurrentAgent.value.accept(
        try AgreementAcceptance(text: agreement, version: version, digest: digest, mechanism: mechanism, time: time))
    } catch {
      throw VCXError(.invalidOption, "\(error)")
    }
  }
}

/// Opens the mailbox of the public DID `institution_did`, and publishes its endpoint and routing keys.
///
/// The ledger gets the attribute `endpoint` if the DID is Indy's: the first ledger must know the DID with the key
/// `institution_verkey`. The program publishes the document of any other DID itself. Then accept peers with
/// `msdk_public_did_listen`. Repeat the call after the Cloud Agent has changed; otherwise repeating changes nothing.
///
/// - Parameters:
///   - cb: Receives JSON text: `did`, `verkey`, `endpoint`, `routing_keys` in base58, `document` (the DID document in the form
///     of today), and `published`, which is false if no ledger has got the endpoint. 1004 without `institution_did` or
///     `institution_verkey`, 1073 when the wallet lacks the key, 1016 if the ledger does not know the DID, 1082 if it has
///     another key or refuses the attribute, 1025 if it cannot be reached.
@_cdecl("msdk_public_did_publish")
public func msdk_public_did_publish(
  _ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { try $0.publishPublicDID() }
}

/// Signs a transaction that another author prepared for `institution_did`, and submits it to the ledger.
///
/// The library signs only transactions that publish an object of an issuer: a schema, a credential definition, a
/// revocation registry or its status (Indy's types 101, 102, 113 and 114). It refuses all others, such as a change of a
/// DID or a role, since an endorser's signature permits them too. The author's signature must fit the author's key on
/// the ledger.
///
/// - Parameters:
///   - transaction: The transaction as JSON text.
///   - cb: Receives 0; 1016 if it is not such a transaction, if the ledger has no key of its author, or if it is not signed
///     with that key; 1073 when the wallet lacks the key of `institution_did`, 1082 if the ledger refuses it, 1025 if the
///     ledger cannot be reached, 1030 without a ledger.
@_cdecl("vcx_endorse_transaction")
public func vcx_endorse_transaction(
  _ command_handle: vcx_command_handle_t, _ transaction: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(transaction, "transaction"), runningSession(), by: .network) {
    try $1.endorse($0)
  }
}
