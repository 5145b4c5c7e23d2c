internal import CloudAgent
internal import Logging
internal import Platform
internal import Threading

/// Tells a subscriber of each new message in all mailboxes, and of the messages that are unread at its beginning.
///
/// It has one thread, which waits on the Cloud Agent's line and looks for messages if it has to. Beside the line it looks
/// from time to time, because no line is proof that nothing has come.
package final class MessageSubscription: Sendable {
  private struct State {
    var isStopped = false
    var line: (any AnnouncerLine)?
    /// The thread that tells the subscriber of messages.
    var teller: pthread_t?
    /// The messages that are being applied, or that the teller has not told yet.
    var count = 0
    /// The messages of each mailbox that are being applied.
    var applied: [String: Int] = [:]
    /// The texts that the teller has not told yet.
    var texts = Queue<String>()

    func isFree(_ pairwiseDID: String) -> Bool {
      (applied[pairwiseDID] ?? 0) < MessageSubscription.mostOfMailbox
    }

    /// Notes that a message of the mailbox is applied.
    mutating func noteApplied(of pairwiseDID: String) {
      applied[pairwiseDID] = applied[pairwiseDID].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// The next text for the teller. Without one, or after the end, nobody tells any more.
    mutating func nextText() -> String? {
      if !isStopped, let text = texts.popFirst() { return text }
      teller = nil
      return nil
    }
  }

  private let state = Monitor(State())
  private let agent: Agent
  private let applying: Applying
  private let tell: @Sendable (String) -> Void

  /// Gets a message as JSON text. Calls `tell` once with the text for the subscriber, at once or later, on any thread.
  package typealias Applying = @Sendable (_ message: String, _ tell: @escaping @Sendable (String) -> Void) -> Void

  /// The most messages that are applied and told at a time. Then the subscription looks for no more.
  private static let most = 48

  /// The most messages of one mailbox that are applied at a time: a peer whose address is silent holds up only its own
  /// messages.
  private static let mostOfMailbox = 4

  /// The milliseconds for which a look waits until a mailbox is free. It does not wait while another mailbox is not free.
  private static let patience = 1000

  /// The milliseconds after which messages that were held back are looked for again.
  private static let pause = 250

  /// `tell` gets each message of the agent as JSON text, one at a time, after `applying`.
  package init(
    of agent: Agent, applying: @escaping Applying = { message, tell in tell(message) },
    _ tell: @escaping @Sendable (String) -> Void
  ) {
    self.agent = agent
    self.applying = applying
    self.tell = tell
  }

  /// Begins on a thread of its own. `within` gets the thread's work, and must do it.
  package func start(within: @escaping @Sendable (() -> Void) -> Void = { $0() }) {
    Threads(limit: 1).post { [self] in within(run) }
  }

  /// Ends the subscription, without waiting: a running `tell` goes on, and no other one begins.
  package func stop() {
    let line = state.withLock { state in
      state.isStopped = true
      return state.line.take()
    }
    line?.cancel()
  }

  /// Waits until no `tell` runs, unless this thread is within one.
  package func waitForTeller() {
    let thread = pthread_self()
    state.wait { state -> Void? in state.teller.map { pthread_equal($0, thread) != 0 } ?? true ? () : nil }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }
}

extension MessageSubscription {
  /// The progress of a subscription.
  private struct Watch {
    var new = NewMessages()
    var session: Session
    var looks = Backoff()
    var lines = Backoff()
    var nextLook = MonotonicTime.now
    var nextLine = MonotonicTime.now
    var pace = LookPace()
  }

  private func run() {
    guard var watch = (try? agent.running()).map({ Watch(session: $0) }) else { return }
    while !isStopped {
      // Another session with the same Cloud Agent replaces this one when a wallet is restored.
      guard let session = try? agent.running() else { return }
      if session !== watch.session {
        drop(&watch)
        (watch.session, watch.nextLook, watch.nextLine) = (session, .now, .now)
      }
      if watch.nextLook <= .now {
        look(&watch, after: nil)
      } else if watch.new.heldBack.contains(where: isFree) {
        look(&watch, after: .delivered)
      }
      wait(&watch)
    }
    drop(&watch)
  }

  /// Looks for new messages, and sets the time of the next look: messages of the line do not replace one.
  private func look(_ watch: inout Watch, after arrival: Arrival?) {
    do {
      let isAny = try apply(arrival, &watch)
      watch.looks.reset()
      switch arrival {
      case .brought, .delivered: return
      case nil: watch.pace.noteLook(found: isAny)
      case .waiting: break
      }
      watch.nextLook = .now.after(milliseconds: watch.pace.milliseconds)
    } catch {
      guard !isStopped else { return }
      Log.info("the subscriber's messages could not be looked for: \(error)")
      if tellCollected(&watch) { watch.looks.reset() }
      watch.nextLook = .now.after(milliseconds: watch.looks.next())
    }
  }

  /// Tells the new messages of an arrival, or looks for some. Returns whether there was one.
  private func apply(_ arrival: Arrival?, _ watch: inout Watch) throws -> Bool {
    switch arrival {
    case nil, .waiting: return try watch.new.find(in: watch.session, collecting: true, for: self)
    case .delivered: return try watch.new.find(in: watch.session, collecting: false, for: self)
    case .brought(let connections):
      var isAny = false
      for connection in connections {
        _ = watch.session.messageMemory.note(connection.messages, of: connection.pairwiseDID)
        if try watch.new.tell(connection.messages, of: connection.pairwiseDID, in: watch.session, to: self) {
          isAny = true
        }
      }
      return isAny
    }
  }

  /// Tells the messages that a look has put into the inbox before it failed. Returns whether there was one.
  private func tellCollected(_ watch: inout Watch) -> Bool {
    guard (try? watch.session.cloudAgent().access.source) != nil else { return false }
    return (try? watch.new.find(in: watch.session, collecting: false, for: self)) ?? false
  }

  /// Waits until messages may have arrived, and then looks for them; at most until the time of the next look.
  private func wait(_ watch: inout Watch) {
    let nextLook =
      watch.new.heldBack.isEmpty ? watch.nextLook : min(watch.nextLook, .now.after(milliseconds: Self.pause))
    guard let line = line(&watch) else {
      let end = min(nextLook, watch.nextLine)
      _ = state.wait(milliseconds: end.millisecondsLeft) { $0.isStopped ? true : nil }
      return
    }
    do {
      let arrival = try line.next(until: nextLook)
      if watch.pace.isOpen {
        watch.lines.reset()
        if arrival != nil { watch.pace.noteArrival() }
      } else if arrival != nil {
        watch.pace.open(isSure: line.isSure)
      }
      if let arrival { look(&watch, after: arrival) }
      if case .delivered? = arrival {
        watch.pace.noteDelivery()
        watch.nextLook = min(watch.nextLook, .now.after(milliseconds: watch.pace.milliseconds))
      }
    } catch {
      guard !isStopped else { return }
      drop(&watch)
      let pause = watch.lines.next()
      Log.info("the Cloud Agent does not tell of new messages for \(pause) ms: \(error)")
      watch.nextLine = .now.after(milliseconds: pause)
      watch.nextLook = min(watch.nextLook, .now.after(milliseconds: LookPace.afterFailure))
    }
  }

  /// The line, or a new one if its time has come; nil without one.
  private func line(_ watch: inout Watch) -> (any AnnouncerLine)? {
    if let line = state.withLock({ $0.line }) { return line }
    guard let announcer = try? watch.session.cloudAgent().announcer else {
      watch.nextLine = watch.nextLook
      return nil
    }
    guard watch.nextLine <= .now, let line = try? announcer.line() else { return nil }
    return state.withLock { state in
      if !state.isStopped { state.line = line }
      return state.line
    }
  }

  private func drop(_ watch: inout Watch) {
    watch.pace.close()
    state.withLock { $0.line.take() }?.cancel()
  }

  private struct Ended: Error {}

  /// Tells the subscriber the text of an applied message. A thread that is within `tell` takes the text over, so that no other
  /// thread waits.
  private func deliver(_ text: String, of pairwiseDID: String) {
    let begins = state.withLock { state in
      state.noteApplied(of: pairwiseDID)
      guard !state.isStopped else { return false }
      state.texts.append(text)
      guard state.teller == nil else { return false }
      state.teller = pthread_self()
      return true
    }
    guard begins else { return }
    while let text = state.withLock({ $0.nextText() }) {
      tell(text)
      state.withLock { $0.count -= 1 }
    }
  }
}

extension MessageSubscription: NewMessageTaker {
  func isFree(_ pairwiseDID: String) -> Bool { state.withLock { $0.isFree(pairwiseDID) } }

  /// Applies a message and tells the subscriber of it. Throws if the subscription has ended.
  func take(_ message: String, of pairwiseDID: String) throws -> Bool {
    let areOthersFree = state.withLock { state in
      state.applied.keys.allSatisfy { $0 == pairwiseDID || state.isFree($0) }
    }
    let isFree = state.wait(milliseconds: areOthersFree ? Self.patience : 0) { state in
      state.isStopped || state.isFree(pairwiseDID) ? true : nil
    }
    guard isFree != nil else { return false }
    // Only this thread begins to apply messages, so the mailbox stays free.
    let begins = state.wait { state -> Bool? in
      guard !state.isStopped else { return false }
      guard state.count < Self.most else { return nil }
      state.count += 1
      state.applied[pairwiseDID, default: 0] += 1
      return true
    }
    guard begins else { throw Ended() }
    applying(message) { [self] in deliver($0, of: pairwiseDID) }
    return true
  }
}
