internal import Threading

/// Counters for the operator.
package final class Metrics: Sendable {
  /// The counted events.
  package enum Counter: String, CaseIterable, Sendable {
    case messagesStored = "msdk_agency_messages_stored_total"
    case messagesRepeated = "msdk_agency_messages_repeated_total"
    case notificationsSent = "msdk_agency_notifications_sent_total"
    case notificationsFailed = "msdk_agency_notifications_failed_total"

    fileprivate var help: String {
      switch self {
      case .messagesStored: "Messages put into mailboxes."
      case .messagesRepeated: "Deliveries of messages that were there already."
      case .notificationsSent: "Notifications that their receivers took."
      case .notificationsFailed: "Attempts to notify that failed."
      }
    }
  }

  private struct Counts {
    var events: [Counter: Int] = [:]
    var answers: [Int: Int] = [:]
  }

  private let counts = Locked(Counts())

  package init() {}

  func count(_ counter: Counter) { counts.withLock { $0.events[counter, default: 0] += 1 } }

  func countAnswer(_ status: Int) { counts.withLock { $0.answers[status, default: 0] += 1 } }

  /// The counters in Prometheus' text format.
  package var text: String {
    let counts = counts.withLock { $0 }
    let events = Counter.allCases.map { counter in
      """
      # HELP \(counter.rawValue) \(counter.help)
      # TYPE \(counter.rawValue) counter
      \(counter.rawValue) \(counts.events[counter] ?? 0)

      """
    }
    let name = "msdk_agency_http_answers_total"
    let answers = counts.answers.sorted { $0.key < $1.key }.map { "\(name){status=\"\($0.key)\"} \($0.value)\n" }
    return events.joined() + "# HELP \(name) Answers by status.\n# TYPE \(name) counter\n" + answers.joined()
  }

  /// The counters, and the places that waiting clients take.
  func text(waiting: Int) -> String {
    let name = "msdk_agency_waiting_clients"
    return text + "# HELP \(name) Places of clients that wait for messages.\n# TYPE \(name) gauge\n\(name) \(waiting)\n"
  }
}
