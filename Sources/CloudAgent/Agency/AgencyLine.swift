internal import AgencyWire
internal import HTTP
internal import Platform
internal import Threading

extension AgencyClient {
  package func line() -> any AnnouncerLine { AgencyLine(to: self) }
}

/// A line to an agency that lets requests for messages wait. Each request names the end of the answer before.
///
/// An agency that cannot wait answers at once. Its line breaks then, so that nobody asks it again and again.
private final class AgencyLine: AnnouncerLine {
  private let client: AgencyClient
  private let cancellation = Cancellation()
  /// The end of the last answer, and the seconds for which the agency lets a request wait; nil before the first one.
  private let place = Locked<(next: String, longest: Int)?>(nil)

  /// The seconds for which a request waits. The answer must arrive within the client's time limit, which is shorter than that of
  /// most proxies.
  private static let patience = HTTPClient.timeout - 5

  /// The agency looks behind the place that the request names.
  let isSure = true

  init(to client: AgencyClient) { self.client = client }

  func next(until deadline: MonotonicTime) throws -> Arrival? {
    guard let place = place.withLock({ $0 }) else {
      // Another request looks for the messages: this one only asks for the place from which on they are new.
      let (next, longest, _) = try ask(waiting: 0, after: nil)
      self.place.withLock { $0 = (next, longest) }
      return .waiting
    }
    let start = MonotonicTime.now
    let wait = min(Self.patience, place.longest, deadline.milliseconds(since: start) / 1000 + 1)
    guard wait > 0 else { throw Self.noPlace }
    let (next, _, messages) = try ask(waiting: wait, after: place.next)
    self.place.withLock { $0 = (next, place.longest) }
    if !messages.isEmpty { return .brought(messages.map(ConnectionMessages.init)) }
    guard MonotonicTime.now.milliseconds(since: start) >= 500 * wait else { throw Self.noPlace }
    return nil
  }

  private static let noPlace = CloudAgentError.unable("lets no further client wait for messages")

  func cancel() { cancellation.cancel() }

  private func ask(
    waiting seconds: Int, after last: String?
  ) throws -> (next: String, wait: Int, messages: [WireConnectionMessages]) {
    var filter = WireMessageFilter(statusCodes: [MessageStatus.received.code], wait: seconds)
    filter.after = last
    filter.excludesPayload = last == nil
    let answer: MessagesByConnections = try client.channel.request(
      GetMessagesByConnections(pairwiseDIDs: [], filter: filter), from: client.owner, to: client.agent,
      endedBy: cancellation)
    guard case .open(let next, let wait) = answer.end else {
      throw CloudAgentError.unable("tells of new messages only when it is asked")
    }
    return (next, wait, answer.connections.filter { !$0.messages.isEmpty })
  }
}
