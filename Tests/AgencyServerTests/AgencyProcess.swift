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

  /// `limits` are options of the shell's `ulimit`: `-f 2000` lets no file grow beyond 2000 blocks of 512 bytes. The log
  /// goes into the file `log`. `environment` is added to that of the tests.
  init(
    dataFolder: String, options: [String] = [], limits: String? = nil, log: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    let program = (BuiltProducts.folder ?? "") + "/msdk-agency"
    let arguments = ["--port", "0", "--data", dataFolder] + options
    let script = limits.map { #"trap "" XFSZ; ulimit \#($0); exec "$0" "$@""# }
    process.executableURL = URL(filePath: script == nil ? program : "/bin/sh")
    process.arguments = (script.map { ["-c", $0, program] } ?? []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    if let log { _ = FileManager.default.createFile(atPath: log, contents: nil) }
    process.standardError = log.flatMap { FileHandle(forWritingAtPath: $0) } ?? FileHandle.nullDevice
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

  /// How many files and sockets it may have open.
  func fileLimit() throws -> Int? {
    let limits = try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
    let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
  }

  /// A line of /proc/PID/status that is a size, in bytes: `VmRSS`, or `VmHWM`, the most that it was.
  func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max / 1024) * 1024
  }

  func threads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/task").count
  }

  deinit { if process.isRunning { kill() } }

  /// As a power cut would end it.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to read its settings again.
  func hangUp() { Foundation.kill(process.processIdentifier, SIGHUP) }

  /// Asks it to end, and returns its status. A program that has not ended after a minute is killed.
  func end(by signal: Int32 = SIGTERM) -> Int32 {
    let id = process.processIdentifier
    Foundation.kill(id, signal)
    let end = DispatchWorkItem { Foundation.kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: end)
    defer { end.cancel() }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
