import Foundation

/// The resources that a process uses, from /proc (proc(5)).
struct Usage {
  let process: Int32

  /// MiB in memory.
  var residentMemory: Double {
    let line = file("status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").compactMap { Double($0) }.first ?? 0) / 1024
  }

  /// Seconds of CPU time of all its threads since it started.
  var processorSeconds: Double {
    // The second field is the name in parentheses; user and system time are the 14th and 15th.
    let fields = file("stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12 else { return 0 }
    let ticks = fields[11...12].compactMap { Double($0) }.reduce(0, +)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private func file(_ name: String) -> String {
    (try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)) ?? ""
  }
}
