import DIDComm
import Glibc
import Sodium

@testable import Files

/// The targets' material: the same in each run, so that an input always has the same effect.
enum Material {
  static let own = Result { try KeyPair(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32))) }
  static let peer = Result { try KeyPair(seed: SecretBytes(copying: [UInt8](repeating: 9, count: 32))) }

  /// A raw wallet key, which costs no derivation.
  static let rawKey = Base58.encode([UInt8](repeating: 3, count: 32))

  /// A new folder for what a target writes. It goes when the process ends.
  static func folder() throws -> String {
    let path = "\(try home.get())/\(UInt32.random(in: 0 ... .max))"
    try Files.makeDirectory(path)
    return path
  }

  private static let home: Result<String, any Error> = Result {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(parent)/msdk-fuzz.\(getpid())"
    try Files.makeDirectory(path)
    atexit { Material.removeHome() }
    return path
  }

  private static func removeHome() {
    if let path = try? home.get() { try? Files.removeTree(path) }
  }
}

extension [UInt8] {
  /// The first byte, which chooses among the ways of a target, and the rest.
  var choice: (way: UInt8, rest: [UInt8])? { first.map { ($0, Array(dropFirst())) } }
}
