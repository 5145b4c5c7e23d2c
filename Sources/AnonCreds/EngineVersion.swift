/// The version of the engine's library.
struct EngineVersion: Comparable, Sendable {
  private let parts: [Int]
  /// The version as the library writes it.
  private let text: String

  /// Reads a version such as `0.2.3` or `0.2.3-dev.2`. A text without numbers is older than all versions.
  init(_ text: String) {
    self.text = text
    parts = text.split(separator: ".").prefix(3).map { Int($0.prefix { $0.isASCII && $0.isNumber }) ?? 0 }
  }

  init(_ major: Int, _ minor: Int, _ patch: Int) {
    parts = [major, minor, patch]
    text = "\(major).\(minor).\(patch)"
  }

  /// Functions of earlier versions take other arguments.
  static let oldestUsable = EngineVersion(0, 2, 0)
  /// The newest version with which the tests have run.
  static let newestTried = EngineVersion(0, 2, 3)

  static func < (one: Self, other: Self) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }
  static func == (one: Self, other: Self) -> Bool { one.parts == other.parts }

  /// Throws `unavailable` if this version is older than the needed one.
  func require(_ needed: EngineVersion) throws(AnonCredsError) {
    guard self < needed else { return }
    throw .unavailable(reason: "libanoncreds.so has version \(text), and \(needed.text) is needed")
  }

  /// The line for the log about a version that is newer than the tried ones; nil for the others.
  var warning: String? {
    guard Self.newestTried < self else { return nil }
    return "libanoncreds.so has version \(text): msdk was tried with versions up to \(Self.newestTried.text) only"
  }
}
