package import JSON
internal import Sodium

/// The way in which a mediator gives the messages that wait.
package enum PickupWay: Equatable, Sendable {
  /// messagepickup 2.0: messages stay until they are acknowledged.
  case acknowledged
  /// Each message that needs no answer brings a waiting one back. With `batches`, the mediator speaks messagepickup 1.0
  /// too, which serves if it has messages and brings none back.
  case implicit(batches: Bool)
}

/// One collection of the waiting messages, as a value: from the last answer it decides about the next request.
///
/// Any answer may be missing, and any other message may be in its place: a mediator gives what arrives for the client to
/// the request that is open. The caller puts all envelopes on the disk before it passes the answer to `next`.
package struct PickupRun: Sendable {
  /// The content of an answer.
  package enum Answer: Equatable, Sendable {
    case nothing
    /// A bare envelope for one of the client's keys.
    case envelope(JSON)
    case message(MediatorMessage)
    /// An answer that cannot be used. The mediator may have deleted it.
    case unusable
  }

  /// Whether the mediator has shown in this run that it knows the requests.
  package private(set) var isUnderstood = false
  private let way: PickupWay
  private let limit: Int
  private var last: PickupRequest?
  private var lastID = ""
  /// The messages of this run.
  private var seen: Set<String> = []
  /// The answers without news since the last one with news.
  private var misses = 0
  private var unusable = 0
  private var requests = 0
  /// Whether the mediator gave so many messages that the run ended before the last one.
  package private(set) var isCutShort = false
  /// Whether implicit pickup has brought all that it can.
  private var asksForBatches = false

  /// So many answers in a row without news end the run.
  private static let patience = 5
  /// So many unusable answers end a run of implicit pickup. Some servers answer each message with a text of their own.
  package static let patienceForUnusable = 100
  /// So many requests end the run: a mediator may give messages without end.
  private static let maximumRequests = 20_000

  /// `limit` is the number of messages in one answer.
  package init(_ way: PickupWay, limit: Int) {
    self.way = way
    self.limit = limit
  }

  /// The next request after an answer, nil before the first. Returns nil at the end of the run. `id` is the request's.
  package mutating func next(after answer: Answer?, id: String) -> JSON? {
    if let answer { note(answer) }
    guard misses < Self.patience else { return nil }
    let next: Request? = if let answer { follow(answer) } else { first }
    guard let request = next else { return nil }
    requests += 1
    isCutShort = requests > Self.maximumRequests
    guard !isCutShort else { return nil }
    (last, lastID) = (request.pickup, id)
    return request.json(id: id)
  }

  private mutating func note(_ answer: Answer) {
    switch answer {
    case .envelope(let envelope): misses = isNew(.uuid(derivedFrom: envelope.sortedText)) ? 0 : misses + 1
    case .message(.delivery(let delivery)):
      isUnderstood = true
      let new = delivery.items.filter { isNew($0.id.isEmpty ? $0.envelope?.sortedText ?? "" : $0.id) }
      misses = new.isEmpty ? misses + 1 : 0
    case .message(.status):
      isUnderstood = true
      if !isAcknowledging { misses += 1 }
    // Implicit pickup goes on with the next message: the mediator may have deleted this one.
    case .unusable where way != .acknowledged:
      unusable += 1
      if unusable >= Self.patienceForUnusable { misses = Self.patience }
    case .message, .nothing, .unusable: misses += 1
    }
  }

  private mutating func isNew(_ name: String) -> Bool { seen.insert(name).inserted }

  private var isAcknowledging: Bool { if case .received = last { true } else { false } }
}

// MARK: - Decisions

extension PickupRun {
  private enum Request {
    case pickup(PickupRequest)
    /// A message without an answer.
    case empty

    var pickup: PickupRequest? { if case .pickup(let pickup) = self { pickup } else { nil } }

    func json(id: String) -> JSON {
      switch self {
      case .pickup(let pickup): pickup.json(id: id)
      case .empty: TrustPing(id: id, responseRequested: false).json
      }
    }
  }

  private var first: Request? {
    switch way {
    case .acknowledged: .pickup(.delivery(limit: limit))
    case .implicit: asksForBatches ? .pickup(.batch(size: limit)) : .empty
    }
  }

  private mutating func follow(_ answer: Answer) -> Request? {
    switch way {
    case .acknowledged: acknowledge(answer)
    case .implicit(let batches): take(answer, batches)
    }
  }

  /// Version 2.0.
  private mutating func acknowledge(_ answer: Answer) -> Request? {
    switch answer {
    case .message(.delivery(let delivery)):
      let ids = delivery.items.map(\.id).filter { !$0.isEmpty }
      return ids.isEmpty ? nil : .pickup(.received(ids))
    case .message(.status(let status)):
      let isAnswer = status.thread == nil || status.thread == lastID
      return isAnswer && status.count == 0 ? nil : first
    case .message(.other(.problemReport)) where !isUnderstood: return nil
    case .message, .envelope, .nothing, .unusable: return first
    }
  }

  /// Implicit pickup, and then version 1.0 if the mediator speaks it.
  private mutating func take(_ answer: Answer, _ batches: Bool) -> Request? {
    guard case .message(let message) = answer else {
      guard answer == .nothing else { return first }
      return batches && !asksForBatches && last == nil ? .pickup(.status(version: 1)) : nil
    }
    switch message {
    case .status(let status):
      guard status.count > 0, !asksForBatches else { return nil }
      asksForBatches = true
      return first
    case .delivery(let delivery): return delivery.items.isEmpty ? nil : first
    case .grant, .denial, .keylist, .other: return first
    }
  }
}
