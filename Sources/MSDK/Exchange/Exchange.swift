package import Aries
internal import CloudAgent
internal import JSON
internal import Logging
internal import Sodium

/// An object that exchanges the messages of one thread with a peer: a credential, a proof.
package protocol Exchange: Receiving, KeptObject where Machine: StoredExchange {
  var sourceID: String { get }
  var machine: Machine { get set }
  /// The number of the state in the API.
  var state: UInt32 { get }
  /// The name of such objects in the log.
  static var kind: String { get }

  init(sourceID: String, machine: Machine)
  /// The object that libvcx serialized before it sent anything.
  init(pending: PendingExchange) throws
}

extension Exchange {
  /// Restores an object. Needs neither wallet nor network.
  package init(serialized text: String) throws {
    if let pending = PendingExchange(text) {
      do { try self.init(pending: pending) } catch let error as StateError { throw error } catch {
        throw StateError.malformed("\(error)")
      }
    } else {
      let (sourceID, machine, objectID) = try Machine.restored(from: text)
      self.init(sourceID: sourceID, machine: machine)
      keeping = Keeping(restored: objectID)
    }
  }

  /// The object as JSON text. With the same wallet, another process can restore it.
  package func serialized() -> String { machine.serialized(sourceID: sourceID, objectID: keeping.id) }

  /// The way of the peer's next message; nil if none is awaited.
  package var route: Route? { machine.route }

  /// Applies a message that the program hands over: an entry of its downloads, or the text of the message. Ignores messages
  /// of other threads, and all if none is awaited.
  package mutating func receive(_ text: String, with session: @autoclosure () throws -> Session) throws {
    let handed = try HandedMessage(parsing: text)
    _ = try Message(handed.json)
    guard route != nil else { return }
    try receive(handed, with: session())
  }

  package var inbox: Mailbox? {
    guard case .connection(let connection)? = route else { return nil }
    return connection.own.mailbox
  }

  package mutating func enter(_ next: Machine) {
    let before = state
    machine = next
    if state != before { Log.info("\(Self.kind): state \(before) becomes \(state)") }
  }

  /// The id of a refusal or withdrawal on a thread, with these words of the user. It is derived: a process that forgets the step and
  /// repeats it with the same words sends the same message, and the peer takes both for one.
  func refusalID(on thread: String, because words: String?) -> String {
    .uuid(derivedFrom: JSON(["refusal", Self.kind, thread, words ?? ""]).text)
  }

  /// The messages that a state keeps are bounded when they are read.
  package func requireStorable(_ next: Machine) throws(ProtocolError) {}

  /// Lets the machine decide, sends its message, and makes the new state count. Returns the answer in the response, if
  /// there is no connection.
  ///
  /// Without `needsDelivery`, a failure to deliver a message is only logged: its event has happened, and no later
  /// attempt would find the peer's message again.
  @discardableResult
  mutating func step<Failure: Error>(
    over route: Route, with session: Session, needsDelivery: Bool = true,
    _ event: (inout Machine) throws(Failure) -> Action
  ) throws -> Answer? {
    let outbox = RouteOutbox(route, with: session, needsDelivery: needsDelivery)
    try step(through: { outbox }, event)
    return outbox.answer
  }
}

extension Polling where Self: Exchange {
  var recovers: Bool { true }

  /// The message that ends an exchange is found again among the applied ones.
  var isOver: Bool { false }

  mutating func apply(_ stored: StoredMessage, with session: Session) throws -> Action {
    guard case .connection(let connection)? = route, let mailbox = connection.own.mailbox,
      let opened = try session.open(stored, of: mailbox.pairwiseDID.text),
      let json = try? JSON(parsing: opened.message), let message = try? Message(json)
    else { return .leave }
    session.noteRevocation(message, from: opened.sender, over: mailbox.pairwiseDID.text)
    session.noteFeatures(
      message, isFromPeer: (try? route?.require(.envelope(opened.sender))) != nil, over: mailbox.pairwiseDID.text)
    let action = try receive(message, from: .envelope(opened.sender), with: session)
    if action != .leave { Log.info("\(Self.kind): message \(stored.uid) is applied, \(json.kind)") }
    return action
  }

  /// Polls the mailbox of the exchange's connection for its next message. Does nothing if no message is awaited, or
  /// none comes over a connection.
  mutating func poll(with session: Session) throws {
    guard case .connection(let connection)? = route else { return }
    guard let mailbox = connection.own.mailbox else { throw ConnectionError.noMailbox }
    try poll(mailbox, with: session)
  }
}

extension Polling where Self: Exchange, Machine: Equatable {
  /// Looks for the answer to a message that an earlier process may have sent, and applies it. `send` is the step that makes the
  /// object await the answer. Returns whether the answer has come. The message is not repeated then: a peer such as ACA-Py takes a
  /// repeated request or proposal for a new one, and cannot go on with either.
  ///
  /// A look that fails counts as no answer, unless the caller `canOnlyLook`: then the error is thrown.
  mutating func takesAnswer(
    to send: (inout Machine) throws -> Action, canOnlyLook: Bool = false, with session: Session
  ) throws -> Bool {
    var sent = self
    _ = try send(&sent.machine)
    let before = sent.machine
    guard sent.inbox != nil else { return false }
    do { try sent.poll(with: session) } catch  where sent.machine == before && !canOnlyLook {
      Log.info("\(Self.kind): no answer to an earlier message can be looked for: \(error)")
    } catch {
      self = sent
      throw error
    }
    guard sent.machine != before else { return false }
    self = sent
    return true
  }
}

extension Route {
  /// The way of an answer: over the connection if one is given, else to the service that the message names.
  init<Step>(answering message: ExchangeMessage<Step>, over connection: Connection?) throws {
    if let connection {
      let route = try connection.route()
      // Over an invitation of this side, the peer is known by its message only.
      guard let reply = route.isInvitation ? route.answering(message) : route else { throw ExchangeError.noService }
      self = reply
    } else if let service = try message.replyService() {
      self = .service(service)
    } else {
      throw ExchangeError.noService
    }
  }
}

extension ExchangeStatus {
  /// The number of a finished exchange in the API: 4 succeeded, 9 declined, 0 failed.
  var number: UInt32 {
    switch self {
    case .succeeded: 4
    case .rejected: 9
    case .failed, .undefined: 0
    }
  }
}

extension Connection {
  /// The way of an exchange's messages over this connection, which must be completed. An inviter without a handshake
  /// awaits a message of anyone. An invitee without a handshake has
  /// no mailbox before `connect`: its answer is then like one without a connection.
  func route() throws(ConnectionError) -> Route {
    switch machine {
    case .completed(let completed):
      guard let pairwise else {
        guard completed.isConnectionless else { throw .noMailbox }
        return .service(completed.peer.service)
      }
      return .connection(
        ExchangeConnection(
          own: pairwise, peer: completed.peer, isConnectionless: completed.isConnectionless))
    case .offered(let invitation) where !invitation.offersHandshake:
      guard let pairwise, let service = invitation.service else { throw .noMailbox }
      return .connection(
        ExchangeConnection(
          own: pairwise, peer: Peer(document: service.document(id: invitation.id)), isInvitation: true))
    case .proprietary: throw .proprietary("an exchange")
    case .planned, .invited, .requested, .offered, .responded, .failed: throw .notCompleted
    }
  }

  /// The way on which an answer to an earlier message may have come before the end of the connection. Nothing is sent on it.
  func routeOfLateAnswers() -> Route? {
    guard case .failed(let ended) = machine, let pairwise, let peer = ended.peer else { return nil }
    return .connection(ExchangeConnection(own: pairwise, peer: peer))
  }

  /// The major version, 1 or 2, in which to begin a protocol: the highest that the peer has disclosed; else the newer one
  /// for a peer that writes or accepts out-of-band invitations of version 1.1. Nil before the connection is completed.
  ///
  /// `noted` has the protocols that the peer has disclosed to another object.
  func version(of family: String, disclosed noted: [String] = []) -> Int? {
    guard case .completed(let completed) = machine else { return nil }
    let disclosed = (completed.protocols.value.array ?? []).compactMap { $0["pid"]?.string ?? $0.string } + noted
    for version in [2, 1] where disclosed.contains(where: { $0.contains("/\(family)/\(version).") }) { return version }
    return completed.invitation?.json.value["services"] == nil ? 1 : 2
  }
}
