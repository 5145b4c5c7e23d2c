import Foundation
import HTTP
import JSON
import TestSupport
import Testing
import Time

@testable import AgencyServer

/// Options of the program, and the process that they start.
extension ProgramTests {
  @Test func theShortOptionForHelpIsKnown() throws {
    #expect(try run(["-h"]) == run(["--help"]))
  }

  /// Accounts in a database are listed and changed from a machine without a data folder.
  @Test func aDatabaseIsAPlaceOfItsOwn() throws {
    let uri = try PostgreSQLServer.newDatabase()
    let storage = try PostgreSQLStorage(uri, clock: { 1 })
    let did = try Store.agent(in: storage).party.did
    let listed = try run(["accounts", "--database", uri])
    #expect(listed.status == 0 && listed.output.contains(did))
    for (change, state) in [("lock", "locked"), ("unlock", "connected")] {
      let result = try run([change, did, "--database", uri])
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(try storage.accounts(after: 0, limit: 9).map(\.state) == [state])
    }
  }

  @Test(arguments: [
    (#""address": "127.0.0.3""#, ["--address", "127.0.0.2"], "http://127.0.0.2:"),
    (
      #""public_endpoint": "https://file.example""#, ["--public-endpoint", "https://option.example"],
      "https://option.example"
    ),
  ])
  func anOptionGoesBeforeTheSetting(setting: String, options: [String], endpoint: String) throws {
    let folder = try TemporaryFolder()
    let config = folder.url.appending(path: "agency.json")
    try Data(#"{"data": "\#(folder.path)/file", \#(setting)}"#.utf8).write(to: config)
    let process = try AgencyProcess(
      dataFolder: folder.path + "/option", options: ["--config", config.path(percentEncoded: false)] + options)
    #expect(process.endpoint.hasPrefix(endpoint))
    #expect(process.end() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["agency.json", "option"])
  }

  @Test(arguments: [["lock", "5aqLX4KNM6opPGEK63P38M"], ["backup", "one"], ["restore", "one"]])
  func aSecondOperandIsRefused(words: [String]) throws {
    let folder = try TemporaryFolder()
    let result = try run(words + ["two", "--data", folder.path])
    #expect(result.status == 2 && result.errors.contains("unknown option two"))
  }

  @Test func aModeThatTheSponsorsDoNotPermitIsRefused() throws {
    let folder = try TemporaryFolder()
    let config = folder.path + "/agency.json"
    try Data(#"{"data": "x", "sponsors": [{"id": "bank"}]}"#.utf8).write(to: URL(filePath: config))
    #expect(try run(["check-settings", "--config", config]).status == 0)
    let result = try run(["check-settings", "--config", config, "--provisioning", "token"])
    #expect(result.status == 2)
    #expect(result.errors.contains("--provisioning: the sponsor bank is active and has no verkeys"))
  }

  @Test func filesOfSettingsInTheWorkingFolderLieBesideThem() throws {
    let folder = try TemporaryFolder()
    try Data(Google().accountFile.bytes).write(to: folder.url.appending(path: "account.json"))
    #expect(chmod(folder.path + "/account.json", 0o600) == 0)
    let settings: JSON = ["data": "x", "push": ["service_account": "account.json"]]
    try Data(settings.bytes).write(to: folder.url.appending(path: "agency.json"))
    let result = try run(["check-settings", "--config", "agency.json"], in: folder.path)
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  // MARK: - The process

  private static var mayRaiseLimits: Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_max >= 20_000
  }

  @Test(
    .enabled(if: mayRaiseLimits),
    arguments: [("-Sn 256; ulimit -Hn 20000", 18_192), ("-Sn 19000; ulimit -Hn 20000", 19_000)])
  func itTakesNoMoreFilesThanItNeedsAndLowersNoLimit(limits: String, count: Int) throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path, limits: limits)
    #expect(try process.fileLimit() == count)
    #expect(process.end() == 0)
  }

  @Test func itServesOnWhenNobodyReadsItsLog() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: (BuiltProducts.folder ?? "") + "/msdk-agency")
    process.arguments = ["--port", "0", "--data", folder.path]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try errors.fileHandleForReading.close()
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    let ready = try JSON(parsing: Array(output.fileHandleForReading.availableData))
    #expect(try HTTPClient().get(#require(ready["endpoint"]?.string) + "/agency").status == 200)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  @Test func aLineOfItsLogHasItsTime() throws {
    let folder = try TemporaryFolder()
    let (log, start) = (folder.path + "/log", systemClock())
    let process = try AgencyProcess(dataFolder: folder.path + "/data", log: log)
    #expect(process.end() == 0)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let times = try lines.map { try JSON(parsing: Array($0.utf8))["time"]?.integer ?? 0 }
    #expect(!times.isEmpty && times.allSatisfy { (start...systemClock()).contains($0) })
  }
}
