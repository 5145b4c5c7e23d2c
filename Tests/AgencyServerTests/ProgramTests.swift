import Foundation
import HTTP
import TestSupport
import Testing

/// msdk-agency as a program.
@Suite struct ProgramTests {
  /// A program that should end, and has not after a minute, is killed.
  func run(_ arguments: [String], in folder: String? = nil) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: (BuiltProducts.folder ?? "") + "/msdk-agency")
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let id = process.processIdentifier
    let end = DispatchWorkItem { kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: end)
    defer { end.cancel() }
    let texts = try [output, errors].map { try $0.fileHandleForReading.readToEnd() ?? Data() }
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self)
    )
  }

  @Test func helpGoesToStandardOutput() throws {
    let result = try run(["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("usage: msdk-agency"))
    #expect(result.errors.isEmpty)
  }

  @Test func theVersionIsTold() throws {
    let result = try run(["--version"])
    #expect(result.status == 0)
    #expect(result.output.contains(/^msdk-agency \d+\.\d+\.\d+\+[0-9a-f]{7}\n$/))
  }

  @Test(arguments: [
    [], ["--port", "0"], ["--data"], ["--data", "x", "--port", "65536"], ["--data", "x", "--port", "-1"],
    ["--data", "x", "--bogus", "1"], ["--data", "x", "stray"], ["--data", "x", "--provisioning", "maybe"],
    ["--data", "x", "--public-endpoint", "agency.example"],
  ])
  func badArgumentsAreExplained(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("msdk-agency: "))
    #expect(result.errors.hasSuffix(". `msdk-agency --help` lists the options.\n"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test func impossibleSettingsAreAnError() throws {
    let result = try run(["--data", "/proc/nowhere", "--port", "0"])
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(!result.errors.isEmpty)
  }

  @Test func itServesUntilItIsAskedToEnd() throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path)
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }
}

extension ProgramTests {
  @Test func settingsComeFromAFileAndOptionsGoBeforeThem() throws {
    let folder = try TemporaryFolder()
    let config = folder.path + "/agency.json"
    try Data(#"{"port": 1, "address": "127.0.0.1", "metrics": true, "provisioning": "token"}"#.utf8)
      .write(to: URL(filePath: config))
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: ["--config", config])
    #expect(try HTTPClient().get(process.endpoint + "/metrics").status == 200)
    #expect(process.end() == 0)
  }

  @Test func theDocumentsExampleOfSettingsStartsAsPrinted() throws {
    let folder = try TemporaryFolder()
    let config = folder.path + "/agency.json"
    let document = try String(contentsOf: Fixtures.folder.appending(path: "../../docs/agency.md"), encoding: .utf8)
    let settings = try #require(document.firstMatch(of: /## Settings\n.*?```json\n(.*?)```/.dotMatchesNewlines()))
    try Data(settings.1.utf8).write(to: URL(filePath: config))
    // Its folder and its port are the machine's: the test brings its own.
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: ["--config", config])
    #expect(process.endpoint == "https://agency.example")
    #expect(process.end() == 0)
  }

  @Test func itPrintsThePublicEndpoint() throws {
    let folder = try TemporaryFolder()
    let options = ["--public-endpoint", "https://agency.example"]
    let process = try AgencyProcess(dataFolder: folder.path, options: options)
    #expect(process.endpoint == "https://agency.example")
    #expect(process.end() == 0)
  }

  @Test(arguments: ["", "{", #"{"prot": 1}"#])
  func aBadFileOfSettingsIsExplained(text: String) throws {
    let folder = try TemporaryFolder()
    let config = folder.path + "/agency.json"
    try Data(text.utf8).write(to: URL(filePath: config))
    let result = try run(["--data", folder.path, "--config", config])
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("msdk-agency: the configuration file: "))
    #expect(result.errors.hasSuffix(". docs/agency.md describes the settings.\n"))
    #expect(!result.errors.contains("usage:"))
    #expect(try run(["--data", folder.path, "--config", folder.path + "/absent"]).status == 2)
  }
}

/// Mistakes of the operator that would cost accounts or secrets.
extension ProgramTests {
  private func settings(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/agency.json"
    try? FileManager.default.removeItem(atPath: path)
    #expect(
      FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    return path
  }

  /// The second value would win, and open the agency to everybody.
  @Test(arguments: [
    #"{"provisioning":"token","provisioning":"open"}"#, #"{"limits":{"mailboxes":1,"mailboxes":500}}"#,
    #"{"sponsors":[{"id":"a","active":false,"active":true}]}"#, #"{"metrics":false,"m\u0065trics":true}"#,
  ])
  func aRepeatedSettingIsRefused(text: String) throws {
    let folder = try TemporaryFolder()
    let result = try run(["check-settings", "--data", folder.path, "--config", settings(text, in: folder)])
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains("occurs twice"))
  }

  @Test(arguments: ["postgresql://u:SECRET%PW@127.0.0.1:1/x", "postgresql://u:p@SECRETPW@127.0.0.1:1/x"])
  func aMalformedURIOfADatabaseIsRefusedAndNotShown(uri: String) throws {
    let folder = try TemporaryFolder()
    let config = try settings(#"{"database":"\#(uri)"}"#, in: folder)
    for arguments in [["check-settings", "--config", config], ["--port", "0", "--database", uri]] {
      let result = try run(arguments + ["--data", folder.path])
      #expect(result.status == 2)
      #expect(result.errors.contains("the URI of the database is malformed"))
      #expect(!result.errors.contains("SECRET") && !result.errors.contains("PW"))
    }
  }

  @Test func anAgencyWhoseSettingsBecomeAPipeGoesOnAndCanBeEnded() throws {
    let folder = try TemporaryFolder()
    let (config, log) = (try settings("{}", in: folder), folder.path + "/log")
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: ["--config", config], log: log)
    try FileManager.default.removeItem(atPath: config)
    #expect(mkfifo(config, 0o600) == 0)
    process.hangUp()
    var text = ""
    for _ in 0..<500 where !text.contains("reload failed") {
      usleep(10_000)
      text = try String(contentsOfFile: log, encoding: .utf8)
    }
    #expect(text.contains("cannot read a pipe"))
    #expect(process.end() == 0)
  }

  @Test func theSecondAgencyOfAFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path)
    let result = try run(["--data", folder.path, "--port", "0"])
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains("another agency serves this data folder"))
    #expect(try run(["accounts", "--data", folder.path]).status == 0)
    process.kill()
    let next = try AgencyProcess(dataFolder: folder.path)
    #expect(next.end() == 0)
  }

  @Test func filesThatAreOpenToAllAreNamedInTheLogAndByTheCheck() throws {
    let folder = try TemporaryFolder()
    let (data, log) = (folder.path + "/data", folder.path + "/log")
    let config = try settings(#"{"sponsors":[{"id":"a","active":false,"webhook_secret":"s"}]}"#, in: folder)
    let arguments = ["check-settings", "--data", data, "--config", config]
    #expect(try run(arguments).errors.isEmpty)
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    #expect(chmod(data, 0o777) == 0 && chmod(config, 0o644) == 0)
    let expected = [
      (config, "every user of the machine may read it"), (data, "every user of the machine may change it"),
    ]
    let result = try run(arguments)
    #expect(result.status == 0)
    #expect(result.errors == expected.map { "msdk-agency: warning: \($0): \($1)\n" }.joined())
    let process = try AgencyProcess(dataFolder: data, options: ["--config", config], log: log)
    #expect(process.end() == 0)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    for (path, reason) in expected { #expect(text.contains(path) && text.contains(reason)) }
  }

  /// Settings without a secret are nobody's secret.
  @Test func settingsWithoutASecretMayBeReadByAll() throws {
    let folder = try TemporaryFolder()
    let config = try settings(#"{"metrics":true,"database":"postgresql://agency@db.example/agency"}"#, in: folder)
    #expect(chmod(config, 0o644) == 0)
    let result = try run(["check-settings", "--data", folder.path, "--config", config])
    #expect(result.status == 0 && result.errors.isEmpty)
  }
}
