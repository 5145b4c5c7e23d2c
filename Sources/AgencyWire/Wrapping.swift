package import DIDComm
package import JSON
package import Sodium

/// Asks an agency to pass an envelope to one of its agents.
package struct AgencyForward: AgencyMessage {
  package static let name = "FWD"
  /// A DID; servers take a verkey too.
  package let to: String
  package let envelope: JSON

  package init(to: String, envelope: JSON) {
    self.to = to
    self.envelope = envelope
  }

  package init(_ object: JSONObject) throws(JSONError) {
    to = try object.string("@fwd")
    envelope = .object(try object.object("@msg"))
  }

  package var members: JSONObject { ["@fwd": .string(to), "@msg": envelope] }
}

/// The layers around a client's message, from the inside out.
package struct Wrapping: Sendable {
  private var json: JSON
  private var addressee: Party
  private let random: @Sendable (Int) -> [UInt8]

  /// The message, authenticated from `sender` to its addressee.
  package init(
    _ message: JSON, from sender: KeyPair, to agent: Party, random: @escaping @Sendable (Int) -> [UInt8] = randomBytes
  ) throws(EnvelopeError) {
    json = try Envelope.packed(message.bytes, for: [agent.verkey], from: sender, random: random)
    addressee = agent
    self.random = random
  }

  /// A layer that asks `carrier` to forward the envelope inside; authenticated if `sender` is given.
  package func carried(by carrier: Party, from sender: KeyPair? = nil) throws(EnvelopeError) -> Wrapping {
    let forward = AgencyForward(to: addressee.did, envelope: json)
    let type = Dialect.evernym.type(of: AgencyForward.name)
    var outer = self
    outer.json = try Envelope.packed(
      forward.json(type: type).bytes, for: [carrier.verkey], from: sender, random: random)
    outer.addressee = carrier
    return outer
  }

  /// The bytes to post.
  package var bytes: [UInt8] { json.bytes }
}
