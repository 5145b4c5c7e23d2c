internal import AgencyWire
internal import JSON
internal import Logging

/// A download of what may be too much for one answer.
///
/// An agency ends an answer when it is full, oldest messages first, and does not say so. So where an answer is long, the
/// ids of all messages are asked for, which are short, and then those messages that have not come yet.
struct Download {
  /// Makes one request.
  typealias Asking = (MessageFilter) throws -> [ConnectionMessages]

  private let filter: MessageFilter
  private var connections: [ConnectionMessages] = []
  private var known: Set<String> = []
  private var size = 0

  /// Bytes of messages from which on an answer may be incomplete. Agencies end an answer before the message that would
  /// exceed a megabyte or nearly so, and hardly a message is longer than three quarters of one.
  private static let fullAnswer = 128 << 10

  /// Bytes of messages that a download ends with. What is left comes when these have been marked.
  private static let maximum = 64 << 20

  /// Most ids in one request.
  private static let uidsPerRequest = 500

  private init(_ filter: MessageFilter) { self.filter = filter }

  /// All messages that meet the filter, by connection. Of more ids than one request takes, the messages come in the order
  /// of the ids.
  static func all(_ filter: MessageFilter, ask: Asking) throws -> [ConnectionMessages] {
    var download = Download(filter)
    guard filter.uids.count <= uidsPerRequest else {
      try download.fetch(filter.uids, ask)
      return download.connections
    }
    download.add(try ask(filter))
    if !filter.excludesPayload && download.size >= fullAnswer { try download.complete(ask) }
    return download.connections
  }

  /// The same from those who do not tell connections apart.
  static func all(_ filter: MessageFilter, ask: (MessageFilter) throws -> [StoredMessage]) throws -> [StoredMessage] {
    try all(filter) { [ConnectionMessages(pairwiseDID: "", messages: try ask($0))] }.flatMap(\.messages)
  }

  private mutating func complete(_ ask: Asking) throws {
    var listing = filter
    listing.excludesPayload = true
    try fetch(ask(listing).flatMap(\.messages).map(\.uid).filter { !known.contains($0) }, ask)
  }

  /// Downloads these messages, by as many requests as it takes.
  private mutating func fetch(_ uids: [String], _ ask: Asking) throws {
    var missing = uids
    while !missing.isEmpty {
      guard size < Self.maximum else { return Log.warning("a download ends before all messages have come") }
      var next = filter
      next.uids = Array(missing.prefix(Self.uidsPerRequest))
      add(try ask(next))
      let left = missing.filter { !known.contains($0) }
      // Without progress the messages that were asked for are gone by now.
      missing = left.count == missing.count ? Array(missing.dropFirst(next.uids.count)) : left
    }
  }

  /// Adds an answer's messages, each connection's behind its older ones.
  private mutating func add(_ answer: [ConnectionMessages]) {
    for connection in answer {
      let new = connection.messages.filter { known.insert($0.uid).inserted }
      size += new.reduce(0) { $0 + ($1.payload?.size ?? 0) }
      let did = connection.pairwiseDID
      if let index = connections.firstIndex(where: { $0.pairwiseDID == did }) {
        connections[index] = ConnectionMessages(pairwiseDID: did, messages: connections[index].messages + new)
      } else {
        connections.append(ConnectionMessages(pairwiseDID: did, messages: new))
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
