internal import Aries
package import DIDComm
internal import JSON
internal import Logging
internal import Sodium

/// The connection with a mediator: packs messages to it, and opens what comes back.
package struct MediatorChannel: Sendable {
  package let mediator: Service
  /// The client's key towards the mediator.
  package let own: VerKey
  private let keys: any KeyRing
  private let transport: any MediatorTransport

  package init(to mediator: Service, as own: VerKey, keys: any KeyRing, over transport: any MediatorTransport) {
    self.mediator = mediator
    self.own = own
    self.keys = keys
    self.transport = transport
  }

  /// The content of an envelope from the mediator.
  enum Incoming {
    /// An envelope for one of the client's pairwise keys.
    case envelope(JSON)
    /// A message to the client's key towards the mediator, the key that provably sent it, and its envelope. During the
    /// handshake the mediator's key is not known yet. A peer sends messages to this key too if the key is that of the public DID.
    case message(JSON, from: VerKey?, in: JSON)
    /// An answer that cannot be read or opened. The mediator may have deleted it.
    case unusable
  }

  /// Sends a message that asks for all waiting messages in the response. Some mediators close the session after a
  /// message that asks for less.
  func exchange(_ message: JSON, at service: Service? = nil) throws -> [Incoming] {
    let service = service ?? mediator
    return try transport.exchange(packed(message, for: service), at: service.endpoint).map(read)
  }

  /// The envelope of a message that asks for all waiting messages.
  func packed(_ message: JSON, for service: Service? = nil) throws -> [UInt8] {
    guard let pair = try keys.keyPair(for: own) else { throw CloudAgentError.missingKey(own) }
    return try (service ?? mediator).pack(message.askingForReturn.bytes, from: pair)
  }

  func read(_ bytes: [UInt8]) throws -> Incoming {
    guard let json = try? JSON(parsing: bytes) else {
      Log.warning("the mediator's answer is no envelope")
      return .unusable
    }
    return try read(json)
  }

  /// Opens an envelope to the client's key towards the mediator. Any other envelope stays closed.
  func read(_ json: JSON) throws -> Incoming {
    guard let envelope = try? Envelope(json) else {
      Log.warning("the mediator's answer is no envelope")
      return .unusable
    }
    guard envelope.recipientKeys.contains(where: { (try? VerKey(anyForm: $0)) == own }) else { return .envelope(json) }
    let opened: Opened
    do { opened = try envelope.open(with: keys) } catch let error as EnvelopeError {
      Log.warning("a message to the mediator's client cannot be opened: \(error)")
      return .unusable
    }
    do { return .message(try DeliveryText.read(opened.message), from: opened.sender, in: json) } catch {
      guard isMediator(opened.sender) else { return .envelope(json) }
      Log.warning("a message to the mediator's client cannot be read: \(error)")
      return .unusable
    }
  }

  /// Whether the key is the mediator's.
  func isMediator(_ key: VerKey?) -> Bool { key.map(mediator.recipientKeys.contains) ?? false }
}
