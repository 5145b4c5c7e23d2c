internal import Platform

/// The program's use of its process: signals, output, end.
enum Process {
  /// Must be called before the first thread starts, so that all threads inherit it.
  static func holdSignals() {
    signal(SIGPIPE, SIG_IGN)
    var signals = awaited
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Raises the limit of open files and sockets to `needed`, or to the highest permitted one. Returns the limit: connections,
  /// files and notifications together need more than a shell's usual limit.
  static func raiseFileLimit(to needed: Int) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return needed }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(needed)))
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }

  /// Blocks until a signal asks the process to end, or to read its settings again (SIGHUP). Returns the signal.
  static func nextSignal() -> Int32 {
    var signals = awaited
    var signal: Int32 = 0
    unsafe sigwait(&signals, &signal)
    return signal
  }

  private static var awaited: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGHUP)
    return signals
  }

  /// Writes the whole `text`, with one call if the system permits it.
  static func write(_ text: String, to file: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }
}
