internal import AgencyWire

/// The answer to a request.
struct Answer {
  let message: any AgencyMessage

  /// Nil if the client does not wait for a better answer.
  let wait: Wait?

  /// The wait of a client for its first message.
  struct Wait: Sendable {
    let place: WaitingPlace
    let seconds: Int
    /// Looks again. Returns nil if there is still no message.
    let renewed: @Sendable () throws(RequestError) -> (any AgencyMessage)?
  }

  init(_ message: any AgencyMessage, wait: Wait? = nil) {
    self.message = message
    self.wait = wait
  }
}

/// The packed answer to a request.
package struct Reply: Sendable {
  /// Empty for a forward of an outside agent.
  package let body: [UInt8]

  /// Nil if the client does not wait for a better answer.
  let wait: Wait?

  struct Wait: Sendable {
    let place: WaitingPlace
    let seconds: Int
    let renewed: @Sendable () throws(RequestError) -> [UInt8]?
  }

  init(_ body: [UInt8], wait: Wait? = nil) {
    self.body = body
    self.wait = wait
  }
}

/// A search for messages whose client may wait for the first one.
struct WaitingSearch: Sendable {
  let selection: MessageSelection
  let visit: Visit

  /// The answer with some messages.
  let form: @Sendable ([KeptMessage], AnswerEnd) -> any AgencyMessage
}

extension Agency {
  /// Answers a request whose client wants to wait for so many seconds. Takes the place before the search, so that the
  /// client hears of a message that arrives meanwhile.
  func answer(_ search: WaitingSearch, waiting wanted: Int) throws(RequestError) -> Answer {
    let mayWait = wanted > 0 && search.visit.mayWait
    let place = mayWait ? waiters.enter(search.selection, from: search.visit.visitor) : nil
    let longest = rules.waiting.seconds
    let seconds = wanted == 0 ? longest : place == nil ? 0 : min(wanted, longest)
    if let message = try found(search, seconds) { return Answer(message) }
    let nothing = search.form([], end(search.selection.after, seconds))
    guard let place else { return Answer(nothing) }
    return Answer(
      nothing,
      wait: Answer.Wait(place: place, seconds: seconds) { () throws(RequestError) in try found(search, seconds) })
  }

  /// Returns nil if there is no message.
  private func found(_ search: WaitingSearch, _ seconds: Int) throws(RequestError) -> (any AgencyMessage)? {
    let kept = try stored { () throws(StorageError) in try storage.messages(search.selection) }
    guard let last = kept.last else { return nil }
    try search.visit.reserveAnswer(of: kept.size, for: search.selection.accountID)
    return search.form(kept.messages, end(last, seconds))
  }

  private func end(_ last: Int64, _ seconds: Int) -> AnswerEnd {
    .open(next: masterKey.sealPlace(last), wait: seconds)
  }
}
