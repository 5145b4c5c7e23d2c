internal import DIDComm
internal import JSON

/// An envelope inside a forward. It has the members of an envelope, but may be one of another version, which only its
/// recipient can open.
struct CarriedEnvelope {
  /// The text for the recipient's mailbox: JSON, since the agency's answers contain it as it is.
  let bytes: [UInt8]

  /// JSON beyond this depth is refused before anything is done with it.
  private static let maximumDepth = 32

  /// Reads an object, or its text, as some older senders write it.
  init(_ member: JSON) throws(RequestError) {
    let json = if let text = member.string { try? JSON(parsing: text) } else { member as JSON? }
    guard let json, json["protected"]?.string != nil, json["ciphertext"]?.string != nil else { throw Self.malformed }
    guard !json.isDeeper(than: Self.maximumDepth) else { throw .malformed("too deep") }
    bytes = json.bytes
  }

  /// Takes the text of a plain object.
  init(plain bytes: [UInt8]) throws(RequestError) {
    guard let object = PlainObject(bytes), object.string("protected") != nil, object.string("ciphertext") != nil else {
      throw Self.malformed
    }
    self.bytes = bytes
  }

  private static let malformed = RequestError.malformed("what is to be handed on is no envelope")

  /// Reads the envelope. Throws if it is of another version.
  func get() throws(EnvelopeError) -> Envelope { try Envelope(parsing: bytes) }
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
