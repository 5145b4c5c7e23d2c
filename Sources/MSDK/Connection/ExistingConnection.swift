internal import Aries
internal import JSON
internal import Logging

/// The search among a program's stored connections for one that serves a new invitation.
package struct ExistingConnection: Equatable, Sendable {
  /// The match between the connection and the invitation.
  package enum Same: String, Sendable { case invitation, inviter, none }

  /// The place of the connection in the list; nil if none serves.
  package let index: Int?
  package let same: Same
  /// The places of the skipped connections, which could not be read.
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
  /// A connection from the same invitation comes first, then a completed one with the same inviter, then one with the
  /// same inviter that is not completed; among equals the first in the array. Failed and deleted connections do not
  /// count, nor do an inviter's, whose invitation is our own. Unreadable connections are skipped.
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
    if let known = candidates.first(where: { $0.identity.isSameInvitation(as: identity) }) {
      (index, same) = (known.index, .invitation)
      return
    }
    let ofInviter = candidates.filter { $0.identity.isSameInviter(as: identity) }
    index = (ofInviter.first(where: \.isCompleted) ?? ofInviter.first)?.index
    same = index == nil ? .none : .inviter
  }

  private struct Candidate {
    let index: Int
    let identity: InviterIdentity
    let isCompleted: Bool

    /// Returns nil for a connection that does not count.
    init?(_ connection: Connection, at index: Int) {
      guard connection.isInvited, connection.state.number != 0, let invitation = connection.receivedInvitation else {
        return nil
      }
      self.index = index
      identity = InviterIdentity(of: invitation)
      isCompleted = connection.state.number == 4
    }
  }
}

extension Connection {
  fileprivate var isInvited: Bool {
    if case .proprietary(let connection) = machine, connection.state == .redirected { return false }
    return machine.role == .invitee
  }

  fileprivate var receivedInvitation: JSON? {
    guard case .proprietary(let connection) = machine else { return invitation?.json.value }
    return connection.invitation?.json
  }
}
