public import CMSDKCalls
internal import CMSDK

/// The attributes of a kind of credential, published under an id. A released schema stays published.
public final class Schema: Sendable {
  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_schema_release(handle) }

  /// Publishes a schema in the registry that the configuration opens for writing. `version` has digits and dots. To publish
  /// the same schema again succeeds.
  public static func create(
    name: String, version: String, attributes: [String]
  ) async throws(MSDKError) -> Schema {
    let names = JSONText.of(attributes)
    return Schema(try await Call.number { vcx_schema_create($0, name, name, version, names, 0, $1) })
  }

  /// The id, which definitions and proof requests name.
  public var id: String {
    get async throws(MSDKError) { try await Call.text { vcx_schema_get_schema_id($0, handle, $1) } ?? "" }
  }
}

/// An issuer's keys for credentials of a schema. The public ones are published, the private ones are in the wallet.
public final class CredentialDefinition: Sendable {
  /// So many credentials can be issued and revoked. The tails file of the registry goes into the folder.
  public struct Revocation: Sendable, Encodable {
    private let isSupported = true
    public var maxCredentials: Int
    public var tailsFolder: String

    public init(maxCredentials: Int, tailsFolder: String) {
      (self.maxCredentials, self.tailsFolder) = (maxCredentials, tailsFolder)
    }

    private enum CodingKeys: String, CodingKey {
      case isSupported = "support_revocation"
      case maxCredentials = "max_creds"
      case tailsFolder = "tails_file"
    }
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_credentialdef_release(handle) }

  /// Makes keys, which takes seconds, and publishes them. A call that failed to publish can be repeated.
  public static func create(
    schema: String, tag: String, revocation: Revocation? = nil
  ) async throws(MSDKError) -> CredentialDefinition {
    let details = revocation.map { JSONText.of($0) } ?? "{}"
    return CredentialDefinition(
      try await Call.number { vcx_credentialdef_create($0, tag, tag, schema, nil, tag, details, 0, $1) })
  }

  /// Restores a definition from the text of ``serialized()``, with the wallet that has its keys.
  public static func restore(_ text: String) async throws(MSDKError) -> CredentialDefinition {
    CredentialDefinition(try await Call.number { vcx_credentialdef_deserialize($0, text, $1) })
  }

  /// The id, which proof requests name.
  public var id: String {
    get async throws(MSDKError) { try await Call.text { vcx_credentialdef_get_cred_def_id($0, handle, $1) } ?? "" }
  }

  /// Publishes what is not published yet, revocations too. Returns whether the definition is published.
  @discardableResult
  public func publishRest() async throws(MSDKError) -> Bool {
    try await Call.number { vcx_credentialdef_update_state($0, handle, $1) } == VCX_PUBLICATION_PUBLISHED.rawValue
  }

  /// The definition as text, without its keys.
  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_credentialdef_serialize($0, handle, $1) } ?? ""
  }
}

/// A credential that this side issues. Store ``serialized()`` after each step.
public final class IssuerCredential: Sendable {
  public enum State: UInt32, Sendable {
    case failed = 0
    case created = 1
    case offered = 2
    /// The holder has requested the credential.
    case requested = 3
    case issued = 4
    case declined = 9
    /// The holder proposes a credential.
    case proposed = 10
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_issuer_credential_release(handle) }

  /// A credential to be offered. `values` has a value for each attribute, `name` is for the holder's user.
  public static func create(
    _ definition: CredentialDefinition, values: [String: String], name: String, in form: ExchangeForm = ExchangeForm()
  ) async throws(MSDKError) -> IssuerCredential {
    let (text, options) = (JSONText.of(values), form.text)
    return IssuerCredential(
      try await Call.number {
        msdk_issuer_create_credential_with_options($0, name, definition.handle, text, name, options, $1)
      })
  }

  /// The answer to a holder's proposal: the text of a message of the kind `credential-proposal`.
  public static func proposed(_ proposal: String, name: String) async throws(MSDKError) -> IssuerCredential {
    IssuerCredential(
      try await Call.number { msdk_issuer_credential_create_with_proposal($0, name, proposal, $1) })
  }

  /// Restores a credential from the text of ``serialized()``, with the same wallet.
  public static func restore(_ text: String) async throws(MSDKError) -> IssuerCredential {
    IssuerCredential(try await Call.number { vcx_issuer_credential_deserialize($0, text, $1) })
  }

  /// The holder's proposal as JSON text, until the offer that answers it is sent.
  public var proposal: String {
    get async throws(MSDKError) { try await Call.text { msdk_issuer_credential_get_proposal($0, handle, $1) } ?? "" }
  }

  /// Decides about the offer that answers a proposal: the values may be those of the proposal or others.
  public func plan(
    _ definition: CredentialDefinition, values: [String: String], name: String
  ) async throws(MSDKError) {
    let text = JSONText.of(values)
    try await Call.done { msdk_issuer_credential_plan_offer($0, handle, definition.handle, text, name, $1) }
  }

  /// Declines a proposal, or withdraws an offer until the credential is issued.
  public func decline(over connection: Connection, reason: String? = nil) async throws(MSDKError) {
    try await Call.done { msdk_issuer_credential_decline_proposal($0, handle, connection.handle, reason, $1) }
  }

  /// Sends the offer. If the connection is an invitation that carries the ``offerMessage``, sends nothing: the request arrives
  /// there.
  public func offer(over connection: Connection) async throws(MSDKError) {
    try await Call.done { vcx_issuer_send_credential_offer($0, handle, connection.handle, $1) }
  }

  /// The message with the offer, for an invitation without a handshake.
  public var offerMessage: String {
    get async throws(MSDKError) { try await Call.text { vcx_issuer_get_credential_offer_msg($0, handle, $1) } ?? "" }
  }

  /// Looks into the mailbox once.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    State(rawValue: try await Call.number { vcx_issuer_credential_update_state($0, handle, $1) }) ?? .failed
  }

  /// Waits until the holder has requested the credential, declined, or proposed another one. Throws `CancellationError` if the task is cancelled: a
  /// holder may never answer.
  public func requested(every pause: Duration = .milliseconds(300)) async throws -> State {
    try await reach([.requested, .issued, .failed, .declined, .proposed], every: pause) { try await update() }
  }

  /// Makes the credential for the holder's request and sends it. A call that failed may be repeated.
  public func issue() async throws(MSDKError) {
    try await Call.done { vcx_issuer_send_credential($0, handle, 0, $1) }
  }

  /// Revokes the issued credential, publishes that, and tells the holder.
  public func revoke() async throws(MSDKError) {
    try await Call.done { vcx_issuer_revoke_credential($0, handle, $1) }
  }

  /// The id of the exchange's thread.
  public var threadID: String {
    get async throws(MSDKError) { try await Call.text { msdk_issuer_credential_get_thread_id($0, handle, $1) } ?? "" }
  }

  /// The place of the issued credential in its revocation registry.
  public var place: Place {
    get async throws(MSDKError) {
      try JSONText.read(Place.self, await Call.text { msdk_issuer_credential_get_place($0, handle, $1) })
    }
  }

  /// The registry and the place in it are nil for a credential that cannot be revoked.
  public struct Place: Sendable, Decodable {
    public let registryID, index: String?
    /// Whether this side has revoked the credential.
    public let isRevoked: Bool

    private enum CodingKeys: String, CodingKey {
      case registryID = "rev_reg_id"
      case index = "cred_rev_id"
      case isRevoked = "revoked"
    }
  }

  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_issuer_credential_serialize($0, handle, $1) } ?? ""
  }
}
