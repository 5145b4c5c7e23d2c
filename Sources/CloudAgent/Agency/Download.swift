internal import AgencyWire
internal import JSON
internal import Logging

/// A download of what may be too much for one answer.
///
/// An agency ends an answer when it is full, oldest messages first, and does not say so. So where an answer is long, the
/// ids of all messages are asked for, which are short, and then those messages that have not come yet.
struct Download<Batch: MessageBatch> {
  private let filter: MessageFilter
  private let ask: (MessageFilter) throws -> Batch
  private var batch: Batch
  private var known: Set<String>

  /// Bytes of messages from which on an answer may be incomplete. Agencies end an answer before the message that would
  /// exceed a megabyte or nearly so, and no single message is much longer than three quarters of one.
  private let fullAnswer = 128 << 10

  /// Bytes of messages that a download ends with. What is left comes when these have been marked.
  private let maximum = 64 << 20

  /// Most ids in one request.
  private let uidsPerRequest = 500

  /// All messages that meet the filter. `ask` makes one request.
  static func all(_ filter: MessageFilter, ask: (MessageFilter) throws -> Batch) throws -> Batch {
    try withoutActuallyEscaping(ask) { ask in
      var download = try Download(filter, ask: ask)
      try download.complete()
      return download.batch
    }
  }

  private init(_ filter: MessageFilter, ask: @escaping (MessageFilter) throws -> Batch) throws {
    self.filter = filter
    self.ask = ask
    batch = try ask(filter)
    known = Set(batch.messages.map(\.uid))
  }

  private mutating func complete() throws {
    guard !filter.excludesPayload, batch.size >= fullAnswer else { return }
    var listing = filter
    listing.excludesPayload = true
    var missing = try ask(listing).messages.map(\.uid).filter { !known.contains($0) }
    while !missing.isEmpty {
      guard batch.size < maximum else { return Log.warning("a download ends before all messages have come") }
      let asked = Array(missing.prefix(uidsPerRequest))
      // Without progress the messages that were asked for are gone by now.
      missing = try add(asked) ? missing.filter { !known.contains($0) } : Array(missing.dropFirst(asked.count))
    }
  }

  /// Whether something new came.
  private mutating func add(_ uids: [String]) throws -> Bool {
    var next = filter
    next.uids = uids
    let more = try ask(next)
    let new = more.messages.map(\.uid).filter { !known.contains($0) }
    batch.append(more) { !known.contains($0.uid) }
    known.formUnion(new)
    return !new.isEmpty
  }
}

/// What one request brings.
protocol MessageBatch {
  var messages: [StoredMessage] { get }

  /// Adds those messages of a later batch that `isNew`, each connection's behind its older ones.
  mutating func append(_ more: Self, where isNew: (StoredMessage) -> Bool)
}

extension MessageBatch {
  /// Roughly, in bytes.
  fileprivate var size: Int { messages.reduce(0) { $0 + ($1.payload?.size ?? 0) } }
}

extension [StoredMessage]: MessageBatch {
  var messages: [StoredMessage] { self }

  mutating func append(_ more: Self, where isNew: (StoredMessage) -> Bool) { self += more.filter(isNew) }
}

extension [ConnectionMessages]: MessageBatch {
  var messages: [StoredMessage] { flatMap(\.messages) }

  mutating func append(_ more: Self, where isNew: (StoredMessage) -> Bool) {
    for connection in more {
      let new = connection.messages.filter(isNew)
      if let index = firstIndex(where: { $0.pairwiseDID == connection.pairwiseDID }) {
        self[index] = ConnectionMessages(pairwiseDID: connection.pairwiseDID, messages: self[index].messages + new)
      } else {
        append(ConnectionMessages(pairwiseDID: connection.pairwiseDID, messages: new))
      }
    }
  }
}

extension JSON {
  /// The bytes of its texts. An array is one of bytes here.
  fileprivate var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .array(let elements): elements.count
    case .object(let object): object.members.reduce(0) { $0 + $1.value.size }
    case .null, .bool, .integer, .real: 0
    }
  }
}
