import Logging
import Testing
import Threading

@testable import VCX

/// A program's logger learns of each call. Every test runs in a process of its own, since a process has one logger.
@Suite struct LoggedCallTests {
  /// A line tells the number that the callback receives, and never a text.
  @Test func aLineTellsTheNumberOfTheResult() async {
    await #expect(processExitsWith: .success) {
      #expect(vcx_set_logger_with_max_lvl(nil, nil, noteLine, nil, 3) == 0)
      _ = await pairs.call {
        start(Completion($0, pairCallback), function: "f1") { NumberAndText(number: 71, text: "private") }
      }
      _ = await answers.call { start(Completion($0, answerCallback), function: "f2") { true } }
      _ = await searchHandles.call { start(Completion($0, searchCallback), function: "f3") { 73 } }
      _ = await numbers.call { start(Completion($0, numberCallback), function: "f4") { 74 } }
      _ = await strings.call { start(Completion($0, stringCallback), function: "f5") { "private" } }
      let expected = [
        "f1 succeeded with 71", "f2 succeeded with true", "f3 succeeded with 73", "f4 succeeded with 74",
        "f5 succeeded",
      ]
      let lines = events.withLock { $0 }
      #expect(zip(lines, expected).allSatisfy { $0.hasPrefix($1 + " after ") } && lines.count == 5, "\(lines)")
    }
  }

  /// A program may end in its last callback: the line about the call is there by then.
  @Test func theLineComesBeforeTheCallback() async {
    await #expect(processExitsWith: .success) {
      #expect(vcx_set_logger_with_max_lvl(nil, nil, noteLine, nil, 3) == 0)
      let good = await numbers.call { command in
        start(Completion(command, noteAndReceive), function: "good") { 1 }
      }
      let bad = await numbers.call { command in
        start(Completion(command, noteAndReceive), function: "bad") { throw VCXError(.notReady, "not yet") }
      }
      #expect(good.delivery?.error == 0 && bad.delivery?.error == 1005)
      let names = events.withLock { $0 }.map { $0.prefix { $0 != " " } }
      #expect(names == ["good", "callback", "bad", "callback"])
    }
  }

  @Test func aLoggerWithoutALevelGetsLinesOfTheThirdLevel() async {
    await #expect(processExitsWith: .success) {
      #expect(vcx_set_logger(nil, nil, noteLine, nil) == 0)
      Log.info("heard")
      Log.debug("not heard")
      #expect(events.withLock { $0 } == ["heard"])
    }
  }

  @Test func eachFunctionOfALoggerGetsItsContext() async {
    await #expect(processExitsWith: .success) {
      let enabled: vcx_log_enabled_cb = { context, level, _ in
        let line = "\(UInt(bitPattern: context)) enabled \(level)"
        events.withLock { $0.append(line) }
        return context != nil
      }
      let flush: vcx_log_flush_cb = { context in
        let line = "\(UInt(bitPattern: context)) flush"
        events.withLock { $0.append(line) }
      }
      #expect(vcx_set_logger_with_max_lvl(UnsafeRawPointer(bitPattern: 5), enabled, noteLine, flush, 3) == 0)
      Log.warning("heard")
      Log.channel.flush()
      #expect(events.withLock { $0 } == ["5 enabled 2", "heard", "5 flush"])
    }
  }
}

private let events = Locked<[String]>([])

private let noteLine: vcx_log_cb = { _, _, _, message, _, _, _ in
  let line = message.map { String(cString: $0) } ?? "NULL"
  events.withLock { $0.append(line) }
}

private let noteAndReceive: vcx_number_cb = { command, error, number in
  events.withLock { $0.append("callback \(command)") }
  numbers.receive(command, error, number)
}
