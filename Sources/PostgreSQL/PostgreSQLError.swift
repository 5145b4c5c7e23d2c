internal import CPostgreSQL

/// A failure of PostgreSQL or of the connection to it.
package struct PostgreSQLError: Error, Equatable, Sendable {
  /// The five characters of SQLSTATE (PostgreSQL manual, appendix A); nil if the server was not reached or did not
  /// answer.
  package let state: String?

  /// The server's primary message, which names tables and columns. Its details, which contain values, are omitted.
  package let message: String

  init(state: String?, message: String) {
    self.state = state
    self.message = message
  }

  /// The kinds of failures that callers handle differently.
  package enum Kind: Equatable, Sendable {
    /// The connection is lost. A running statement may or may not have been executed.
    case connectionLost
    /// Another transaction was in the way; the work may be repeated from its start.
    case conflict
    case other
  }

  package var kind: Kind {
    guard let state else { return .connectionLost }
    switch state {
    // unique_violation, foreign_key_violation (another transaction has removed the row that a new row refers to),
    // serialization_failure, deadlock_detected
    case "23505", "23503", "40001", "40P01": return .conflict
    // Class 08: connection exceptions. 57P01 to 57P03: the server is being stopped, has crashed, or is starting.
    case "57P01", "57P02", "57P03": return .connectionLost
    default: return state.hasPrefix("08") ? .connectionLost : .other
    }
  }
}

extension PostgreSQLError {
  /// The failure in a result.
  init(result: OpaquePointer?, connection: OpaquePointer) {
    let state = result.flatMap { PQresultErrorField($0, sqlState) }.map { String(cString: $0) }
    let primary = result.flatMap { PQresultErrorField($0, primaryMessage) }.map { String(cString: $0) }
    self.init(state: state, message: primary ?? Self.firstLine(of: connection))
  }

  /// The failure to open a connection. Its text names hosts and users at most.
  init(connecting connection: OpaquePointer?) {
    self.init(state: nil, message: connection.map(Self.firstLine) ?? "out of memory")
  }

  private static func firstLine(of connection: OpaquePointer) -> String {
    let text = String(cString: PQerrorMessage(connection))
    return text.split(separator: "\n").first.map { String($0) } ?? "the connection was lost"
  }
}

// PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY: character literals, which Swift does not import as Int32.
private let sqlState = Int32(UInt8(ascii: "C"))
private let primaryMessage = Int32(UInt8(ascii: "M"))

extension PostgreSQLError: CustomStringConvertible {
  package var description: String { "\(message) (PostgreSQL\(state.map { " " + $0 } ?? ""))" }
}
