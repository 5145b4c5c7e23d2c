package import Foundation
package import JSON

/// The files of `Tests/Fixtures`.
package enum Fixtures {
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  package static func json(_ path: String) throws -> JSON {
    try JSON(parsing: Array(Data(contentsOf: folder.appending(path: path))))
  }
}

/// A folder that is removed when the last reference goes.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package var path: String { url.path(percentEncoded: false) }

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "msdk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

extension Array<UInt8> {
  /// The bytes of hexadecimal digits.
  package init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    precondition(digits.count == hex.count && digits.count.isMultiple(of: 2), "not hexadecimal: \(hex)")
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

/// Reproducible randomness: a failing property names its seed.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }
}
