import Foundation
import FuzzTargets
import Testing

/// The inputs that fuzzing has found worth keeping. `scripts/fuzz` makes more.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus")

  @Test(arguments: FuzzTarget.all) func noInputBreaksAProperty(of target: FuzzTarget) throws {
    let text = try String(contentsOf: Self.folder.appending(path: "\(target).txt"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.count >= 10, "the corpus is too small to say anything")
    for line in lines {
      let input = try #require(Data(base64Encoded: String(line)), "not base64: \(line)")
      #expect(throws: Never.self, "\(line)") { try target.run(Array(input)) }
    }
  }

  @Test func eachFileBelongsToATarget() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
    #expect(files.sorted() == FuzzTarget.all.map { "\($0).txt" }.sorted())
  }

  @Test func aTargetReportsAPropertyThatAnInputBreaks() {
    let target = FuzzTarget("odd") { input in
      guard input.count.isMultiple(of: 2) else { throw Finding(description: "the length is odd") }
    }
    #expect(throws: Finding.self) { try target.run([1]) }
    #expect(throws: Never.self) { try target.run([1, 2]) }
  }
}
