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
  /// The place behind the last message; nil before the first answer.
  private let place = Locked<Place?>(nil)

  /// Messages behind this place are new.
  private struct Place {
    /// The agency's name of the place.
    let name: String
    /// The seconds for which the agency lets a request wait.
    let longest: Int
    /// The last request that waited for messages behind this place, and its seconds. The same request serves again, which spares
    /// a client without messages most of its work: packing.
    var request: (wait: Int, packed: AgencyChannel.PackedRequest)?
  }

  /// The seconds for which a request waits. The answer must arrive within the client's time limit, which is shorter than that of
  /// most proxies.
  private static let patience = HTTPClient.timeout - 5

  /// The agency looks behind the place that the request names.
  let isSure = true

  init(to client: AgencyClient) { self.client = client }

  func next(until deadline: MonotonicTime) throws -> Arrival? {
    guard var place = place.withLock({ $0 }) else {
      // Another request looks for the messages: this one only asks for the place from which on they are new.
      let (place, _) = try ask(pack(waiting: 0, behind: nil))
      self.place.withLock { $0 = place }
      return .waiting
    }
    let start = MonotonicTime.now
    let wait = min(Self.patience, place.longest, deadline.milliseconds(since: start) / 1000 + 1)
    guard wait > 0 else { throw Self.noPlace }
    let kept = place.request.flatMap { $0.wait == wait ? $0.packed : nil }
    let request = try kept ?? pack(waiting: wait, behind: place.name)
    let (next, messages) = try ask(request)
    if !messages.isEmpty {
      self.place.withLock { $0 = Place(name: next.name, longest: place.longest) }
      return .brought(messages.map(ConnectionMessages.init))
    }
    place.request = (wait, request)
    self.place.withLock { $0 = place }
    guard MonotonicTime.now.milliseconds(since: start) >= 500 * wait else { throw Self.noPlace }
    return nil
  }

  private static let noPlace = CloudAgentError.unable("lets no further client wait for messages")

  func cancel() { cancellation.cancel() }

  private func pack(waiting seconds: Int, behind place: String?) throws -> AgencyChannel.PackedRequest {
    var filter = WireMessageFilter(statusCodes: [MessageStatus.received.code], wait: seconds)
    filter.after = place
    filter.excludesPayload = place == nil
    return try client.channel.pack(
      GetMessagesByConnections(pairwiseDIDs: [], filter: filter), from: client.owner, to: client.agent)
  }

  /// Returns the place behind the messages of the answer, and these messages.
  private func ask(
    _ request: AgencyChannel.PackedRequest
  ) throws -> (place: Place, messages: [WireConnectionMessages]) {
    let answer: MessagesByConnections = try client.channel.answer(to: request, endedBy: cancellation)
    guard case .open(let next, let wait) = answer.end else {
      throw CloudAgentError.unable("tells of new messages only when it is asked")
    }
    return (Place(name: next, longest: wait), answer.connections.filter { !$0.messages.isEmpty })
  }
}
