internal import Platform
internal import ProgramArguments
internal import Sodium

/// The terminal and the streams of the process.
enum Terminal {
  /// Writes the whole result, or throws: a reader must not take a part for the whole.
  static func writeResult(_ text: String) throws(Failure) {
    guard write(text, to: STDOUT_FILENO) else {
      throw Failure("The result cannot be written: \(unsafe String(cString: strerror(errno))).")
    }
  }

  /// Writes `text`. Returns false if it could not write all of it.
  @discardableResult
  static func write(_ text: String, to file: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      bytes = bytes.dropFirst(max(count, 0))
    }
    return true
  }

  /// Writes an error for the user.
  static func complain(_ text: String) { write(fitted("msdk: \(text)", to: STDERR_FILENO) + "\n", to: STDERR_FILENO) }

  /// Breaks lines that are wider than the terminal behind `file`, if it is one that tells its size.
  static func fitted(_ text: String, to file: Int32 = STDOUT_FILENO) -> String {
    guard let columns = size(of: file)?.columns else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { wrapped(String($0), to: columns) }.joined(separator: "\n")
  }

  /// The whole standard input, without the line break at its end.
  static func readInput() throws(Failure) -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("Standard input cannot be read.") }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("Standard input is no UTF-8.") }
    return text
  }

  /// Shows the lines and asks the user, on the terminal itself. Returns nil if there is no terminal.
  static func confirm(_ question: String, after lines: [String]) -> Bool? {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    write(lines.map { fitted($0, to: terminal) + "\n" }.joined(), to: terminal)
    // Only words that are typed after the user could read the lines answer the question.
    tcflush(terminal, TCIFLUSH)
    write(question + " [y/N] ", to: terminal)
    var answer = [UInt8](repeating: 0, count: 256)
    let count = unsafe answer.withUnsafeMutableBytes { unsafe read(terminal, $0.baseAddress, $0.count) }
    guard count < answer.count else {
      // A longer line is no answer, and its rest must not reach the shell.
      tcflush(terminal, TCIFLUSH)
      return false
    }
    let words = String(decoding: answer.prefix(max(count, 0)), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.count == 1 && ["y", "yes"].contains(words[0].lowercased())
  }

  /// Whether a user sees the results.
  static var showsResults: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether a user types the standard input.
  static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether a user sees the errors.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  /// The columns and lines of the terminal that shows results; nil if no terminal does, or if it does not tell its
  /// size.
  static var size: (columns: Int, lines: Int)? { size(of: STDOUT_FILENO) }

  private static func size(of file: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1000) }

  /// Asks the user for a secret, on the terminal itself even if the streams are redirected, without showing the input.
  /// Returns nil if there is no terminal. The caller wipes the result.
  static func askSecret(_ prompt: String) throws(Interruption) -> [UInt8]? {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    defer { write("\n", to: terminal) }
    return try withoutEcho(terminal) { () throws(Interruption) in
      write(prompt, to: terminal)  // after switching off the echo, so that nothing typed after it is shown or lost
      return try readLine(terminal)
    }
  }

  /// Reads the typed keys, including Ctrl-C: a signal would leave the terminal without its echo.
  private static func withoutEcho<Result>(
    _ terminal: Int32, _ body: () throws(Interruption) -> Result
  ) throws(Interruption) -> Result {
    var before = termios()
    unsafe tcgetattr(terminal, &before)
    var mute = before
    mute.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    unsafe tcsetattr(terminal, TCSAFLUSH, &mute)
    defer { unsafe tcsetattr(terminal, TCSAFLUSH, &before) }
    return try body()
  }

  private enum Key {
    static let interrupt: UInt8 = 3
    static let end: UInt8 = 4
    static let backspaces: [UInt8] = [8, 127]
    static let returns: [UInt8] = [10, 13]
  }

  private static func readLine(_ terminal: Int32) throws(Interruption) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(256)
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count < 1 || Key.returns.contains(byte) || byte == Key.end { return line }
      if byte == Key.interrupt {
        wipe(&line)
        throw Interruption()
      }
      if Key.backspaces.contains(byte) { eraseCharacter(from: &line) } else { line.append(byte) }
    }
  }

  /// The last character of UTF-8 text, with all its bytes.
  private static func eraseCharacter(from line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }
}
