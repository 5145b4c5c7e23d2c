internal import Files
internal import ProgramArguments
internal import QRCode

/// A text as a QR code.
struct Picture {
  private let code: QRCode

  init(of text: String) throws(Failure) {
    guard let code = QRCode(text) else { throw Failure("The text is empty, or too long for a QR code.") }
    self.code = code
  }

  /// The command `qr`.
  static func run(_ arguments: Arguments) throws -> Program.Ending {
    let picture = try Picture(of: arguments.operands.first ?? Terminal.readInput())
    if let path = arguments[.png] { try picture.writePNG(to: path) }
    if arguments.has(.svg) {
      try Terminal.writeResult(picture.code.svg)
    } else if !arguments.has(.png) {
      if let size = Terminal.size, let excess = picture.excess(over: size) { throw Failure(excess) }
      try Terminal.writeResult(picture.code.text)
    }
    return .done
  }

  /// For a terminal.
  var text: String { String(code.text.dropLast()) }

  /// A sentence about a terminal that is too small for the code with a text below it; nil if the terminal is large
  /// enough. A partial code is useless, and a wrapped line ruins it.
  func excess(over size: (columns: Int, lines: Int), below text: String = "") -> String? {
    let lines = code.text.split(separator: "\n")
    let columns = lines.first?.count ?? 0
    let height = lines.count + (text.count + size.columns - 1) / size.columns + 1
    guard columns > size.columns || height > size.lines else { return nil }
    return
      "The QR code needs a terminal of \(columns) columns and \(height) lines, and this one has \(size.columns) and "
      + "\(size.lines): --png FILE writes it as a picture."
  }

  func writePNG(to path: String) throws(Failure) {
    try Self.writing(path) { file throws(FileError) in try file.write(code.png()) }
  }

  /// Throws if no picture can be written there: the file exists, or its folder cannot take it.
  static func requireFree(_ path: String) throws(Failure) {
    try writing(path) { _ throws(FileError) in try Files.remove(path) }
  }

  private static func writing(_ path: String, _ use: (FileWriter) throws(FileError) -> Void) throws(Failure) {
    do { try use(FileWriter(creating: path, mode: 0o644)) } catch {
      throw Failure("The picture \(quoted(path)) cannot be written: \(error).")
    }
  }
}
