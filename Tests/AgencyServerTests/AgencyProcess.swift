import AgencyWire
import DIDComm
import Foundation
import JSON
import TestSupport

/// The real msdk-agency, in a process of its own. Killed when the last reference goes.
final class AgencyProcess {
  let endpoint: String
  let identity: Party
  private let process = Process()

  struct NotStarted: Error {}

  init(dataFolder: String, options: [String] = []) throws {
    process.executableURL = URL(filePath: (BuiltProducts.folder ?? "") + "/msdk-agency")
    process.arguments = ["--port", "0", "--data", dataFolder] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let ready = (try? JSON(parsing: Self.line(output.fileHandleForReading)))?.object
    guard let endpoint = ready?["endpoint"]?.string, let did = ready?["did"]?.string,
      let verkey = ready?["verkey"]?.string
    else {
      process.terminate()
      throw NotStarted()
    }
    self.endpoint = endpoint
    identity = Party(did: did, verkey: try VerKey(verkey))
  }

  private static func line(_ file: FileHandle) -> [UInt8] {
    var bytes: [UInt8] = []
    while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return bytes
  }

  deinit { if process.isRunning { kill() } }

  /// As a power cut would end it.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to end, and returns its status.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
