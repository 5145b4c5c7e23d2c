internal import CPostgreSQL

/// The target of connections: a URI of a PostgreSQL database, or libpq's older string of keywords and values
/// (PostgreSQL manual, "Connection Strings").
///
/// In its errors libpq quotes parts of a malformed target. If a special character of the password is not escaped, libpq
/// takes a part of the password for the host, the port or the database. This type therefore checks a target before
/// libpq uses it, and its reason quotes nothing.
package struct ConnectionTarget: Sendable {
  /// The target for libpq. It may contain a password.
  let text: String

  /// Whether the target itself has a password, which others may not read.
  package let hasPassword: Bool

  /// Throws if `text` is malformed.
  package init(_ text: String) throws(PostgreSQLError) {
    guard let values = Self.values(text), Self.isUnambiguous(text, values) else { throw .malformedTarget }
    self.text = text
    hasPassword = ["password", "sslpassword"].contains { values[$0] != nil }
  }

  /// The parameters of the target; nil if libpq cannot read it. Like libpq, it takes any other text for a database's
  /// name.
  private static func values(_ text: String) -> [String: String]? {
    guard isURI(text) || text.contains("=") else { return ["dbname": text] }
    guard let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return values
  }

  private static func isURI(_ text: String) -> Bool { text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") }

  /// False if a part of a password with an unescaped `@` or `/` was read as a host, a port or a path.
  private static func isUnambiguous(_ text: String, _ values: [String: String]) -> Bool {
    let isHost = values["host"]?.contains("@") != true
    let isPort = values["port"]?.split(separator: ",").allSatisfy { UInt16($0) != nil } ?? true
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let isPath = !isURI(text) || parts.count < 4 || !parts[3].prefix { $0 != "?" }.contains("@")
    return isHost && isPort && isPath
  }
}

extension PostgreSQLError {
  /// The target of a connection cannot be read. The text quotes nothing of it.
  static let malformedTarget = PostgreSQLError(
    state: nil,
    message: "the URI of the database is malformed: special characters in its user name and password are escaped, "
      + "such as % by %25, @ by %40 and / by %2F")
}
