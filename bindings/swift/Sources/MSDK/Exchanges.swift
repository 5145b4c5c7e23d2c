public import CMSDKCalls
internal import CMSDK

/// A credential, from its offer on. The library's object is released with the last reference.
public final class Credential: Sendable {
  public enum State: UInt32, Sendable {
    case failed = 0
    case requested = 2
    case offered = 3
    /// The credential is in the wallet.
    case stored = 4
    case declined = 9
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  private init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_credential_release(handle) }

  /// Takes up an offer: the text of a message of the kind `credential-offer`.
  public static func offered(_ offer: String, name: String) async throws(MSDKError) -> Credential {
    Credential(try await Call.number { vcx_credential_create_with_offer($0, name, offer, $1) })
  }

  public static func restore(_ text: String) async throws(MSDKError) -> Credential {
    Credential(try await Call.number { vcx_credential_deserialize($0, text, $1) })
  }

  /// Accepts the offer; without a connection, at the address of the invitation that brought it.
  public func accept(over connection: Connection?) async throws(MSDKError) {
    try await Call.done { vcx_credential_send_request($0, handle, connection?.handle ?? 0, 0, $1) }
  }

  /// Looks into the mailbox once.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    State(rawValue: try await Call.number { vcx_credential_update_state($0, handle, $1) }) ?? .failed
  }

  /// The stored credential's facts, as JSON text.
  public var info: String {
    get async throws(MSDKError) { try await Call.text { vcx_credential_get_info($0, handle, $1) } ?? "" }
  }

  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_credential_serialize($0, handle, $1) } ?? ""
  }
}

/// A proof, from its request on. The library's object is released with the last reference.
public final class Proof: Sendable {
  public enum State: UInt32, Sendable {
    case failed = 0
    /// A proposal that is not sent.
    case proposed = 1
    case sent = 2
    case requested = 3
    case accepted = 4
    case declined = 9
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  private init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_disclosed_proof_release(handle) }

  /// Takes up a request: the text of a message of the kind `presentation-request`.
  public static func requested(_ request: String, name: String) async throws(MSDKError) -> Proof {
    Proof(try await Call.number { vcx_disclosed_proof_create_with_request($0, name, request, $1) })
  }

  /// The stored credentials that fit each item, as JSON text.
  public func credentials() async throws(MSDKError) -> String {
    try await Call.text { vcx_disclosed_proof_retrieve_credentials($0, handle, $1) } ?? ""
  }

  /// Makes the proof of a selection of credentials, and of values without one; both are JSON texts.
  public func generate(selected: String, selfAttested: String = "{}") async throws(MSDKError) {
    try await Call.done { vcx_disclosed_proof_generate_proof($0, handle, selected, selfAttested, $1) }
  }

  public func send(over connection: Connection?) async throws(MSDKError) {
    try await Call.done { vcx_disclosed_proof_send_proof($0, handle, connection?.handle ?? 0, $1) }
  }

  /// Looks into the mailbox once.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    State(rawValue: try await Call.number { vcx_disclosed_proof_update_state($0, handle, $1) }) ?? .failed
  }

  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_disclosed_proof_serialize($0, handle, $1) } ?? ""
  }
}
