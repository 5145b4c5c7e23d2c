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
      try Terminal.writeResult(picture.code.text)
    }
    return .done
  }

  /// For a terminal.
  var text: String { String(code.text.dropLast()) }

  func writePNG(to path: String) throws(Failure) {
    do { try FileWriter(creating: path, mode: 0o644).write(code.png()) } catch {
      throw Failure("The picture \(quoted(path)) cannot be written: \(error).")
    }
  }
}
