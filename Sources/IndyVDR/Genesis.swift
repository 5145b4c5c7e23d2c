internal import JSON

/// The transactions that name a network's first nodes: a JSON text per line.
///
/// The library hangs on lines that it cannot read, so `Genesis` checks each line first.
package struct Genesis: Equatable, Sendable {
  package let text: String

  package init(_ text: String) throws(LedgerError) {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    guard !lines.isEmpty else { throw .malformedGenesis("there are none") }
    for (index, line) in lines.enumerated() {
      do { try Self.check(JSON(parsing: String(line))) } catch {
        throw .malformedGenesis("line \(index + 1): \(error)")
      }
    }
    self.text = lines.joined(separator: "\n")
  }

  private static func check(_ line: JSON) throws {
    let transaction = try line.requireObject().object("txn").object("data")
    _ = try transaction.string("dest")
    let node = try transaction.object("data")
    _ = (try node.string("alias"), try node.string("client_ip"))
    guard (1...65_535).contains(try node.integer("client_port")) else {
      throw JSONError.wrongType(key: "client_port", expected: "a port")
    }
  }
}
