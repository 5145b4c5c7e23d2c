public import CMSDKCalls
internal import CMSDK

/// A credential in the wallet, with all that the wallet knows of it.
public struct HeldCredential: Sendable, Identifiable, Decodable {
  /// The thread id of the exchange that brought it.
  public let id: String
  public let values: [String: String]
  public let schemaID, credDefID: String
  public let schemaName, schemaVersion, issuerDID: String?
  /// The registry and the place in it; nil for a credential that cannot be revoked.
  public let registryID, revocationIndex: String?
  /// The wallet's knowledge; ``Credential/isRevoked`` asks the registry.
  public let isRevoked: Bool
  /// Seconds since 1970; nil for a credential that an older version or another library has stored.
  public let received: Int64?
  /// This side's DID of the connection that brought it; nil likewise.
  public let connection: String?
  /// The words and attachments of the offer; nil likewise.
  public let display: Display?

  private enum CodingKeys: String, CodingKey {
    case id = "referent"
    case values = "attrs"
    case schemaID = "schema_id"
    case credDefID = "cred_def_id"
    case schemaName = "schema_name"
    case schemaVersion = "schema_version"
    case issuerDID = "issuer_did"
    case registryID = "rev_reg_id"
    case revocationIndex = "cred_rev_id"
    case isRevoked = "revoked"
    case received, connection, display
  }
}

/// The parts of a message that are for people. Nobody has checked them.
public struct Display: Sendable, Decodable {
  public let comment, goal: String?
  public let goalCode: String?
  public let attachments: [Attachment]?

  /// An attachment, such as a logo. Lists of credentials leave the data out.
  public struct Attachment: Sendable, Decodable {
    public let id, mimeType, filename, description: String?
    /// The content as the sender wrote it.
    public let data: Data?

    public struct Data: Sendable, Decodable {
      public let base64: String?
      public let links: [String]?
    }

    private enum CodingKeys: String, CodingKey {
      case id = "@id"
      case mimeType = "mime-type"
      case filename, description, data
    }
  }

  private enum CodingKeys: String, CodingKey {
    case comment, goal, attachments
    case goalCode = "goal_code"
  }
}

/// The conditions of a search for credentials, all of which hold. A nil member sets no condition.
public struct CredentialQuery: Sendable, Encodable {
  public var schemaID, schemaName, schemaVersion, credDefID, issuerDID: String?
  /// The wanted values by name, in any spelling; nil stands for any value.
  public var attributes: [String: String?]?
  public var isRevoked: Bool?
  /// This side's DID of a connection: ``Connection/pairwiseDID``.
  public var connection: String?
  /// Seconds since 1970.
  public var receivedFrom, receivedTo: Int64?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case schemaID = "schema_id"
    case schemaName = "schema_name"
    case schemaVersion = "schema_version"
    case credDefID = "cred_def_id"
    case issuerDID = "issuer_did"
    case isRevoked = "revoked"
    case receivedFrom = "received_from"
    case receivedTo = "received_to"
    case attributes, connection
  }
}

extension Wallet {
  /// The credential with this id, and the data of its attachments.
  public static func credential(_ id: String) async throws(MSDKError) -> HeldCredential {
    try JSONText.read(HeldCredential.self, await Call.text { msdk_credentials_get($0, id, $1) })
  }

  /// The credentials that satisfy the query, in the order of their arrival, as the wallet is when the loop begins.
  public static func credentials(_ query: CredentialQuery = CredentialQuery()) -> Credentials {
    Credentials(query: JSONText.of(query))
  }

  /// See ``credentials(_:)``.
  public struct Credentials: AsyncSequence, Sendable {
    public typealias Element = HeldCredential

    let query: String

    public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

    public struct Iterator: AsyncIteratorProtocol {
      private let query: String
      private var open: OpenCredentialSearch?
      private var page: ArraySlice<HeldCredential> = []
      private var isAtEnd = false

      init(query: String) { self.query = query }

      public mutating func next() async throws(MSDKError) -> HeldCredential? {
        if page.isEmpty, !isAtEnd {
          let search = try await opened()
          page = try await search.next(100)[...]
          isAtEnd = page.isEmpty
        }
        return page.popFirst()
      }

      private mutating func opened() async throws(MSDKError) -> OpenCredentialSearch {
        if let open { return open }
        let search = try await OpenCredentialSearch(query: query)
        open = search
        return search
      }
    }
  }
}

/// A search of the library, which is closed with the last reference.
private final class OpenCredentialSearch: Sendable {
  private let handle: vcx_search_handle_t

  init(query: String) async throws(MSDKError) {
    handle = try await Call.search { msdk_credentials_open_search($0, query, $1) }
  }

  deinit { _ = msdk_credentials_close_search(0, handle) { _, _ in } }

  func next(_ count: Int) async throws(MSDKError) -> [HeldCredential] {
    try JSONText.read(
      [HeldCredential].self, await Call.text { msdk_credentials_search_next($0, handle, count, $1) })
  }
}
