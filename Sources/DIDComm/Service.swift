package import JSON
package import Sodium

/// The service of an agent: the recipients' keys, the routing keys, nearest to the recipient first, and the endpoint
/// for posts.
package struct Service: Equatable, Sendable {
  package var recipientKeys: [VerKey]
  package var routingKeys: [VerKey]
  package var endpoint: String
  /// Whether a routing key is malformed. Nothing can be packed for such a service, which connections of other libraries
  /// may have.
  package private(set) var hasMalformedRoutingKey = false

  package init(recipientKeys: [VerKey], routingKeys: [VerKey] = [], endpoint: String) {
    self.recipientKeys = recipientKeys
    self.routingKeys = routingKeys
    self.endpoint = endpoint
  }

  /// A service that was read. `routingKeys` is nil if a routing key is malformed; nothing can then be packed for the
  /// service.
  package init(recipientKeys: [VerKey], routingKeys: [VerKey]?, endpoint: String) {
    self.init(recipientKeys: recipientKeys, routingKeys: routingKeys ?? [], endpoint: endpoint)
    hasMalformedRoutingKey = routingKeys == nil
  }

  /// Returns the first http endpoint of a `serviceEndpoint`: a text, an object with a `uri`, or an array of these. Without one,
  /// returns the first WebSocket endpoint.
  package static func endpoint(among offered: JSON) throws(EndpointError) -> String {
    let endpoints = (offered.array ?? [offered]).compactMap { $0.string ?? $0["uri"]?.string }
    if let endpoint = endpoints.first(where: { has($0, scheme: "http") }) { return endpoint }
    guard let endpoint = endpoints.first(where: isWebSocket) else { throw .unsupported }
    return endpoint
  }

  /// Whether messages reach the endpoint over a WebSocket (`ws://`, `wss://`).
  package static func isWebSocket(_ endpoint: String) -> Bool { has(endpoint, scheme: "ws") }

  /// The first WebSocket endpoint in a DID document or an out-of-band invitation; nil if there is none.
  package static func socket(in json: JSON) -> String? {
    let services = (json["service"] ?? json["services"])?.array ?? []
    for service in services.prefix(DIDDocument.maximumServices) where service["type"] != "DIDCommMessaging" {
      let offered = service["serviceEndpoint"] ?? .null
      let endpoints = (offered.array ?? [offered]).compactMap { $0.string ?? $0["uri"]?.string }
      if let endpoint = endpoints.first(where: isWebSocket) { return endpoint }
    }
    return nil
  }

  /// Whether the endpoint has the scheme, or its variant over TLS.
  private static func has(_ endpoint: String, scheme: String) -> Bool {
    let text = endpoint.lowercased()
    return text.hasPrefix(scheme + "://") || text.hasPrefix(scheme + "s://")
  }

  /// The highest number of routing keys. Each makes a message a third longer: fifty would take millions of times as
  /// much memory.
  package static let maximumRoutingKeys = 8

  /// The service with its first recipient key only. That key signs for an agent; the other keys prove nothing.
  package var namingOneKey: Service {
    var service = self
    service.recipientKeys = Array(recipientKeys.prefix(1))
    return service
  }

  /// The bytes to post to the endpoint: the message packed for the first recipient key, then one forward for each routing
  /// key, the last being the outermost (RFC 0094). Throws if there are too many keys.
  ///
  /// The envelope has one recipient. With several, each recipient could write another message under the envelope's
  /// header, and the other recipients would ascribe it to the sender.
  ///
  /// Of the routing agents, only the one nearest to the recipient sees the hint.
  package func pack(
    _ message: [UInt8], from sender: KeyPair?, hint: MessageHint = MessageHint(), random: RandomSource = randomBytes
  ) throws(EnvelopeError) -> [UInt8] {
    guard let recipient = recipientKeys.first else { throw .noRecipient }
    guard !hasMalformedRoutingKey else { throw .malformedRoutingKey }
    guard routingKeys.count <= Self.maximumRoutingKeys else { throw .tooManyKeys }
    var envelope = try Envelope.pack(message, for: [recipient], from: sender, random: random)
    var (next, hint) = (recipient.text, hint)
    for key in routingKeys {
      let forward = Forward(to: next, envelope: envelope, hint: hint)
      envelope = try Envelope.pack(forward.bytes(id: .randomUUID()), for: [key], random: random)
      (next, hint) = (key.text, MessageHint())
    }
    return envelope
  }
}

/// The reasons why msdk cannot send to the endpoint of a service.
package enum EndpointError: Error, Equatable, Sendable {
  /// No endpoint is an http or a WebSocket one.
  case unsupported
}

extension EndpointError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unsupported: "its endpoint is neither an http nor a WebSocket one"
    }
  }
}

/// A message that asks a routing agent to pass an envelope on (RFC 0094).
package struct Forward: Sendable {
  package static let type = MessageType("routing", 1, 0, "forward")

  /// A verkey, a DID or a `did:key`.
  package let to: String
  /// The text of the envelope.
  package let envelope: [UInt8]
  package let hint: MessageHint

  package init(to: String, envelope: [UInt8], hint: MessageHint = MessageHint()) {
    self.to = to
    self.envelope = envelope
    self.hint = hint
  }

  /// Reads a forward. `msg` may be the envelope as an object, or as a string, as some older senders write it.
  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    to = try object.string("to")
    hint = MessageHint(in: object)
    switch object["msg"] {
    case .some(.object(let envelope)): self.envelope = JSON.object(envelope).bytes
    case .some(.string(let text)): envelope = JSON.object(try JSON(parsing: text).requireObject()).bytes
    case nil: throw .missing(key: "msg")
    default: throw .wrongType(key: "msg", expected: "an envelope")
    }
  }

  /// The text of the message.
  package func bytes(id: String) -> [UInt8] {
    var text = JSONWriter(expecting: envelope.count + 512)
    text.object { text in
      text.name("@type")
      text.write(Self.type.text)
      text.name("@id")
      text.write(id)
      text.name("to")
      text.write(to)
      text.name("msg")
      text.write(json: envelope)
      for (name, value) in hint.members {
        text.name(name)
        text.write(value)
      }
    }
    return text.bytes
  }
}
