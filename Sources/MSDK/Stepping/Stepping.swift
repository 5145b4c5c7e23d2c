package import Aries
internal import DIDComm
internal import JSON
internal import Logging

/// An object whose state is the value of a machine. An operation advances it in three steps: the machine decides, the
/// object acts, and only then the new state counts.
///
/// A failed operation does not change the object, so that a program can repeat the operation.
package protocol Stepping: Sendable {
  associatedtype Machine: Equatable

  /// The state.
  var machine: Machine { get }

  /// Makes a state the object's state.
  mutating func enter(_ next: Machine)

  /// Throws if the object in this state could not be restored from its text.
  func requireStorable(_ next: Machine) throws(ProtocolError)
}

extension Stepping {
  /// Lets the machine decide about an event, does its action through `outbox`, and then makes the new state count.
  /// Returns the action. With `onlyChanging`, an event that does not change the state has no effect.
  @discardableResult
  mutating func step<Failure: Error>(
    onlyChanging: Bool = false, through outbox: () throws -> any Outbox,
    _ event: (inout Machine) throws(Failure) -> Action
  ) throws -> Action {
    var next = machine
    let action = try event(&next)
    let isChange = next != machine
    if isChange { try requireStorable(next) }
    if onlyChanging && !isChange { return .leave }
    var failure: ProtocolError?
    switch action {
    case .leave, .nothing: break
    case .send(let message, let service), .sendAndLeave(let message, let service):
      try outbox().send(message, to: service)
    case .sendAll(let messages, let service):
      let outbox = try outbox()
      for message in messages { try outbox.send(message, to: service) }
    case .notify(let message, let service): try outbox().sendIfPossible(message, to: service)
    case .refuse(let error, let report, let service):
      try outbox().sendIfPossible(report, to: service)
      failure = error
    }
    // The machine may leave or refuse a message, and still enter another state.
    if isChange { enter(next) }
    if let failure { throw failure }
    return action
  }
}

/// Sends an object's messages.
protocol Outbox {
  /// The session whose reports share their time.
  var session: Session { get }

  /// Sends a message. Throws if the receiver does not accept it.
  func send(_ message: JSON, to service: Service) throws
}

/// Sends from the pairwise key of a connection, which exists after `connect`.
struct PairwiseOutbox: Outbox {
  let session: Session
  private let sender: VerKey

  init(_ key: VerKey?, with session: Session) throws(ConnectionError) {
    guard let key else { throw .noMailbox }
    sender = key
    self.session = session
  }

  func send(_ message: JSON, to service: Service) throws { try session.send(message, from: sender, to: service) }
}

extension Outbox {
  /// Sends a report if possible. If it fails, it only logs the failure.
  func sendIfPossible(_ message: JSON, to service: Service) throws {
    do { try session.reportPatience.report { try send(message, to: service) } } catch {
      Log.warning("the peer could not be notified of a problem: \(error)")
    }
  }
}
