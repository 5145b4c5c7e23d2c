internal import JSON
internal import Sodium

/// The engine's answer to an offer, and the holder's data for the resulting credential.
package struct CredentialRequest: Equatable, Sendable {
  package let text: String
  /// The secrets of the request, which are useless without the link secret.
  package let metadata: String

  init(text: String, metadata: String) {
    self.text = text
    self.metadata = metadata
  }

  // MARK: Stored

  var json: JSON { ["request": .string(text), "metadata": .string(metadata)] }

  /// Reads a stored request. Returns nil if the text is not one.
  init?(parsing text: String) {
    guard let json = try? JSON(parsing: text), let text = json["request"]?.string,
      let metadata = json["metadata"]?.string
    else { return nil }
    (self.text, self.metadata) = (text, metadata)
  }
}

/// The offer that a request answers. Anybody can repeat an offer and its thread, so the issuer's key distinguishes copies.
package struct AnsweredOffer: Equatable, Sendable {
  /// The attached JSON text.
  let text: String
  /// The id of the record that keeps the request.
  let requestID: String

  /// `issuer` is the key that receives the request.
  package init(_ text: String, on thread: String, from issuer: String) {
    self.text = text
    requestID = "\(thread) \(issuer) \(sha256(Array(text.utf8)).hex)"
  }
}
