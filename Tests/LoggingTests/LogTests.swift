import Testing

@testable import Logging

/// The log of a process is set once, so this is one test of one sink.
@Suite struct LogTests {
  private final class Seen: @unchecked Sendable {  // written by the one thread of the test
    var records: [LogRecord] = []
    var flushes = 0
  }

  @Test func linesReachTheOneSinkUpToTheMaximum() {
    let seen = Seen()
    let sink = LogSink(
      isEnabled: { _, target in target == "LoggingTests" }, write: { seen.records.append($0) },
      flush: { seen.flushes += 1 })
    Log.error("nobody listens")
    #expect(Log.install(sink))
    #expect(!Log.install(sink))

    Log.info("first")
    Log.debug("over the maximum, which is info at first")
    Log.error("of another module", file: "Elsewhere/File.swift")
    Log.setMaximum(.trace)
    Log.trace("second")
    Log.setMaximum(nil)
    Log.error("nothing passes")
    Log.setMaximum(.info)
    Log.flush()

    #expect(seen.records.map(\.message) == ["first", "second"])
    #expect(seen.records.map(\.level) == [.info, .trace])
    #expect(seen.records.first?.target == "LoggingTests")
    #expect(seen.records.first?.file == "LoggingTests/LogTests.swift")
    #expect(seen.flushes == 1)
  }

  @Test func aTextThatNobodyWantsIsNotMade() {
    func text() -> String {
      Issue.record("made")
      return ""
    }
    Log.trace(text())
  }
}
