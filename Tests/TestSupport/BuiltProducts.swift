internal import Foundation

/// The programs and libraries that were built together with the tests.
package enum BuiltProducts {
  /// The folder that the bundle of the running tests lies in.
  package static let folder: String? = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let line = maps.split(separator: "\n").first { $0.hasSuffix(".xctest") }
    return line?.firstIndex(of: "/").flatMap { start in line.map { String($0[start...]) } }
      .map { URL(filePath: $0).deletingLastPathComponent().path(percentEncoded: false) }
  }()
}
