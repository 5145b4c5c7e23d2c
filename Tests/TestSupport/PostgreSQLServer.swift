internal import Foundation

/// A PostgreSQL server of the tests' own. It ends with its last reference, or with any end of the process.
package final class PostgreSQLServer: Sendable {
  /// The server that the tests of a process share.
  package static let shared = Result { try PostgreSQLServer() }

  /// `postgresql://USER@ADDRESS:PORT/`, without the name of a database.
  private let base: String

  /// The server ends when this is closed, which the end of the process does too.
  private let lifeline: Pipe
  private let output: Pipe

  package struct NotStarted: Error {}

  package init() throws {
    let script = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scripts/postgresql")
    let process = Process()
    process.executableURL = script
    output = Pipe()
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

  deinit { try? lifeline.fileHandleForWriting.close() }

  /// Ends the server as a crash would. Committed data is there when it starts again, under the same URIs.
  package func stop() throws { try command("stop") }

  package func start() throws { try command("start") }

  private func command(_ name: String) throws {
    try lifeline.fileHandleForWriting.write(contentsOf: Data("\(name)\n".utf8))
    guard Self.line(output.fileHandleForReading) != nil else { throw NotStarted() }
  }

  /// The URI of a database.
  package func uri(_ database: String = "postgres") -> String { base + database }
}
