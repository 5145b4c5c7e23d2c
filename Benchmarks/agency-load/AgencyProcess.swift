import AgencyWire
import DIDComm
import Foundation
import JSON

/// The program under load.
final class AgencyProcess {
  let endpoint: String
  let identity: Party
  private let process = Process()

  struct NotStarted: Error {}

  /// Starts it without a limit to the requests of one address, because this machine sends all of them.
  init(program: String, dataFolder: String, database: String?) throws {
    let settings = dataFolder + "/load.json"
    let limits: JSON = [
      "requests_per_s": 1_000_000, "requests_burst": 1_000_000, "waiting": 20_000, "waiting_per_account": 1000,
      "wait_s": 600,
    ]
    try Data((["metrics": true, "limits": limits] as JSON).bytes).write(to: URL(filePath: settings))
    process.executableURL = URL(filePath: program)
    process.arguments = ["--config", settings, "--port", "0", "--data", dataFolder]
    if let database { process.arguments? += ["--database", database] }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let ready = try? JSON(parsing: Array(output.fileHandleForReading.availableData)).object
    guard let endpoint = ready?["endpoint"]?.string, let did = ready?["did"]?.string,
      let verkey = ready?["verkey"]?.string
    else { throw NotStarted() }
    self.endpoint = endpoint
    identity = Party(did: did, verkey: try VerKey(verkey))
  }

  var usage: Usage { Usage(process: process.processIdentifier) }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}
