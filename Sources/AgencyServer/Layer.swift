internal import AgencyWire
internal import DIDComm
internal import JSON
internal import Sodium

/// An opened layer: a message and its proven sender.
struct Layer {
  /// The `@type` of the message. The answer repeats its family and version.
  let type: String
  let object: JSONObject

  /// Nil if the envelope proves no sender.
  let sender: VerKey?

  init(_ opened: Opened) throws(RequestError) {
    guard let object = (try? JSON(parsing: opened.message))?.object else { throw .malformed("a layer is no message") }
    guard let type = object["@type"] else { throw .missing(member: "@type") }
    guard let text = type.string else { throw .unsupported(type: "not a string") }
    self.type = text
    self.object = object
    sender = opened.sender
  }

  /// The last part of the type. Agencies distinguish messages by it, since families differ.
  var name: String { type.split(separator: "/").last.map(String.init) ?? type }

  var isForward: Bool { [AgencyForward.name, Forward.type.name].contains(name) }

  /// The envelope inside, if this message is a forward.
  func hop() throws(RequestError) -> Hop? {
    switch name {
    case AgencyForward.name: try Hop(object, to: "@fwd", envelope: "@msg")
    case Forward.type.name: try Hop(object, to: "to", envelope: "msg")
    default: nil
    }
  }

  /// Reads the message as one of a kind.
  func read<Message: AgencyMessage>(_: Message.Type = Message.self) throws(RequestError) -> Message {
    do {
      return try Message(object)
    } catch {
      switch error {
      case .missing(let key): throw .missing(member: key)
      case .wrongType, .malformed, .tooDeep, .tooManyValues: throw .invalid(error.description)
      }
    }
  }
}

/// An envelope on its way to an address.
struct Hop {
  let address: Address

  let envelope: CarriedEnvelope
  let hint: MessageHint

  /// Reads a forward with these names for the members of the address and the envelope.
  init(_ forward: JSONObject, to addressName: String, envelope envelopeName: String) throws(RequestError) {
    guard let to = forward[addressName] else { throw .missing(member: addressName) }
    guard let envelope = forward[envelopeName] else { throw .missing(member: envelopeName) }
    // Malformed addresses get the same answer as unknown ones.
    guard let address = to.string.flatMap({ Address($0) }) else { throw .notFound(reason: "malformed address") }
    self.address = address
    self.envelope = try CarriedEnvelope(envelope)
    hint = MessageHint(in: forward)
  }
}
