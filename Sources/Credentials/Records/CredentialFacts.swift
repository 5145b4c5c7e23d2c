internal import JSON
internal import Wallet

/// The origin of a credential: the connection with its issuer.
package struct CredentialSource: Equatable, Sendable {
  /// The own pairwise DID.
  package let connection: String
  /// The verkeys of the issuer, in base58.
  package let issuerKeys: [String]

  package init(connection: String, issuerKeys: [String]) {
    self.connection = connection
    self.issuerKeys = issuerKeys
  }
}

/// Facts about a credential that do not fit libindy's record, in a record of their own.
struct CredentialFacts {
  let source: CredentialSource?
  /// The name of the format in which it came; nil if that is unknown.
  let format: String?
  var isRevoked = false

  static let revokedQuery = #"{"revoked":"1"}"#

  init(source: CredentialSource?, format: String? = nil) {
    self.source = source
    self.format = format
  }

  init(parsing text: String) {
    let json = try? JSON(parsing: text)
    source = json?["connection"]?.string.map { connection in
      CredentialSource(connection: connection, issuerKeys: json?["issuer_keys"]?.array?.compactMap(\.string) ?? [])
    }
    format = json?["format"]?.string
    isRevoked = json?["revoked"]?.bool ?? false
  }

  var text: String {
    var json: JSON = ["revoked": .bool(isRevoked)]
    json["connection"] = (source?.connection).map(JSON.string)
    json["issuer_keys"] = (source?.issuerKeys).map { JSON($0) }
    json["format"] = format.map(JSON.string)
    return json.text
  }

  /// The tag finds revoked credentials without reading the facts of all.
  var tags: Tags { isRevoked ? ["revoked": "1"] : [:] }
}
