internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium

/// An answer that came in the response to a message.
struct Answer {
  let message: Message
  let sender: Sender
}

/// Sends the messages of an exchange over its route. Without a connection of the program, the peer may answer in the
/// response. If this side has no mailbox for the answer either, each message is sent under a key of its own.
final class RouteOutbox: Outbox {
  private let route: Route
  let session: Session
  private let needsDelivery: Bool
  /// The answer to the last message.
  private(set) var answer: Answer?

  /// Without `needsDelivery`, a message that cannot be delivered is only logged.
  init(_ route: Route, with session: Session, needsDelivery: Bool = true) {
    self.route = route
    self.session = session
    self.needsDelivery = needsDelivery
  }

  func send(_ message: JSON, to service: Service) throws {
    do {
      switch route {
      case .connection(let connection):
        let message = try addressed(message, over: connection)
        if connection.isTemporary {
          answer = try exchange(message, with: service, as: session.keyPair(connection.own.key))
        } else {
          try session.send(message, from: connection.own.key, to: service)
        }
      case .service: answer = try exchange(message, with: service, as: KeyPair())
      }
    } catch let error as DeliveryError where !needsDelivery {
      Log.warning("\(message.kind) could not be delivered: \(error)")
    }
  }

  /// A peer that knows of no connection learns the address for its answer from each message (RFC 0056).
  private func addressed(_ message: JSON, over connection: ExchangeConnection) throws -> JSON {
    guard connection.isConnectionless, message["~service"] == nil, let mailbox = connection.own.mailbox else {
      return message
    }
    var message = message
    message["~service"] = try session.cloudAgent().service(of: mailbox).decorator
    return message
  }

  /// An empty response is no answer. An unreadable response is logged: the message has arrived.
  private func exchange(_ message: JSON, with service: Service, as own: KeyPair) throws -> Answer? {
    let body = try session.post(service.pack(message.bytes, from: own), to: service.endpoint)
    Log.info("sent \(message.kind) without a connection")
    guard !body.isEmpty else { return nil }
    do {
      let opened = try Envelope(parsing: body).open(with: own)
      return Answer(message: try Message(JSON(parsing: opened.message)), sender: .envelope(opened.sender))
    } catch {
      Log.warning("the answer to \(message.kind) cannot be read: \(error)")
      return nil
    }
  }
}
