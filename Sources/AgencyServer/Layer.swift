internal import AgencyWire
internal import DIDComm
internal import JSON
internal import Sodium

/// An opened layer: a message and its proven sender.
struct Layer {
  /// The `@type` of the message. The answer repeats its family and version.
  let type: String

  /// The last part of the type. Agencies distinguish messages by it, since families differ.
  let name: String

  /// Nil if the envelope proves no sender.
  let sender: VerKey?

  private let content: Content

  init(_ opened: Opened) throws(RequestError) {
    sender = opened.sender
    content = try Content(opened.message)
    guard content.has("@type") else { throw .missing(member: "@type") }
    guard let text = content.string("@type") else { throw .unsupported(type: "not a string") }
    type = text
    name = text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? text
  }

  var isForward: Bool { [AgencyForward.name, Forward.type.name].contains(name) }

  /// The envelope inside, if this message is a forward.
  func hop() throws(RequestError) -> Hop? {
    switch name {
    case AgencyForward.name: try Hop(content, to: "@fwd", envelope: "@msg")
    case Forward.type.name: try Hop(content, to: "to", envelope: "msg")
    default: nil
    }
  }

  /// Reads the message as one of a kind.
  func read<Message: AgencyMessage>(_: Message.Type = Message.self) throws(RequestError) -> Message {
    do {
      return try Message(content.object())
    } catch {
      switch error {
      case .missing(let key): throw .missing(member: key)
      case .wrongType, .malformed, .tooDeep, .tooManyValues, .repeatedName, .unknown: throw .invalid(error.description)
      }
    }
  }
}

/// The members of a layer. Most forwards are plain: the agency then passes the envelope inside on as unchanged text.
enum Content {
  case plain(PlainObject)
  case json(JSONObject)

  init(_ message: [UInt8]) throws(RequestError) {
    if let plain = PlainObject(message) {
      self = .plain(plain)
    } else {
      guard let object = (try? JSON(parsing: message))?.object else { throw .malformed("a layer is no message") }
      self = .json(object)
    }
  }

  func has(_ name: String) -> Bool {
    switch self {
    case .plain(let plain): plain.has(name)
    case .json(let object): object[name] != nil
    }
  }

  func string(_ name: String) -> String? {
    switch self {
    case .plain(let plain): plain.string(name)
    case .json(let object): object[name]?.string
    }
  }

  /// The envelope in a member. Nil if there is no such member.
  func envelope(_ name: String) throws(RequestError) -> CarriedEnvelope? {
    switch self {
    case .plain(let plain):
      if let text = plain.object(name) { return try CarriedEnvelope(plain: text) }
      return try plain.string(name).map { text throws(RequestError) in try CarriedEnvelope(.string(text)) }
    case .json(let object):
      return try object[name].map { member throws(RequestError) in try CarriedEnvelope(member) }
    }
  }

  /// The members as values.
  func object() throws(JSONError) -> JSONObject {
    switch self {
    case .plain(let plain): try JSON(parsing: plain.bytes).requireObject()
    case .json(let object): object
    }
  }
}

/// An envelope on its way to an address.
struct Hop {
  let address: Address

  let envelope: CarriedEnvelope
  let hint: MessageHint

  /// Reads a forward with these names for the members of the address and the envelope.
  init(_ forward: Content, to addressName: String, envelope envelopeName: String) throws(RequestError) {
    guard forward.has(addressName) else { throw .missing(member: addressName) }
    guard forward.has(envelopeName) else { throw .missing(member: envelopeName) }
    // Malformed addresses get the same answer as unknown ones.
    guard let address = forward.string(addressName).flatMap({ Address($0) }) else {
      throw .notFound(reason: "malformed address")
    }
    guard let envelope = try forward.envelope(envelopeName) else { throw .missing(member: envelopeName) }
    self.address = address
    self.envelope = envelope
    hint = MessageHint { forward.string($0) }
  }
}
