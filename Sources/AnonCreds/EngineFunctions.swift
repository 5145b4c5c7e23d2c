internal import CAnonCreds
internal import DynamicLibrary

/// The functions of libanoncreds.so, in versions 0.2.0 and later.
///
/// Objects are numbers, 0 for none. Almost every function returns an error's code, 0 for success. It copies its
/// arguments, and the caller frees its results.
struct EngineFunctions: Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias NewObject = UnsafeMutablePointer<Int>
  typealias NewText = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  typealias FromJSON = @convention(c) (anoncreds_bytes, NewObject) -> Int

  /// Reads objects of one kind from JSON. The numbers of the parts are bounded before.
  struct Reader: Sendable {
    let function: FromJSON
    let numbers: NumberBounds.Parts

    init(_ function: FromJSON, numbers: NumberBounds.Parts = .all) {
      self.function = function
      self.numbers = numbers
    }
  }

  // MARK: - Memory and errors

  let freeText: @convention(c) (UnsafeMutablePointer<CChar>?) -> Void
  let freeBytes: @convention(c) (anoncreds_bytes) -> Void
  let freeObject: @convention(c) (Int) -> Void
  let currentError: @convention(c) (NewText) -> Int
  let json: @convention(c) (Int, UnsafeMutablePointer<anoncreds_bytes>) -> Int

  // MARK: - Reading objects

  let schema: Reader
  let definition: Reader
  let definitionPrivate: Reader
  let keyProof: Reader
  let offer: Reader
  let request: Reader
  let requestMetadata: Reader
  let credential: Reader
  let presentationRequest: Reader
  let presentation: Reader
  let registry: Reader
  let registryPrivate: Reader
  let statusList: Reader
  let revocationState: Reader

  // MARK: - Holder and prover

  let createLinkSecret: @convention(c) (NewText) -> Int
  /// Entropy, the holder's DID, definition, link secret and its name, offer.
  let createRequest: @convention(c) (Text?, Text?, Int, Text?, Text?, Int, NewObject, NewObject) -> Int
  /// Credential, metadata, link secret, definition, registry.
  let processCredential: @convention(c) (Int, Int, Text?, Int, Int, NewObject) -> Int
  /// Registry, status list, index, tails file; a former state and the status list that it belongs to.
  let createOrUpdateState: @convention(c) (Int, Int, Int64, Text?, Int, Int, NewObject) -> Int
  /// Request, credentials, items, self-attested names and values, link secret, schemas, definitions.
  let createPresentation:
    @convention(c) (
      Int, anoncreds_entries, anoncreds_items, anoncreds_texts, anoncreds_texts, Text?, anoncreds_objects,
      anoncreds_texts, anoncreds_objects, anoncreds_texts, NewObject
    ) -> Int

  // MARK: - Issuer and verifier

  /// Name, version, issuer, attributes.
  let createSchema: @convention(c) (Text?, Text?, Text?, anoncreds_texts, NewObject) -> Int
  /// Schema's id, schema, tag, issuer, type of signature, whether it can be revoked.
  let createDefinition: @convention(c) (Text?, Int, Text?, Text?, Text?, Int8, NewObject, NewObject, NewObject) -> Int
  /// Schema's id, definition's id, key proof.
  let createOffer: @convention(c) (Text?, Text?, Int, NewObject) -> Int
  /// Definition, its private key, offer, request, names, raw values, encoded values, place in the registry.
  let createCredential:
    @convention(c) (
      Int, Int, Int, Int, anoncreds_texts, anoncreds_texts, anoncreds_texts, UnsafePointer<anoncreds_revocation>?,
      NewObject
    ) -> Int
  let encodeValues: @convention(c) (anoncreds_texts, NewText) -> Int
  /// Definition, its id, issuer, tag, type, size, folder for the tails file.
  let createRegistry: @convention(c) (Int, Text?, Text?, Text?, Text?, Int64, Text?, NewObject, NewObject) -> Int
  /// Definition, registry's id, registry, its private key, issuer, whether all start as issued, timestamp.
  let createStatusList: @convention(c) (Int, Text?, Int, Int, Text?, Int8, Int64, NewObject) -> Int
  /// Definition, registry, its private key, status list, issued, revoked, timestamp.
  let updateStatusList:
    @convention(c) (Int, Int, Int, Int, anoncreds_numbers, anoncreds_numbers, Int64, NewObject) -> Int
  let updateTimestamp: @convention(c) (Int64, Int, NewObject) -> Int
  /// Presentation, request, schemas, definitions, registries, status lists, overrides.
  let verify:
    @convention(c) (
      Int, Int, anoncreds_objects, anoncreds_texts, anoncreds_objects, anoncreds_texts, anoncreds_objects,
      anoncreds_texts, anoncreds_objects, anoncreds_overrides, UnsafeMutablePointer<Int8>
    ) -> Int
}

extension EngineFunctions {
  /// The version of a library that may lack the other functions. Empty if the library names no version.
  static func version(of library: DynamicLibrary) throws(DynamicLibraryError) -> String {
    let version: @convention(c) () -> UnsafeMutablePointer<CChar>? = try library.function("anoncreds_version")
    let freeText: @convention(c) (UnsafeMutablePointer<CChar>?) -> Void = try library.function("anoncreds_string_free")
    let text = version()
    defer { freeText(text) }
    return text.map { String(cString: $0) } ?? ""
  }

  init(_ library: DynamicLibrary) throws(DynamicLibraryError) {
    freeText = try library.function("anoncreds_string_free")
    freeBytes = try library.function("anoncreds_buffer_free")
    freeObject = try library.function("anoncreds_object_free")
    currentError = try library.function("anoncreds_get_current_error")
    json = try library.function("anoncreds_object_get_json")
    schema = try Reader(library.function("anoncreds_schema_from_json"), numbers: .none)
    definition = try Reader(library.function("anoncreds_credential_definition_from_json"))
    definitionPrivate = try Reader(library.function("anoncreds_credential_definition_private_from_json"))
    keyProof = try Reader(library.function("anoncreds_key_correctness_proof_from_json"))
    offer = try Reader(library.function("anoncreds_credential_offer_from_json"))
    request = try Reader(library.function("anoncreds_credential_request_from_json"))
    requestMetadata = try Reader(library.function("anoncreds_credential_request_metadata_from_json"))
    credential = try Reader(library.function("anoncreds_credential_from_json"), numbers: .credential)
    presentationRequest = try Reader(library.function("anoncreds_presentation_request_from_json"), numbers: .nonce)
    presentation = try Reader(library.function("anoncreds_presentation_from_json"), numbers: .presentation)
    registry = try Reader(library.function("anoncreds_revocation_registry_definition_from_json"))
    registryPrivate = try Reader(library.function("anoncreds_revocation_registry_definition_private_from_json"))
    statusList = try Reader(library.function("anoncreds_revocation_status_list_from_json"))
    revocationState = try Reader(library.function("anoncreds_revocation_state_from_json"))
    createLinkSecret = try library.function("anoncreds_create_link_secret")
    createRequest = try library.function("anoncreds_create_credential_request")
    processCredential = try library.function("anoncreds_process_credential")
    createOrUpdateState = try library.function("anoncreds_create_or_update_revocation_state")
    createPresentation = try library.function("anoncreds_create_presentation")
    createSchema = try library.function("anoncreds_create_schema")
    createDefinition = try library.function("anoncreds_create_credential_definition")
    createOffer = try library.function("anoncreds_create_credential_offer")
    createCredential = try library.function("anoncreds_create_credential")
    encodeValues = try library.function("anoncreds_encode_credential_attributes")
    createRegistry = try library.function("anoncreds_create_revocation_registry_def")
    createStatusList = try library.function("anoncreds_create_revocation_status_list")
    updateStatusList = try library.function("anoncreds_update_revocation_status_list")
    updateTimestamp = try library.function("anoncreds_update_revocation_status_list_timestamp_only")
    verify = try library.function("anoncreds_verify_presentation")
  }
}
