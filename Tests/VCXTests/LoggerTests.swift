import Logging
import Testing
import Threading

@testable import VCX

@Suite struct LoggerTests {
  /// One test of the whole life of a logger: a process has only one.
  @Test func theLoggerOfTheProcessIsSetOnce() {
    let log: vcx_log_cb = { context, level, target, message, module, file, line in
      let texts = [target, message, module, file].map { $0.map { String(cString: $0) } ?? "NULL" }
      lines.withLock { $0.append("\(UInt(bitPattern: context)) \(level) \(texts) \(line > 0)") }
    }
    let enabled: vcx_log_enabled_cb = { _, _, target in target.map { String(cString: $0) } == "VCXTests" }
    let context = UnsafeRawPointer(bitPattern: 5)

    #expect(vcx_set_logger_with_max_lvl(context, enabled, nil, nil, 3) == 1007)
    #expect(vcx_set_logger_with_max_lvl(context, enabled, log, nil, 6) == 1007)
    #expect(vcx_set_logger_with_max_lvl(context, enabled, log, { heardFlush($0) }, 2) == 0)
    #expect(vcx_set_logger_with_max_lvl(nil, nil, log, nil, 5) == 1090)
    #expect(vcx_set_logger(nil, nil, log, nil) == 1090)
    #expect(vcx_set_default_logger("trace") == 1090)

    Log.info("over the maximum")
    Log.warning("heard")
    Log.error("of a module that is not wanted", file: "Quiet/File.swift")
    #expect(vcx_set_log_max_lvl(5) == 0)
    #expect(vcx_set_log_max_lvl(6) == 1007)
    Log.trace("heard too")
    #expect(vcx_set_log_max_lvl(0) == 0)
    Log.error("off")
    #expect(
      lines.withLock { $0 } == [
        #"5 2 ["VCXTests", "heard", "VCXTests", "VCXTests/LoggerTests.swift"] true"#,
        #"5 5 ["VCXTests", "heard too", "VCXTests", "VCXTests/LoggerTests.swift"] true"#,
      ])

    var (context_p, enabled_p, log_p): (UnsafeRawPointer?, vcx_log_enabled_cb?, vcx_log_cb?)
    var flush_p: vcx_log_flush_cb?
    #expect(vcx_get_logger(&context_p, &enabled_p, &log_p, &flush_p) == 0)
    #expect(context_p == context)
    #expect(enabled_p?(nil, 1, "Quiet") == false && enabled_p?(nil, 1, "VCXTests") == true)
    #expect(log_p != nil)
    lines.withLock { $0 = [] }
    flush_p?(context)
    #expect(lines.withLock { $0 } == ["flush of 5"])
    #expect(vcx_get_logger(nil, nil, nil, nil) == 0)
  }

  @Test(arguments: [
    ("warn", LogLevel.warning, "Wallet", true), ("warn", .info, "Wallet", false),
    ("warn,Wallet=debug", .debug, "Wallet", true), ("warn,Wallet=debug", .debug, "HTTP", false),
    ("debug,HTTP=off", .error, "HTTP", false), ("debug,HTTP=off", .debug, "Wallet", true),
    ("MSDK", .trace, "MSDK", true), ("MSDK", .error, "HTTP", false),
    (" INFO , Wallet = trace ", .trace, "Wallet", true), ("off", .error, "Wallet", false),
    ("", .error, "Wallet", false), ("Wallet=nonsense,info", .info, "Wallet", true),
    ("Wal=error,Wallet=info,W=off", .info, "WalletStore", true), ("Wallet=off,Wallet=info", .info, "Wallet", true),
  ])
  func aPatternChoosesLines(pattern: String, level: LogLevel, target: String, allowed: Bool) {
    #expect(LogFilter(pattern: pattern).allows(level, target) == allowed)
  }

  @Test func thePatternsHighestLevelIsTheMaximum() {
    #expect(LogFilter(pattern: "warn,Wallet=debug,HTTP=off").maximum == .debug)
    #expect(LogFilter(pattern: "off").maximum == nil)
  }
}

private let lines = Locked<[String]>([])

private func heardFlush(_ context: UnsafeRawPointer?) {
  lines.withLock { $0.append("flush of \(UInt(bitPattern: context))") }
}
