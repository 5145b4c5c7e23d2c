import AgencyWire
import JSON

@testable import CloudAgent

/// Serves the oldest messages first until an answer is full, as agencies do, and does not say so.
final class Mailboxes {
  var messages: [(did: String, uid: String)]
  let size: Int
  let budget: Int
  private(set) var requests: [WireMessageFilter] = []
  /// Messages that the listing names and that are gone when they are asked for.
  var vanishing: Set<String> = []

  init(_ messages: [(did: String, uid: String)], size: Int, budget: Int = 1_000_000) {
    self.messages = messages
    self.size = size
    self.budget = budget
  }

  func answer(_ filter: WireMessageFilter) -> Download.Answer {
    requests.append(filter)
    let isListing = filter.excludesPayload
    let wanted = messages.filter { filter.uids.isEmpty || filter.uids.contains($0.uid) }
      .filter { isListing || !vanishing.contains($0.uid) }
    let chosen = isListing ? wanted : Array(wanted.prefix(max(1, budget / size)))
    let text = isListing ? nil : JSON.string(String(repeating: "x", count: size))
    let connections = ["a", "b"].map { did in
      let own = chosen.filter { $0.did == did }
      return WireConnectionMessages(
        pairwiseDID: did, messages: own.map { WireMessage(uid: $0.uid, statusCode: "MS-103", payload: text) })
    }
    return Download.Answer(connections: connections, end: .unsaid)
  }
}
