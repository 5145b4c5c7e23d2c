import Foundation
import TestSupport
import Testing

@testable import JSON

/// How much of a machine a JSON text of others can take.
@Suite struct LimitTests {
  private func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")]) func depthIsLimited(open: String, close: String)
    throws
  {
    let levels = open.count { "[{".contains($0) }
    let deepest = nested(100 / levels, open, close)
    #expect(try JSON(parsing: deepest).text == deepest)
    for depth in [100 / levels + 1, 2046, 400_000] {
      #expect(throws: JSONError.tooDeep(limit: 100)) { try JSON(parsing: nested(depth, open, close)) }
      #expect(throws: JSONError.tooDeep(limit: 100)) { try JSON(parsing: String(repeating: open, count: depth)) }
    }
    #expect(try JSON(parsing: nested(101, "[", "]"), limits: JSONLimits(depth: 101)).text == nested(101, "[", "]"))
  }

  /// Brackets in strings open nothing, after any character.
  @Test(arguments: [#"[[[["#, #"\"{{"#, #"\\\"[[\\"#]) func bracketsInStringsDoNotCount(text: String) throws {
    let strings = (0..<300).map { _ in "\"\(String(repeating: text, count: 50))\"" }.joined(separator: ",")
    #expect(try JSON(parsing: "[\(strings)]").array?.count == 300)
  }

  @Test func onlyOpenContainersCountAsDepth() throws {
    let text = "[" + Array(repeating: nested(99, "[", "]"), count: 50).joined(separator: ",") + "]"
    #expect(try JSON(parsing: text).text == text)
  }

  @Test(arguments: ["1", "[]", "{}", #""""#, "null", #"{"a":1}"#]) func valuesAreLimited(element: String) throws {
    let values = ["[]", "{}", #"{"a":1}"#].contains(element) ? 2 : 1
    let text = { (count: Int) in "[" + Array(repeating: element, count: count).joined(separator: ",") + "]" }
    #expect(try JSON(parsing: text(9_000 / values)).array?.count == 9_000 / values)
    #expect(throws: JSONError.tooManyValues) { try JSON(parsing: text(100_000)) }
  }

  @Test func aLongTextMayHaveMoreValues() throws {
    let tags = "{" + (0..<60_000).map { "\"name\($0)\":\"\"" }.joined(separator: ",") + "}"
    #expect(try JSON(parsing: tags).object?.count == 60_000)
  }

  /// The texts that take most, up to the limit, each of 1 MB.
  static func worst() -> [(name: String, text: [UInt8])] {
    let size = 1 << 20
    let most = size / 10 + 9_000
    let lists = [
      ("numbers", "1", most), ("strings", #""abcdefghijklmnop""#, size / 19), ("arrays", "[]", most / 2),
      ("numbers in arrays", "[1]", most / 2), ("objects", "{}", most / 2),
      ("members in objects", #"{"a":1}"#, most / 2),
      ("escapes", #""\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n""#, size / 35),
    ].map { (name, element, count) in (name, "[" + Array(repeating: element, count: count).joined(separator: ",") + "]")
    }
    let members = [
      ("members", "{" + (0..<most * 9 / 10).map { "\"\(String($0, radix: 36))\":0" }.joined(separator: ",") + "}"),
      ("one member", "{" + Array(repeating: #""a":0"#, count: most).joined(separator: ",") + "}"),
      ("one string", "\"" + String(repeating: "x", count: size - 2) + "\""),
      ("one escaped string", "\"" + String(repeating: #"\n"#, count: size / 2 - 2) + "\""),
    ]
    return (lists + members).map { name, text in
      (name, Array(text.utf8) + [UInt8](repeating: 0x20, count: max(0, size - text.utf8.count)))
    }
  }

  /// In a process of its own, whose peak is the kernel's account.
  @Test(.withoutSanitizer) func aTextTakesAtMostEightTimesItsSizeAndLittleTime() async {
    await #expect(processExitsWith: .success) {
      for (name, text) in LimitTests.worst() {
        let start = processorTime()
        let before = Memory.resetPeak()
        let json = try JSON(parsing: text)
        let taken = Memory.peak() - before
        #expect(processorTime() - start < 20_000_000_000, "\(name)")
        #expect(taken <= 8 * text.count, "\(name) took \(taken) bytes for \(text.count)")
        withExtendedLifetime(json) {}
      }
    }
  }

  /// A thread of the library has more, and a caller's may have as little.
  @Test func theDeepestTextNeedsLittleStack() async {
    await #expect(processExitsWith: .success) {
      let thread = Thread {
        let deepest = String(repeating: #"{"a":["#, count: 50) + "1" + String(repeating: "]}", count: 50)
        guard let json = try? JSON(parsing: deepest), json.text == deepest, json.sortedText == deepest,
          json == json, JSON.array([json]) != json
        else { exit(1) }
        exit(0)
      }
      thread.stackSize = 512 << 10
      thread.start()
      sleep(60)
      exit(2)
    }
  }

  @Test(.withoutSanitizer) func aTextOverTheLimitTakesNearlyNothing() async {
    await #expect(processExitsWith: .success) {
      let text = Array((#"{"a":["# + String(repeating: "{},", count: 3 << 20) + "1]}").utf8)
      let before = Memory.resetPeak()
      #expect(throws: JSONError.tooManyValues) { try JSON(parsing: text) }
      #expect(Memory.peak() - before < text.count)
    }
  }
}

@_silgen_name("malloc_trim") private func trim(_ pad: Int) -> Int32

/// The resident memory of this process, as the kernel counts it.
enum Memory {
  /// Makes the peak what is resident now, and returns that, in bytes.
  static func resetPeak() -> Int {
    _ = trim(0)
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    return read("VmRSS")
  }

  static func peak() -> Int { read("VmHWM") }

  private static func read(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
