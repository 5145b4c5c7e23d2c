import Testing
import Threading

@testable import Logging

@Suite struct LogChannelTests {
  private final class Seen: Sendable {
    let records = Locked<[LogRecord]>([])
    let flushes = Locked(0)

    var sink: LogSink {
      LogSink(
        isEnabled: { _, target in target == "LoggingTests" },
        write: { record in self.records.withLock { $0.append(record) } },
        flush: { self.flushes.withLock { $0 += 1 } })
    }

    var messages: [String] { records.withLock { $0.map(\.message) } }
  }

  private let channel = LogChannel()
  private let seen = Seen()

  private func write(_ level: LogLevel, _ message: String, file: String = #fileID) {
    channel.write(level, { message }, file: file, line: 7)
  }

  @Test func linesBeforeTheSinkGoNowhere() {
    write(.error, "lost")
    #expect(channel.install(seen.sink))
    #expect(seen.messages.isEmpty)
  }

  @Test func aLineMayHaveDetails() {
    let lines = Locked<[String]>([])
    let channel = LogChannel { record in
      lines.withLock {
        $0.append(([record.message] + record.details.map { "\($0.key)=\($0.value)" }).joined(separator: " "))
      }
    }
    channel.write(
      .info, { "served" }, details: { ["request": "message", "outcome": "repeated"] }, file: "x/y", line: 1)
    channel.write(.info, { "stopped" }, file: "x/y", line: 2)
    #expect(lines.withLock { $0 } == ["served request=message outcome=repeated", "stopped"])
  }

  @Test func theFirstSinkStays() {
    let second = Seen()
    #expect(channel.install(seen.sink))
    #expect(!channel.install(second.sink))
    write(.info, "line")
    #expect(seen.messages == ["line"])
    #expect(second.messages.isEmpty)
  }

  @Test(arguments: [nil, .error, .warning, .info, .debug, .trace] as [LogLevel?])
  func levelsUpToTheMaximumPass(maximum: LogLevel?) {
    #expect(channel.install(seen.sink))
    channel.setMaximum(maximum)
    for level in LogLevel.allCases { write(level, "\(level.rawValue)") }
    #expect(seen.messages == Array(["1", "2", "3", "4", "5"].prefix(Int(maximum?.rawValue ?? 0))))
  }

  @Test func theModuleIsTheTarget() {
    #expect(channel.install(seen.sink))
    write(.error, "here")
    write(.error, "there", file: "Elsewhere/File.swift")
    let records = seen.records.withLock { $0 }
    #expect(records.map(\.target) == ["LoggingTests"])
    #expect(records.map(\.file) == ["LoggingTests/LogChannelTests.swift"])
    #expect(records.map(\.line) == [7])
  }

  @Test func aTextThatNobodyWantsIsNotMade() {
    #expect(channel.install(seen.sink))
    channel.write(
      .debug,
      {
        Issue.record("made")
        return ""
      }, file: #fileID, line: #line)
  }

  /// For callers with work to do before they can write a line.
  @Test func theChannelTellsWhetherItTakesALine() {
    #expect(!channel.mayTake(.error))
    channel.setMaximum(.debug)
    #expect(!channel.mayTake(.error), "nobody is there to take it")
    #expect(channel.install(seen.sink))
    #expect(channel.mayTake(.debug) && !channel.mayTake(.trace))
    channel.setMaximum(nil)
    #expect(!channel.mayTake(.error))
  }

  @Test func aLineIsOneLineAndNotEndless() {
    #expect(channel.install(seen.sink))
    write(.error, "a\nb\r\u{85}c\u{2028}d\u{1b}[31m\u{7f}é\u{202e}")
    write(.error, String(repeating: "é", count: 5_000))
    #expect(seen.messages == ["a b  c d [31m é ", String(repeating: "é", count: 1_000)])
  }

  @Test func aLineOfPlainTextIsNotEndlessEither() {
    #expect(channel.install(seen.sink))
    write(.error, String(repeating: "x", count: 1_000))
    write(.error, String(repeating: "y", count: 1_001))
    #expect(seen.messages == [String(repeating: "x", count: 1_000), String(repeating: "y", count: 1_000)])
  }

  /// Each of them would tear the line apart, or hide a part of it.
  @Test(arguments: ["\n", "\u{7f}", "\u{1f}", "\u{2028}", "\u{2029}", "\u{200b}"])
  func aControlCharacterIsASpace(character: String) {
    #expect(channel.install(seen.sink))
    write(.error, "a\(character)b")
    #expect(seen.messages == ["a b"])
  }

  @Test func flushReachesTheSink() {
    #expect(channel.install(seen.sink))
    channel.flush()
    #expect(seen.flushes.withLock { $0 } == 1)
  }
}
