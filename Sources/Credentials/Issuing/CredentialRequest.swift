internal import JSON
internal import Sodium

/// The engine's answer to an offer, and the holder's data for the resulting credential.
package struct CredentialRequest: Equatable, Sendable {
  package let text: String
  /// The secrets of the request, which are useless without the link secret.
  package let metadata: String
  /// The SHA-256 of the offer.
  private let offerHash: String

  init(text: String, metadata: String, answering offer: String) {
    self.text = text
    self.metadata = metadata
    offerHash = Self.hash(offer)
  }

  /// The id of the record that keeps the request.
  func id(on thread: String) -> String { "\(thread) \(offerHash)" }

  /// The id of the record that keeps the request for an offer.
  static func id(on thread: String, answering offer: String) -> String { "\(thread) \(hash(offer))" }

  private static func hash(_ text: String) -> String { sha256(Array(text.utf8)).hex }

  // MARK: Stored

  var json: JSON { ["offer": .string(offerHash), "request": .string(text), "metadata": .string(metadata)] }

  /// Reads a stored request. Returns nil if the text is not one.
  init?(parsing text: String) {
    guard let json = try? JSON(parsing: text), let hash = json["offer"]?.string,
      let text = json["request"]?.string, let metadata = json["metadata"]?.string
    else { return nil }
    (offerHash, self.text, self.metadata) = (hash, text, metadata)
  }
}
