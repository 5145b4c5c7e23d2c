internal import Foundation
package import JSON

/// An Indy ledger of one node. It ends with its last reference, or with any end of the process. Needs `scripts/setup
/// ledger`.
package final class LedgerProcess: Sendable {
  private let folder: TemporaryFolder
  /// The ledger ends when this is closed, which the end of the process does too.
  private let lifeline = Pipe()
  /// The transactions that its node is known by.
  package let genesis: String

  /// Starts a ledger in which these requests are written.
  package init(requests: JSON = []) throws {
    folder = try TemporaryFolder()
    let (genesis, written) = (folder.url.appending(path: "genesis"), folder.url.appending(path: "requests"))
    try Data(requests.bytes).write(to: written)
    let process = Process()
    process.standardInput = lifeline
    process.executableURL = URL(filePath: CredentialLibraries.ledgerPython)
    let program = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "tools/ledger/ledger.py")
    let paths = [program, genesis, written].map { $0.path(percentEncoded: false) }
    process.arguments = [paths[0], "--lifeline", "0", paths[1], paths[2]]
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: genesis.path(percentEncoded: false)) {
      Foundation.Thread.sleep(forTimeInterval: 0.02)
    }
    self.genesis = try String(contentsOf: genesis, encoding: .utf8)
  }

  deinit { try? lifeline.fileHandleForWriting.close() }
}
