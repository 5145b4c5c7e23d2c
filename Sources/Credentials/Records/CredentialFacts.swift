package import JSON
internal import Wallet

/// The origin of a credential: the connection with its issuer.
package struct CredentialSource: Equatable, Sendable {
  /// This side's pairwise DID.
  package let connection: String
  /// The verkeys of the issuer, in base58.
  package let issuerKeys: [String]

  package init(connection: String, issuerKeys: [String]) {
    self.connection = connection
    self.issuerKeys = issuerKeys
  }
}

/// Facts about a credential that libindy's record has no member for, in a record of their own.
package struct CredentialFacts: Equatable, Sendable {
  let source: CredentialSource?
  /// The name of the format in which the credential came; nil if it is unknown.
  let format: String?
  /// The time of the storing, in seconds since 1970; nil for a credential that an older version or another library has
  /// stored.
  let received: Int64?
  /// The words and attachments of the offer that are for people; nil if they are unknown.
  let display: JSON?
  /// The id of the record with the request that brought the credential; nil if the wallet does not keep it.
  var requestID: String?
  var isRevoked = false
  /// The ids of the issuer's last notices that had their effect.
  private(set) var notices: [String] = []

  /// The number of notices that are remembered. Issuers send one or two for a credential.
  private static let mostNotices = 32

  static let revokedQuery = #"{"revoked":"1"}"#

  package init(source: CredentialSource?, format: String? = nil, received: Int64? = nil, display: JSON? = nil) {
    self.source = source
    self.format = format
    self.received = received
    self.display = display
  }

  init(parsing text: String) {
    let json = try? JSON(parsing: text)
    source = json?["connection"]?.string.map { connection in
      CredentialSource(connection: connection, issuerKeys: json?["issuer_keys"]?.array?.compactMap(\.string) ?? [])
    }
    format = json?["format"]?.string
    received = json?["received"]?.integer
    display = json?["display"]
    requestID = json?["request"]?.string
    isRevoked = json?["revoked"]?.bool ?? false
    notices = json?["notices"]?.array?.compactMap(\.string) ?? []
  }

  var text: String {
    var json: JSON = ["revoked": .bool(isRevoked)]
    json["connection"] = (source?.connection).map(JSON.string)
    json["issuer_keys"] = (source?.issuerKeys).map { JSON($0) }
    json["format"] = format.map(JSON.string)
    json["received"] = received.map(JSON.integer)
    json["display"] = display
    json["request"] = requestID.map(JSON.string)
    if !notices.isEmpty { json["notices"] = JSON(notices) }
    return json.text
  }

  /// Applies a notice of the issuer, once: a message that is looked at again says nothing new. Returns whether it is new.
  mutating func apply(notice: String, revoked: Bool) -> Bool {
    guard !notices.contains(where: { $0.isExactly(notice) }) else { return false }
    notices = (notices + [notice]).suffix(Self.mostNotices)
    isRevoked = revoked
    return true
  }

  /// The tag finds revoked credentials without reading the facts of all.
  var tags: Tags { isRevoked ? ["revoked": "1"] : [:] }
}
