import Foundation
import FuzzTargets
import Testing

/// The inputs that fuzzing has found worth keeping. `scripts/fuzz` makes more.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus")

  @Test(arguments: FuzzTarget.all) func noInputBreaksAProperty(of target: FuzzTarget) throws {
    let lines = try Self.lines(of: "\(target)")
    #expect(lines.count >= 10, "the corpus is too small to say anything")
    for line in lines { try Self.expectToHold(target, line) }
  }

  /// A line is the name of the target, and the input.
  @Test func noInputThatOnceBrokeAPropertyDoesSoAgain() throws {
    for line in try Self.lines(of: "found") {
      let words = line.split(separator: " ")
      let target = try #require(FuzzTarget.all.first { words.first == $0.name[...] }, "\(line)")
      try Self.expectToHold(target, words[1])
    }
  }

  private static func lines(of name: String) throws -> [Substring] {
    try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8).split(separator: "\n")
  }

  private static func expectToHold(_ target: FuzzTarget, _ line: Substring) throws {
    let input = try #require(Data(base64Encoded: String(line)), "not base64: \(line)")
    #expect(throws: Never.self, "\(line)") { try target.run(Array(input)) }
  }

  @Test func eachFileBelongsToATarget() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
    #expect(files.sorted() == (FuzzTarget.all.map(\.name) + ["found"]).map { "\($0).txt" }.sorted())
  }

  @Test func aTargetReportsAPropertyThatAnInputBreaks() {
    let target = FuzzTarget("odd") { input in
      guard input.count.isMultiple(of: 2) else { throw Finding(description: "the length is odd") }
    }
    #expect(throws: Finding.self) { try target.run([1]) }
    #expect(throws: Never.self) { try target.run([1, 2]) }
  }
}
