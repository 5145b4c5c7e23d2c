internal import Platform
package import Threading

extension HTTPServer {
  /// The wait of a client for a better answer. It takes a connection and little memory, but no thread.
  package struct Wait: Sendable {
    /// The server sends the first answer after these seconds.
    let seconds: Int
    /// Gives the sign that there may be a better answer.
    let alarm: Alarm
    /// Makes the better answer, on a thread of the handlers, after each sign. Returns nil if the client has to wait
    /// longer.
    let renewed: @Sendable () -> Response?

    package init(seconds: Int, alarm: Alarm, renewed: @escaping @Sendable () -> Response?) {
      self.seconds = seconds
      self.alarm = alarm
      self.renewed = renewed
    }
  }
}

/// An answer that the server keeps back while its client waits for a better one.
final class HeldAnswer: Sendable {
  private enum Phase {
    case waiting
    /// A thread prepares the wait or looks for a better answer. The thread looks once more if the alarm has rung
    /// meanwhile, and ends the wait if the time of the wait is over.
    case busy(isRung: Bool, isOver: Bool)
    case ended
  }

  private enum Step { case look, wait, send }

  let end: MonotonicTime
  private let answer: HTTPServer.Response
  private let wait: HTTPServer.Wait
  private let threads: Threads
  private let send: @Sendable (HTTPServer.Response) -> Void
  private let phase = Locked(Phase.busy(isRung: false, isOver: false))

  /// The wait starts with `begin`. `send` is called once, with the final answer.
  init(
    _ answer: HTTPServer.Response, until wait: HTTPServer.Wait, on threads: Threads,
    send: @escaping @Sendable (HTTPServer.Response) -> Void
  ) {
    end = MonotonicTime.now.after(milliseconds: wait.seconds * 1000)
    self.answer = answer
    self.wait = wait
    self.threads = threads
    self.send = send
  }

  /// Starts the wait, on a thread of the handlers. A sign that was given before counts.
  func begin() {
    wait.alarm.listen { self.ring() }
    advance()
  }

  private func ring() {
    let mustLook = phase.withLock { phase in
      switch phase {
      case .waiting: phase = .busy(isRung: false, isOver: false)
      case .busy(_, let isOver):
        phase = .busy(isRung: true, isOver: isOver)
        return false
      case .ended: return false
      }
      return true
    }
    if mustLook { threads.post { self.look() } }
  }

  /// Ends the wait: its time is over, the client has gone, or the server stops.
  func finish() {
    let isFree = phase.withLock { phase in
      switch phase {
      case .waiting: phase = .ended
      case .busy(let isRung, _):
        phase = .busy(isRung: isRung, isOver: true)
        return false
      case .ended: return false
      }
      return true
    }
    if isFree { conclude(with: answer) }
  }

  private func look() {
    guard let better = wait.renewed() else { return advance() }
    phase.withLock { $0 = .ended }
    conclude(with: better)
  }

  /// Continues after this thread's work.
  private func advance() {
    let step = phase.withLock { phase -> Step in
      guard case .busy(let isRung, let isOver) = phase else { return .wait }
      phase = isOver ? .ended : isRung ? .busy(isRung: false, isOver: false) : .waiting
      return isOver ? .send : isRung ? .look : .wait
    }
    switch step {
    case .look: threads.post { self.look() }
    case .wait: break
    case .send: conclude(with: answer)
    }
  }

  private func conclude(with answer: HTTPServer.Response) {
    wait.alarm.silence()
    send(answer)
  }
}

/// The answers that a server keeps back, by their connections.
final class HeldAnswers: Sendable {
  private struct State {
    var answers: [UInt: HeldAnswer] = [:]
    var isClosed = false
  }

  private let state = Locked(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Returns false if the server already keeps too many answers back, or stops.
  func add(_ answer: HeldAnswer, of connection: UInt) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.answers.count < limit else { return false }
      state.answers[connection] = answer
      return true
    }
  }

  func remove(_ connection: UInt) { state.withLock { _ = $0.answers.removeValue(forKey: connection) } }

  /// Ends the waits whose time is over, and the waits of `connections`.
  func finish(_ connections: [UInt]) {
    let now = MonotonicTime.now
    let finished = state.withLock { state in
      state.answers.values.filter { $0.end <= now } + connections.compactMap { state.answers[$0] }
    }
    for answer in finished { answer.finish() }
  }

  /// Ends all waits, and accepts no more answers.
  func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return Array(state.answers.values)
    }
    for answer in all { answer.finish() }
  }
}
