package import JSON
internal import OpenSSL
internal import Sodium

/// A program's account at Google, from the file of Google's console. It authenticates itself with signatures.
package struct ServiceAccount: Sendable {
  /// The project whose apps the account may wake.
  package let projectID: String
  package let email: String

  /// The URL for access tokens; https.
  package var tokenURL: String
  private let keyID: String?
  private let key: RSAKey

  /// The scope of Google's access tokens.
  private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

  /// The audience that Google requires, for any server in `token_uri`.
  private static let audience = "https://oauth2.googleapis.com/token"

  /// The lifetime of an assertion in seconds; Google allows no more.
  private static let lifetime: Int64 = 3600

  package init(_ json: JSON) throws(ServiceAccountError) {
    func text(_ name: String) throws(ServiceAccountError) -> String {
      guard let text = json[name]?.string, !text.isEmpty else { throw .missing(name) }
      return text
    }
    projectID = try text("project_id")
    email = try text("client_email")
    tokenURL = try text("token_uri")
    keyID = json["private_key_id"]?.string
    guard projectID.utf8.allSatisfy(Self.isPlain) else { throw .wrong("project_id", "not a project's id") }
    guard isSecureURL(tokenURL) else { throw .wrong("token_uri", "not an https URL") }
    do {
      key = try RSAKey(pem: Array(text("private_key").utf8))
    } catch let error as ServiceAccountError {
      throw error
    } catch {
      throw .wrong("private_key", "\(error)")
    }
  }

  /// A project's id becomes a part of a URL.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-.:".utf8.contains(byte)
    }
  }

  /// The JSON Web Token that Google exchanges for an access token (RFC 7523), made at `time`, in seconds since 1970.
  func assertion(at time: Int64) throws(ServiceAccountError) -> String {
    var header: JSON = ["alg": "RS256", "typ": "JWT"]
    header["kid"] = keyID.map(JSON.string)
    let claims: JSON = [
      "iss": .string(email), "scope": .string(Self.scope), "aud": .string(Self.audience), "iat": .integer(time),
      "exp": .integer(time + Self.lifetime),
    ]
    let signed = [header, claims].map { Base64.encode($0.bytes, .url, padded: false) }.joined(separator: ".")
    do {
      return try signed + "." + Base64.encode(key.sign(Array(signed.utf8)), .url, padded: false)
    } catch {
      throw .wrong("private_key", error.description)
    }
  }
}

/// The fault in a service account. It names members, never values.
package enum ServiceAccountError: Error, Equatable, Sendable {
  case missing(String)
  case wrong(_ member: String, _ reason: String)
}

extension ServiceAccountError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let member): "\(member) is missing"
    case .wrong(let member, let reason): "\(member) is \(reason)"
    }
  }
}

/// Whether the URL may receive access tokens and the requests for them.
func isSecureURL(_ text: String) -> Bool { WebhookURL(text)?.target.hasPrefix("https://") ?? false }
