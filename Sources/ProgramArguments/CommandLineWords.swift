internal import Files

/// The words of this process's command line after the name of the program.
///
/// They are read from /proc. Swift looks for them in front of the environment in memory, and finds none once a library
/// that was loaded earlier has called `setenv`. Without /proc, Swift's words are returned.
package func commandLineWords() -> [String] {
  guard let bytes = try? Files.contents(of: "/proc/self/cmdline", limit: 64 << 20), !bytes.isEmpty else {
    return Array(CommandLine.arguments.dropFirst())
  }
  return Array(words(ofCommandLine: bytes).dropFirst())
}

/// The words in the form of /proc/PID/cmdline: a zero byte ends each.
func words(ofCommandLine bytes: [UInt8]) -> [String] {
  let pieces = bytes.split(separator: 0, omittingEmptySubsequences: false)
  return pieces.dropLast(bytes.last == 0 ? 1 : 0).map { String(decoding: $0, as: UTF8.self) }
}
