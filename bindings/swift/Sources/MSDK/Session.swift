@_exported public import CMSDKCalls
internal import CMSDK
internal import Synchronization

/// The running library: an open wallet, and its owner's mailbox at an agency or a mediator.
///
/// A process has one session at a time. It ends with `end()`, or when nobody holds it any more.
///
/// ```swift
/// let request = Provisioning(at: .agency(agency), walletName: "alice", walletKey: key)
/// let configuration = try await Session.provision(request)
/// let session = try await Session(configuration)
/// let connection = try await Connection.accept(invitation, name: "faber")
/// try await connection.connect()
/// ```
public final class Session: Sendable {
  /// Whether this object's session runs. The library has one session for the process: an object whose own has ended, or never
  /// began, must not end another's.
  private let isRunning = Mutex(false)

  /// Opens the wallet, and uses the configuration that ``provision(_:token:)`` returned. Sends no request.
  public init(_ configuration: Configuration) async throws(MSDKError) {
    try await Call.done { vcx_init_with_config($0, configuration.text, $1) }
    isRunning.withLock { $0 = true }
  }

  deinit { end() }

  /// Closes the wallet, and deletes it on request. Objects of the session are released. Does nothing if it has ended already,
  /// also while another session runs.
  public func end(deletingWallet: Bool = false) {
    let wasRunning = isRunning.withLock { isRunning in
      defer { isRunning = false }
      return isRunning
    }
    if wasRunning { _ = vcx_shutdown(deletingWallet) }
  }

  /// Makes a wallet and a mailbox at an agency or a mediator, once for each wallet. If it fails, it can be repeated.
  ///
  /// - Parameters:
  ///   - request: The Cloud Agent and the wallet.
  ///   - token: A sponsor's token as JSON text, if the agency requires one.
  /// - Returns: The configuration for all later sessions. It holds the wallet's key: keep it secret.
  /// - Throws: An error of the Cloud Agent, the network or the wallet.
  public static func provision(
    _ request: Provisioning, token: String? = nil
  ) async throws(MSDKError) -> Configuration {
    let text = JSONText.of(request)
    let result =
      if let token {
        try await Call.text { vcx_provision_agent_with_token_async($0, text, token, $1) }
      } else {
        try await Call.text { vcx_agent_provision_async($0, text, $1) }
      }
    return Configuration(text: result ?? "")
  }

  /// Throws if the Cloud Agent does not answer.
  public func checkHealth() async throws(MSDKError) { try await Call.done { vcx_health_check($0, $1) } }

  /// Opens the mailbox of `institution_did`, and publishes its endpoint on the ledger, so that peers can reach it.
  ///
  /// - Returns: JSON text with `did`, `verkey`, `endpoint`, `routing_keys`, `document` and `published`.
  @discardableResult
  public func publishPublicDID() async throws(MSDKError) -> String {
    try await Call.text { msdk_public_did_publish($0, $1) } ?? ""
  }

  /// The version of the library, such as `0.1.0+1a2b3c4`.
  public static var version: String { String(cString: vcx_version()) }
}

/// The configuration of a session, as JSON text: the result of provisioning. A program may store it and read it back.
public struct Configuration: Sendable, Equatable {
  public var text: String

  public init(text: String) { self.text = text }
}

/// A request for a wallet and a mailbox.
public struct Provisioning: Sendable, Encodable {
  /// The address and the identity of an agency, which prints them at its start.
  public struct Agency: Sendable, Equatable {
    public var endpoint, did, verkey: String

    public init(endpoint: String, did: String, verkey: String) {
      (self.endpoint, self.did, self.verkey) = (endpoint, did, verkey)
    }
  }

  /// The server that keeps the owner's mailbox.
  public enum CloudAgent: Sendable, Equatable {
    case agency(Agency)
    /// A mediator of Aries, by its invitation: JSON, or a URL.
    case mediator(invitation: String)
  }

  /// A place where issuers publish schemas, definitions and revocation registries.
  public struct Registry: Sendable, Encodable {
    private let type: String
    private let path, url: String?
    private let write: Bool?

    /// A folder. The program publishes in the first one that it may write to.
    public static func folder(_ path: String, isWritable: Bool = false) -> Registry {
      Registry(type: "file", path: path, url: nil, write: isWritable ? true : nil)
    }

    /// The same files, below an https address.
    public static func web(_ url: String) -> Registry { Registry(type: "http", path: nil, url: url, write: nil) }
  }

  public var cloudAgent: CloudAgent
  /// The name and the key of the wallet.
  public var walletName, walletKey: String
  /// The directory that holds the wallet's directory; nil for `~/.indy_client/wallet`.
  public var walletHome: String?
  /// The user's name, as peers see it.
  public var institutionName: String?
  /// Where the schemas and definitions of credentials are; without credentials none is needed.
  public var registries: [Registry]
  /// Whether the wallet keeps connections, exchanges and definitions, which ``KeptObject`` finds again. Otherwise the program
  /// stores their serialized texts.
  public var keepsObjects = true

  public init(
    at cloudAgent: CloudAgent, walletName: String, walletKey: String, walletHome: String? = nil,
    institutionName: String? = nil, registries: [Registry] = []
  ) {
    (self.cloudAgent, self.walletName, self.walletKey) = (cloudAgent, walletName, walletKey)
    (self.walletHome, self.institutionName, self.registries) = (walletHome, institutionName, registries)
  }

  private enum Key: String, CodingKey {
    case endpoint = "agency_endpoint"
    case did = "agency_did"
    case verkey = "agency_verkey"
    case mediatorInvitation = "mediator_invitation"
    case name = "wallet_name"
    case key = "wallet_key"
    case storage = "storage_config"
    case institution = "institution_name"
    case registries = "anoncreds_registries"
    case protocolType = "protocol_type"
    case keepsObjects = "keep_objects"
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    switch cloudAgent {
    case .agency(let agency):
      try members.encode(agency.endpoint, forKey: .endpoint)
      try members.encode(agency.did, forKey: .did)
      try members.encode(agency.verkey, forKey: .verkey)
    case .mediator(let invitation): try members.encode(invitation, forKey: .mediatorInvitation)
    }
    try members.encode("4.0", forKey: .protocolType)
    try members.encode(keepsObjects, forKey: .keepsObjects)
    try members.encode(walletName, forKey: .name)
    try members.encode(walletKey, forKey: .key)
    try members.encodeIfPresent(walletHome.map { ["path": $0] }, forKey: .storage)
    try members.encodeIfPresent(institutionName, forKey: .institution)
    if !registries.isEmpty { try members.encode(registries, forKey: .registries) }
  }
}
