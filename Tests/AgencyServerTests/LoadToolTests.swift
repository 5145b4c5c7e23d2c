import Foundation
import JSON
import TestSupport
import Testing

/// The tool of `make bench-agency`, with sizes that take no time: what it says it sent must be what it fetches.
@Suite struct LoadToolTests {
  @Test(arguments: StoreKind.allCases)
  func queuedAndForwardedMessagesAreFetched(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let programs = try #require(BuiltProducts.folder)
    let process = Process()
    process.executableURL = URL(filePath: programs + "/agency-load")
    process.arguments = [
      "--agency", programs + "/msdk-agency", "--data", folder.path, "--accounts", "3", "--messages", "7",
      "--forwards", "11",
    ]
    if kind == .postgreSQL { process.arguments? += ["--database", try PostgreSQLServer.newDatabase()] }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let figures = try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)).requireObject() }
    let counts = Dictionary(uniqueKeysWithValues: try figures.map { (try $0.string("metric"), $0["n"]?.integer) })
    #expect(counts["agency.forward"] == 11)
    #expect(counts["agency.download"] == 18)
    #expect(figures.allSatisfy { ($0["value"]?.number ?? -1) >= 0 })
  }

  @Test func aWrongOptionIsExplained() throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(BuiltProducts.folder) + "/agency-load")
    process.arguments = ["--accounts", "many"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(text.contains("usage: agency-load"))
  }
}
