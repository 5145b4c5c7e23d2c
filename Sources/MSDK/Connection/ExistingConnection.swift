internal import Aries
internal import JSON
internal import Logging

/// The search among a program's stored connections for one that serves a new invitation.
package struct ExistingConnection: Equatable, Sendable {
  /// The match between the connection and the invitation.
  package enum Same: String, Sendable { case invitation, inviter, none }

  /// The index of the connection in the list; nil if no connection serves.
  package let index: Int?
  package let same: Same
  /// The indices of the skipped connections, which could not be read.
  package let unreadable: [Int]

  /// `{"index": …, "same": …}`, and `"unreadable": […]` if connections were skipped.
  package var text: String {
    var object: JSONObject = ["index": index.map { .integer(Int64($0)) } ?? .null, "same": .string(same.rawValue)]
    if !unreadable.isEmpty { object["unreadable"] = .array(unreadable.map { .integer(Int64($0)) }) }
    return JSON.object(object).text
  }

  /// Looks for a connection. `invitation` is the JSON text of an invitation of any form. `connections` is a JSON array
  /// of serialized connections, each as a text or as the object that the text holds.
  ///
  /// A connection from the same invitation comes first, in any state; then a completed connection whose inviter has
  /// proven a key or a DID that the new invitation names. Among equals, the first in the array counts. Failed and
  /// deleted connections do not count, nor do connections without a handshake, nor an inviter's connections, whose
  /// invitations are our own. Unreadable connections are skipped.
  package init(for invitation: String, among connections: String) throws {
    let identity = InviterIdentity(of: .object(try JSON(parsing: invitation).requireObject()))
    let connections = try JSON(parsing: connections).requireArray()
    var unreadable: [Int] = []
    var candidates: [Candidate] = []
    for (index, stored) in connections.enumerated() {
      do {
        let connection = try stored.string.map { try Connection(serialized: $0) } ?? Connection(stored: stored)
        if let candidate = Candidate(connection, at: index) { candidates.append(candidate) }
      } catch {
        Log.warning("connection \(index) of \(connections.count) cannot be read: \(error)")
        unreadable.append(index)
      }
    }
    self.unreadable = unreadable
    let known = candidates.first { $0.inviter.isOf(identity) }
    let found = known ?? candidates.first { $0.isCompleted && $0.inviter.isInviter(of: identity) }
    index = found?.index
    same = known != nil ? .invitation : found != nil ? .inviter : .none
  }

  private struct Candidate {
    let index: Int
    let inviter: KnownInviter
    let isCompleted: Bool

    /// Returns nil for a connection that does not count.
    init?(_ connection: Connection, at index: Int) {
      let known: KnownInviter? =
        if case .proprietary(let connection) = connection.machine {
          KnownInviter(of: connection)
        } else {
          KnownInviter(of: connection.machine)
        }
      guard let known else { return nil }
      self.index = index
      inviter = known
      isCompleted = connection.state.number == 4
    }
  }
}
