internal import Aries
package import JSON
internal import Logging
internal import Sodium

extension MediatorClient {
  /// The state of collections, of which one runs at a time.
  struct Collecting: Sendable {
    /// The way in which the mediator gives messages. Nil before the first collection, and after the mediator did not
    /// answer in that way.
    var way: PickupWay?
    /// Whether this process has told the mediator its keys, and has asked for the messages that an earlier process did
    /// not acknowledge.
    var hasBegun = false
    /// The number of calls that had begun before the last collection, and the failure of that collection.
    var served = 0
    var failure: (any Error)?
  }

  /// The number of messages in one answer.
  private static let usualLimit = 10
}

extension MediatorClient: MessageSource {
  /// Collects the waiting messages. A call that waits for a running collection shares the result of the next
  /// collection, which begins after all calls that it serves.
  package func collect(_ keep: ([JSON]) throws -> Void) throws {
    let call = calls.withLock { calls in
      calls += 1
      return calls
    }
    try collecting.withLock { state in
      if state.served >= call {
        if let failure = state.failure { throw failure }
        return
      }
      state.served = calls.withLock { $0 }
      state.failure = nil
      do { try run(&state, keep) } catch {
        // The messages of a failed collection may count as being sent.
        (state.failure, state.hasBegun) = (error, false)
        throw error
      }
    }
  }

  private func run(_ state: inout Collecting, _ keep: ([JSON]) throws -> Void) throws {
    // The compiled call contains the length of its place, which would otherwise be a path in the folder of the build.
    #sourceLocation(file:"MediatorClient+Collecting",line:1)
    try withoutActuallyEscaping(keep) { keep in
      let dialogue = MediatorDialogue(channel: channel, keep: keep)
      // If the mediator has changed since the last collection, the second round finds out its new way.
      for _ in 0..<2 {
        let way = try way(dialogue, &state)
        if !state.hasBegun {
          try registerAll()
          if way == .acknowledged { try dialogue.endEarlierDeliveries() }
          state.hasBegun = true
        }
        if try collect(way, dialogue) { return }
        Log.warning("the mediator does not answer messagepickup/2.0 any more")
        state.way = nil
      }
      throw CloudAgentError.invalidAnswer("it confirms messagepickup/2.0, and then does not answer it")
    }
  }
  #sourceLocation()

  /// The way in which the mediator gives messages. If the mediator's answers did not decide the way, the way is not
  /// kept, and the function throws if the mediator does not know this client.
  private func way(_ dialogue: MediatorDialogue, _ state: inout Collecting) throws -> PickupWay {
    if let way = state.way { return way }
    let (way, isCertain) = try dialogue.pickupWay()
    if isCertain { state.way = way } else { try checkHealth() }
    note(way)
    return way
  }

  /// Returns false if the mediator does not know the requests of messagepickup 2.0.
  private func collect(_ way: PickupWay, _ dialogue: MediatorDialogue) throws -> Bool {
    // In version 1.0 a mediator deletes the messages that it gives, and so an answer that is too large would lose them all.
    guard way == .acknowledged else { return try collect(way, 1, dialogue) }
    do { return try collect(way, Self.usualLimit, dialogue) } catch CloudAgentError.tooMuch {
      // Some mediators do not repeat the messages of a lost answer by themselves.
      try dialogue.endEarlierDeliveries()
    }
    do { return try collect(way, 1, dialogue) } catch CloudAgentError.tooMuch {
      throw CloudAgentError.invalidAnswer("it holds a message of more than 64 MiB, which hides the ones behind it")
    }
  }

  private func collect(_ way: PickupWay, _ limit: Int, _ dialogue: MediatorDialogue) throws -> Bool {
    var run = PickupRun(way, limit: limit)
    var request = run.next(after: nil, id: .randomUUID())
    while let message = request {
      let answers = try dialogue.exchange(message)
      request = run.next(after: answers.first ?? .nothing, id: .randomUUID())
    }
    guard !run.isCutShort else {
      throw CloudAgentError.invalidAnswer("it gives messages without end; the ones so far are in the wallet")
    }
    return way != .acknowledged || run.isUnderstood
  }
}

extension MediatorDialogue {
  /// Finds out how the mediator gives messages: asks for its protocols, and confirms version 2.0 by a request. The way
  /// is not certain if the mediator has answered neither question.
  fileprivate func pickupWay() throws -> (way: PickupWay, isCertain: Bool) {
    let disclosure = try disclosed("https://didcomm.org/messagepickup/*")
    let speaks = { (version: String) in
      disclosure.protocols?.contains { $0.hasSuffix("messagepickup/" + version) } ?? true
    }
    let confirmation = try speaks("2.0") ? confirms() : false
    let way: PickupWay =
      confirmation == true ? .acknowledged : .implicit(batches: disclosure.protocols != nil && speaks("1.0"))
    Log.info("the mediator gives messages by \(way == .acknowledged ? "messagepickup 2.0" : "implicit pickup")")
    return (way, confirmation == true || (confirmation == false && disclosure != .silence))
  }

  /// Whether the mediator knows a request of version 2.0. Nil if it does not answer.
  private func confirms() throws -> Bool? {
    do {
      return try ask(PickupRequest.status(version: 2).json(id: .randomUUID())) { message -> Bool? in
        switch message {
        case .status: true
        case .other(.problemReport): false
        case .grant, .denial, .keylist, .delivery, .other: nil
        }
      }
    } catch CloudAgentError.invalidAnswer { return nil }
  }

  /// The answer to the question for protocols.
  enum Disclosure: Equatable {
    case protocols([String])
    /// The mediator does not know the question.
    case refusal
    case silence

    var protocols: [String]? { if case .protocols(let protocols) = self { protocols } else { nil } }
  }

  /// Asks for the protocols that match a pattern.
  func disclosed(_ pattern: String) throws -> Disclosure {
    let query = FeatureQuery(id: .randomUUID(), query: pattern, comment: nil)
    do {
      return try ask(query.json) { message -> Disclosure? in
        switch message {
        // The answer to an earlier question may come late.
        case .other(.featureDisclosure(let disclosure)) where disclosure.thread.thid == query.id:
          .protocols(disclosure.protocols.map(\.id))
        case .other(.problemReport): .refusal
        case .grant, .denial, .keylist, .status, .delivery, .other: nil
        }
      }
    } catch CloudAgentError.invalidAnswer { return .silence }
  }

  /// Makes the mediator repeat the messages that it counts as being sent to an earlier process. Some mediators repeat
  /// them at the end of a live session, and the session of this request ends with the request. The answer does not
  /// matter.
  fileprivate func endEarlierDeliveries() throws {
    _ = try exchange(PickupRequest.live(true).json(id: .randomUUID()))
  }
}
