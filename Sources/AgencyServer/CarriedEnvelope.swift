internal import DIDComm
internal import JSON

/// An envelope inside a forward. It has the members of an envelope, but may be one of another version, which only its
/// recipient can open.
struct CarriedEnvelope {
  /// The text for the recipient's mailbox: JSON, since the agency's answers contain it as it is.
  let bytes: [UInt8]

  /// An envelope has four members. A client parses all messages of an answer together: a stranger's message with thousands
  /// of values would make it refuse the others too.
  private static let mostValues = 16

  /// Reads an object, or its text, as some older senders write it.
  init(_ member: JSON) throws(RequestError) {
    let json = if let text = member.string { try? JSON(parsing: text) } else { member as JSON? }
    guard let json, json["protected"]?.string != nil, json["ciphertext"]?.string != nil else { throw Self.malformed }
    guard json.countsAtMost(Self.mostValues) else { throw .malformed("too many members for an envelope") }
    bytes = json.bytes
  }

  /// Takes the text of a plain object.
  init(plain bytes: [UInt8]) throws(RequestError) {
    guard let object = PlainObject(bytes), object.string("protected") != nil, object.string("ciphertext") != nil else {
      throw Self.malformed
    }
    if object.holdsOnlyStrings, object.count <= Self.mostValues {
      self = CarriedEnvelope(checked: bytes)
    } else {
      try self.init(.string(String(decoding: bytes, as: UTF8.self)))
    }
  }

  private init(checked bytes: [UInt8]) { self.bytes = bytes }

  private static let malformed = RequestError.malformed("what is to be handed on is no envelope")

  /// Reads the envelope. Throws if it is of another version.
  func get() throws(EnvelopeError) -> Envelope { try Envelope(parsing: bytes) }
}

extension JSON {
  /// Whether the value has no more values inside of it than `limit`.
  func countsAtMost(_ limit: Int) -> Bool { remaining(of: limit) != nil }

  /// The rest of `limit` after the values inside of this one; nil if there are more.
  private func remaining(of limit: Int) -> Int? {
    let inner: [JSON] =
      switch self {
      case .array(let elements): elements
      case .object(let object): object.members.map(\.value)
      default: []
      }
    guard inner.count <= limit else { return nil }
    return inner.reduce(limit - inner.count) { rest, value in rest.flatMap { value.remaining(of: $0) } }
  }
}
