internal import Aries
package import JSON
internal import Logging
internal import Sodium

extension MediatorClient {
  /// The state of collections, of which one runs at a time.
  struct Collecting: Sendable {
    /// Nil before the first collection, and after a mediator did not answer in this way.
    var way: PickupWay?
    /// Whether this process has told the mediator its keys, and has asked for what an earlier process left.
    var hasBegun = false
    /// The calls that the last collection served, and its failure.
    var served = 0
    var failure: (any Error)?
  }

  /// The number of messages in one answer.
  private static let usualLimit = 10
}

extension MediatorClient: MessageSource {
  /// Collects the waiting messages. A call that waits for another collection shares the result of the next one: that
  /// began after all of the calls that it serves.
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
    try withoutActuallyEscaping(keep) { keep in
      let dialogue = MediatorDialogue(channel: channel, keep: keep)
      let way = try state.way ?? dialogue.pickupWay()
      state.way = way
      note(way)
      if !state.hasBegun {
        try registerAll()
        if way == .acknowledged { try dialogue.endEarlierDeliveries() }
        state.hasBegun = true
      }
      do { try collect(way, Self.usualLimit, dialogue, &state) } catch CloudAgentError.tooMuch {
        try collect(way, 1, dialogue, &state)
      }
    }
  }

  private func collect(
    _ way: PickupWay, _ limit: Int, _ dialogue: MediatorDialogue, _ state: inout Collecting
  ) throws {
    var run = PickupRun(way, limit: limit)
    var request = run.next(after: nil, id: .randomUUID())
    while let message = request {
      let answers = try dialogue.exchange(message)
      request = run.next(after: answers.first ?? .nothing, id: .randomUUID())
    }
    if way == .acknowledged && !run.isUnderstood {
      Log.warning("the mediator does not answer messagepickup/2.0 any more")
      state.way = nil
    }
  }
}

extension MediatorDialogue {
  /// Finds out how the mediator gives messages: it discloses its protocols, and one request confirms version 2.0.
  fileprivate func pickupWay() throws -> PickupWay {
    let disclosed = try disclosed("https://didcomm.org/messagepickup/*")
    let speaks = { (version: String) in disclosed?.contains { $0.hasSuffix("messagepickup/" + version) } ?? true }
    let way: PickupWay =
      try speaks("2.0") && confirms() ? .acknowledged : .implicit(batches: disclosed != nil && speaks("1.0"))
    Log.info("the mediator gives messages by \(way == .acknowledged ? "messagepickup 2.0" : "implicit pickup")")
    return way
  }

  /// Whether the mediator answers a request of version 2.0.
  private func confirms() throws -> Bool {
    do {
      return try ask(PickupRequest.status(version: 2).json(id: .randomUUID())) { message -> Bool? in
        switch message {
        case .status: true
        case .other(.problemReport): false
        case .grant, .denial, .keylist, .delivery, .other: nil
        }
      }
    } catch CloudAgentError.invalidAnswer { return false }
  }

  /// The protocols that match a pattern. Nil if the mediator does not tell its protocols.
  func disclosed(_ pattern: String) throws -> [String]? {
    let query = FeatureQuery(id: .randomUUID(), query: pattern, comment: nil)
    do {
      return try ask(query.json) { message -> [String]?? in
        switch message {
        case .other(.featureDisclosure(let disclosure)): .some(disclosure.protocols.map(\.id))
        case .other(.problemReport): .some(nil)
        case .grant, .denial, .keylist, .status, .delivery, .other: nil
        }
      }
    } catch CloudAgentError.invalidAnswer { return nil }
  }

  /// Makes the mediator give again what it holds as being sent, for an earlier process that ended meanwhile: some mediators
  /// do so at the end of a live session, and the session of this request ends with it. The answer does not matter.
  fileprivate func endEarlierDeliveries() throws {
    _ = try exchange(PickupRequest.live(true).json(id: .randomUUID()))
  }
}
