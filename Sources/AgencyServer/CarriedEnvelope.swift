internal import DIDComm
internal import JSON

/// An envelope inside a forward, read once. It has the members of an envelope, but may be one of another version, which
/// only its recipient can open.
struct CarriedEnvelope {
  private let json: JSON
  private let envelope: Result<Envelope, EnvelopeError>

  /// JSON beyond this depth is refused before anything is done with it.
  private static let maximumDepth = 32

  /// Reads an object, or its text, as some older senders write it.
  init(_ member: JSON) throws(RequestError) {
    let json = if let text = member.string { try? JSON(parsing: text) } else { member as JSON? }
    guard let json, json["protected"]?.string != nil, json["ciphertext"]?.string != nil else {
      throw .malformed("what is to be handed on is no envelope")
    }
    guard !json.isDeeper(than: Self.maximumDepth) else { throw .malformed("too deep") }
    self.json = json
    envelope = Result { () throws(EnvelopeError) in try Envelope(json) }
  }

  /// The text for the recipient's mailbox.
  var bytes: [UInt8] { json.bytes }

  func isFor(_ key: VerKey) -> Bool {
    if case .success(let envelope) = envelope { envelope.recipientKeys.contains(key.text) } else { false }
  }

  func get() throws(EnvelopeError) -> Envelope { try envelope.get() }
}

extension JSON {
  /// Whether the nesting of arrays and objects exceeds `limit`.
  func isDeeper(than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    return switch self {
    case .array(let elements): elements.contains { $0.isDeeper(than: limit - 1) }
    case .object(let object): object.members.contains { $0.value.isDeeper(than: limit - 1) }
    default: false
    }
  }
}
