internal import Platform
internal import ProgramArguments
internal import Sodium
internal import Wallet

/// The source of a key: a file, the environment or the user. The command line is no source, since everybody sees it.
struct KeySource {
  /// The purpose of the key, as in "the key of the wallet".
  let purpose: String
  let file: String?
  let variable: String
  /// Whether to ask for a new key twice.
  var isNew = false

  private static let longest = 65536

  func key() throws -> String {
    var bytes = try bytes()
    defer { wipe(&bytes) }
    return try text(bytes)
  }

  /// The caller wipes the result.
  private func bytes() throws -> [UInt8] {
    if let file { return try contents(of: file) }
    if let value = unsafe getenv(variable) { return Array(unsafe String(cString: value).utf8) }
    return try asked()
  }

  private func asked() throws -> [UInt8] {
    let prompt = purpose.prefix(1).uppercased() + purpose.dropFirst()
    guard var first = try Terminal.askSecret("\(prompt): ") else {
      throw Failure("There is no terminal to ask for \(purpose): give a file, or \(variable) in the environment.")
    }
    guard isNew else { return first }
    var second = try Terminal.askSecret("\(prompt) once more: ") ?? []
    defer { wipe(&second) }
    guard first == second else {
      wipe(&first)
      throw Failure("The two keys are not the same.")
    }
    return first
  }

  private func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard !bytes.isEmpty else { throw Failure("\(purpose.prefix(1).uppercased() + purpose.dropFirst()) is empty.") }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("The key is not UTF-8 text.") }
    return text
  }

  /// The contents of a file without the line break that editors put at its end.
  private func contents(of path: String) throws(Failure) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure("The key file \(quoted(path)) cannot be read: \(reason()).") }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest + 1)
    defer { wipe(&bytes) }
    var length = 0
    while length < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(file, buffer.baseAddress?.advanced(by: length), buffer.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("The key file \(quoted(path)) cannot be read: \(reason()).") }
      if count == 0 { break }
      length += count
    }
    guard length <= Self.longest else { throw Failure("The key file \(quoted(path)) is too long for a key.") }
    // With a second reference to the array, wiping would only wipe a copy.
    if length > 0, bytes[length - 1] == UInt8(ascii: "\n") { length -= 1 }
    if length > 0, bytes[length - 1] == UInt8(ascii: "\r") { length -= 1 }
    return Array(bytes[..<length])
  }

  private func reason() -> String { unsafe String(cString: strerror(errno)) }
}
