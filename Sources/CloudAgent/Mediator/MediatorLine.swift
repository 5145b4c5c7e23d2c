internal import Aries
internal import HTTP
internal import JSON
internal import Logging
internal import Platform
internal import Sodium
internal import Threading
internal import WebSocket

extension MediatorClient: Announcer {
  package func line() throws -> any AnnouncerLine {
    guard let openSocket else { throw CloudAgentError.unable("is a mediator without a WebSocket") }
    return MediatorLine(over: try openSocket(), for: self)
  }
}

/// Live delivery over a WebSocket: the mediator sends messages as they arrive, as bare envelopes or inside of deliveries,
/// and the line puts them on the disk.
/// The subscriber looks for messages beside the line.
private final class MediatorLine: AnnouncerLine {
  private let socket: WebSocketConnection
  private let client: MediatorClient
  private let isOpen = Locked(false)
  /// No answer proves that a mediator delivers live.
  let isSure = false

  init(over socket: WebSocketConnection, for client: MediatorClient) {
    self.socket = socket
    self.client = client
  }

  deinit { socket.cancel() }

  func next(until deadline: MonotonicTime) throws -> Arrival? {
    guard isOpen.withLock({ $0 }) else {
      try socket.open()
      // The message tells the mediator whose socket it is. Some deliver because of the request, others because of any message.
      try send(client.offersLiveDelivery ? PickupRequest.live(true).json(id: .randomUUID()) : Self.signOfLife)
      isOpen.withLock { $0 = true }
      return .waiting
    }
    while let message = try socket.receive(until: deadline) {
      if let arrival = try take(message.bytes) { return arrival }
    }
    return nil
  }

  func cancel() { socket.cancel() }

  private static var signOfLife: JSON { TrustPing(id: .randomUUID(), responseRequested: false).json }

  private func send(_ message: JSON) throws { try socket.send(client.channel.packed(message)) }

  /// Puts the envelopes of a message on the disk, and then acknowledges a delivery. Returns nil if it brings none.
  private func take(_ bytes: [UInt8]) throws -> Arrival? {
    var arrival: Arrival?
    for answer in try client.dialogue.receive(bytes) {
      switch answer {
      case .envelope: arrival = .delivered
      case .message(.delivery(let delivery)):
        let ids = delivery.items.map(\.id).filter { !$0.isEmpty }
        if !ids.isEmpty { try send(PickupRequest.received(ids).json(id: .randomUUID())) }
        arrival = .delivered
      case .message(.status(let status)): arrival = arrival ?? (status.count > 0 ? .waiting : nil)
      case .message, .nothing, .unusable: break
      }
    }
    return arrival
  }
}
