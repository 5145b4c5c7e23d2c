internal import AgencyWire
internal import JSON

/// A download of messages that may exceed one answer.
///
/// An agency ends a full answer, with the oldest messages first. msdk's agency marks such an answer, and names the
/// place to continue. Other agencies do not: after a long answer the client asks for the ids of all messages, which are
/// short, and then for the missing messages.
struct Download {
  /// Makes one request.
  typealias Asking = (WireMessageFilter) throws -> Answer
  /// Receives the new messages of an answer. Returns whether the download continues.
  typealias Taking = ([WireConnectionMessages]) throws -> Bool

  struct Answer {
    let connections: [WireConnectionMessages]
    let end: AnswerEnd
  }

  private let filter: WireMessageFilter
  private let ask: Asking
  private let take: Taking
  /// Whether payloads count towards the limit, because the caller keeps them.
  private let countsPayloads: Bool
  private var known: Set<String> = []
  /// The number of bytes that the download may still take.
  private var room: Int

  /// The size from which an answer may be incomplete. Agencies end an answer before the message that would exceed about
  /// a megabyte, and hardly any message is longer than three quarters of a megabyte.
  private static let fullAnswer = 128 << 10

  /// The size limit of the messages in one download.
  static let maximum = 64 << 20

  /// The size of a message without its payload, rounded up.
  private static let heading = 200

  /// The highest number of ids in one request.
  private static let uidsPerRequest = 500

  /// Passes the messages that meet the filter to `take`, one answer at a time, each message once. They come the oldest
  /// first; if one request cannot hold all ids of the filter, they come in the order of the ids.
  static func each(_ filter: WireMessageFilter, ask: Asking, take: Taking) throws {
    var room = maximum
    try run(filter, room: &room, countsPayloads: false, ask: ask, take: take)
  }

  /// Returns all messages that meet the filter, by connection. Throws if they take more bytes than `room`, which it
  /// lowers.
  static func all(
    _ filter: WireMessageFilter, room: inout Int, ask: Asking
  ) throws -> [WireConnectionMessages] {
    var collected = Collected()
    try run(filter, room: &room, countsPayloads: true, ask: ask) { new in
      collected.add(new)
      return true
    }
    return collected.connections
  }

  /// Returns all messages that meet the filter, by connection, within the size limit of one download.
  static func all(_ filter: WireMessageFilter, ask: Asking) throws -> [WireConnectionMessages] {
    var room = maximum
    return try all(filter, room: &room, ask: ask)
  }

  private static func run(
    _ filter: WireMessageFilter, room: inout Int, countsPayloads: Bool, ask: Asking, take: Taking
  ) throws {
    // The compiled calls contain the length of their place, which would otherwise be a path in the folder of the build.
    #sourceLocation(file:"Download",line:1)
    try withoutActuallyEscaping(ask) { ask in
      try withoutActuallyEscaping(take) { take in
        var download = Download(
          filter: filter, ask: ask, take: take, countsPayloads: countsPayloads, room: room)
        defer { room = download.room }
        _ = try filter.uids.isEmpty ? download.follow(filter) : download.fetch(filter.uids)
      }
    }
  }
  #sourceLocation()
}

// MARK: - Asking

extension Download {
  /// Downloads these messages, at most `most` per request. Returns false if the caller wants no more messages.
  private mutating func fetch(_ uids: [String], most: Int = uidsPerRequest) throws -> Bool {
    for start in stride(from: 0, to: uids.count, by: most) {
      var request = filter
      request.uids = Array(uids[start..<min(start + most, uids.count)])
      guard try follow(request) else { return false }
    }
    return true
  }

  /// Downloads all messages of a request. Each round must bring a new message or end the download.
  private mutating func follow(_ first: WireMessageFilter) throws -> Bool {
    var request = first
    while true {
      let answer: Answer
      do {
        answer = try ask(request)
      } catch CloudAgentError.unreachable(.responseTooLarge) where !filter.excludesPayload && request.uids.count != 1 {
        return try divide(request)
      }
      let new = try new(in: answer)
      guard try take(new) else { return false }
      switch answer.end {
      case .complete, .open: return true
      case .cut(let next):
        guard new.contains(where: { !$0.messages.isEmpty }) else {
          throw CloudAgentError.invalidAnswer("it promises more messages and brings none")
        }
        request.after = next
      case .unsaid where request.after != nil:
        throw CloudAgentError.invalidAnswer("it does not say whether there are more messages")
      case .unsaid where request.uids.isEmpty:
        return try isShort(new) || fetch(missing(from: request))
      case .unsaid:
        let left = try missing(from: request)
        // There was no progress: the remaining messages have been removed meanwhile.
        guard !left.isEmpty, left.count < request.uids.count else { return true }
        request.uids = left
      }
    }
  }

  /// Splits a request whose answer was too long.
  private mutating func divide(_ request: WireMessageFilter) throws -> Bool {
    let uids = try missing(from: request)
    guard !uids.isEmpty else { throw CloudAgentError.unreachable(.responseTooLarge) }
    return try fetch(uids, most: request.uids.isEmpty ? Self.uidsPerRequest : (request.uids.count + 1) / 2)
  }

  /// The ids of the requested messages that have not arrived.
  private func missing(from request: WireMessageFilter) throws -> [String] {
    var uids = request.uids
    if uids.isEmpty {
      var listing = filter
      listing.excludesPayload = true
      uids = try Self.all(listing, ask: ask).flatMap(\.messages).map(\.uid)
    }
    return uids.filter { !known.contains($0) }
  }

  private func isShort(_ answer: [WireConnectionMessages]) -> Bool {
    let bytes = answer.lazy.flatMap(\.messages).reduce(0) { $0 + ($1.payload?.size ?? 0) }
    return filter.excludesPayload || bytes < Self.fullAnswer
  }

  /// The messages of an answer that have not arrived before.
  private mutating func new(in answer: Answer) throws(CloudAgentError) -> [WireConnectionMessages] {
    var new: [WireConnectionMessages] = []
    for connection in answer.connections {
      let messages = connection.messages.filter { known.insert($0.uid).inserted }
      for message in messages {
        room -= Self.heading + message.uid.utf8.count + (countsPayloads ? message.payload?.size ?? 0 : 0)
      }
      new.append(WireConnectionMessages(pairwiseDID: connection.pairwiseDID, messages: messages))
    }
    guard room >= 0 else { throw .tooMuch }
    return new
  }
}

// MARK: - Parts

/// Messages by connection, in the order in which the connections first appeared.
private struct Collected {
  private var dids: [String] = []
  private var messages: [String: [WireMessage]] = [:]

  mutating func add(_ new: [WireConnectionMessages]) {
    for connection in new {
      let did = connection.pairwiseDID
      if messages[did] == nil { dids.append(did) }
      messages[did, default: []] += connection.messages
    }
  }

  var connections: [WireConnectionMessages] {
    dids.map { WireConnectionMessages(pairwiseDID: $0, messages: messages[$0] ?? []) }
  }
}

extension JSON {
  /// The size of the texts. An array here holds bytes.
  fileprivate var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .array(let elements): elements.count
    case .object(let object): object.members.reduce(0) { $0 + $1.value.size }
    case .null, .bool, .integer, .real: 0
    }
  }
}
