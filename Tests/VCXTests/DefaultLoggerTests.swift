import Glibc
import Logging
import Testing

@testable import VCX

/// The logger that prints. Each in a process of its own, since a process has one logger.
@Suite struct DefaultLoggerTests {
  private func printed(_ output: ExitTest.Result?) -> [String] {
    let text = String(decoding: output?.standardErrorContent ?? [], as: UTF8.self)
    return text.split(separator: "\n").filter { $0.contains("VCXTests") }.map(String.init)
  }

  @Test func theEnvironmentChoosesTheLines() async {
    let output = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("RUST_LOG", "info", 1)
      #expect(vcx_set_default_logger(nil) == 0)
      Log.info("to be printed")
      Log.debug("not to be printed")
    }
    let lines = printed(output)
    #expect(lines.count == 1 && lines.first?.hasSuffix("to be printed") == true, "\(lines)")
  }

  @Test func aLineTellsItsLevelAndItsPlace() async {
    let output = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      #expect(vcx_set_default_logger("info") == 0)
      Log.warning("one", file: "VCXTests/Here.swift", line: 17)
      Log.info("two", file: "VCXTests/There.swift", line: 18)
    }
    #expect(
      printed(output) == [
        "warning VCXTests VCXTests/Here.swift:17 one", "info VCXTests VCXTests/There.swift:18 two",
      ])
  }

  @Test func aSecondPatternIsRefusedAndChangesNothing() async {
    let output = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      #expect(vcx_set_default_logger("info") == 0)
      #expect(vcx_set_default_logger("off") == 1090)
      Log.info("to be printed")
    }
    let lines = printed(output)
    #expect(lines.count == 1 && lines.first?.hasSuffix("to be printed") == true, "\(lines)")
  }

  /// The program knows better than the environment.
  @Test func aPatternComesBeforeTheEnvironment() async {
    let output = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("RUST_LOG", "trace", 1)
      #expect(vcx_set_default_logger("error,VCXTests=debug") == 0)
      Log.debug("to be printed")
      Log.trace("not to be printed")
    }
    let lines = printed(output)
    #expect(lines.count == 1 && lines.first?.hasSuffix("to be printed") == true, "\(lines)")
  }

  @Test func warningsArePrintedUnlessSaidOtherwise() async {
    let output = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      unsetenv("RUST_LOG")
      #expect(vcx_set_default_logger(nil) == 0)
      Log.warning("to be printed")
      Log.info("not to be printed")
    }
    let lines = printed(output)
    #expect(lines.count == 1 && lines.first?.hasSuffix("to be printed") == true, "\(lines)")
  }
}
