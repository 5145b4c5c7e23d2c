internal import Foundation

/// A PostgreSQL server of the tests' own. It ends with the process, whatever ends that.
package final class PostgreSQLServer: Sendable {
  /// The server that the tests of a process share.
  package static let shared = Result { try PostgreSQLServer() }

  /// `postgresql://USER@ADDRESS:PORT/`, without the name of a database.
  private let base: String

  /// The server stops when this is closed, which the end of the process does too.
  private let lifeline: Pipe

  package struct NotStarted: Error {}

  private init() throws {
    let script = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scripts/postgresql")
    let process = Process()
    process.executableURL = script
    let output = Pipe()
    lifeline = Pipe()
    process.standardInput = lifeline
    process.standardOutput = output
    try process.run()
    guard let uri = Self.line(output.fileHandleForReading), let slash = uri.lastIndex(of: "/") else {
      throw NotStarted()
    }
    base = String(uri[...slash])
  }

  private static func line(_ file: FileHandle) -> String? {
    var bytes: [UInt8] = []
    while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The URI of a database.
  package func uri(_ database: String = "postgres") -> String { base + database }
}
