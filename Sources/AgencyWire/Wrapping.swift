package import DIDComm
package import JSON
package import Sodium

/// Asks an agency to pass an envelope to one of its agents.
package struct AgencyForward: Sendable {
  package static let name = "FWD"
  /// A DID; servers take a verkey too.
  package let to: String
  /// The text of the envelope.
  package let envelope: [UInt8]

  package init(to: String, envelope: [UInt8]) {
    self.to = to
    self.envelope = envelope
  }

  /// The text of the message.
  package var bytes: [UInt8] {
    var text = JSONWriter(expecting: envelope.count + 256)
    text.object { text in
      text.name("@type")
      text.write(WireType.of(Self.name))
      text.name("@fwd")
      text.write(to)
      text.name("@msg")
      text.write(json: envelope)
    }
    return text.bytes
  }
}

/// The layers around a client's message, from the inside out.
package struct Wrapping: Sendable {
  /// The envelope around all layers so far, to post.
  package private(set) var bytes: [UInt8]
  private var addressee: Party
  private let random: @Sendable (Int) -> [UInt8]

  /// The message, authenticated from `sender` to its addressee.
  package init(
    _ message: JSON, from sender: KeyPair, to agent: Party, random: @escaping @Sendable (Int) -> [UInt8] = randomBytes
  ) throws(EnvelopeError) {
    bytes = try Envelope.pack(message.bytes, for: [agent.verkey], from: sender, random: random)
    addressee = agent
    self.random = random
  }

  /// A layer that asks `carrier` to forward the envelope inside; authenticated if `sender` is given.
  package func carried(by carrier: Party, from sender: KeyPair? = nil) throws(EnvelopeError) -> Wrapping {
    let forward = AgencyForward(to: addressee.did, envelope: bytes)
    var outer = self
    outer.bytes = try Envelope.pack(forward.bytes, for: [carrier.verkey], from: sender, random: random)
    outer.addressee = carrier
    return outer
  }
}
