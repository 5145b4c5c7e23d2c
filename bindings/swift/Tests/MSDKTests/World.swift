import Foundation
import MSDK
import Testing

/// A running agency, and a place for a wallet.
final class World {
  let folder: URL
  private let agency = Process()
  let request: Provisioning
  /// The key of the agency.
  let verkey: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("msdk-swift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = try #require(ProcessInfo.processInfo.environment["MSDK_AGENCY"], "MSDK_AGENCY names the program")
    let output = Pipe()
    agency.executableURL = URL(fileURLWithPath: program)
    agency.arguments = ["--port", "0", "--data", folder.appendingPathComponent("agency").path]
    agency.standardOutput = output
    agency.standardError = FileHandle.nullDevice
    try agency.run()
    let facts = try JSONDecoder().decode([String: String].self, from: output.fileHandleForReading.availableData)
    verkey = facts["verkey"] ?? ""
    request = Provisioning(
      at: .agency(
        .init(endpoint: facts["endpoint"] ?? "", did: facts["did"] ?? "", verkey: verkey)),
      walletName: "alice", walletKey: "a key", walletHome: folder.path, institutionName: "Alice")
  }

  func end() {
    agency.terminate()
    agency.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// Whether an AnonCreds engine is named for the tests of credentials.
let hasEngine = ProcessInfo.processInfo.environment["MSDK_ANONCREDS_LIB"].map(FileManager.default.fileExists) ?? false

/// A text in base64 as URLs have it.
func encoded(_ text: String) -> String {
  Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
    of: "/", with: "_")
}
