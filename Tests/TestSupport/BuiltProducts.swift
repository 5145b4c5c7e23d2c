internal import Foundation

/// The programs and libraries that were built together with the tests.
package enum BuiltProducts {
  /// The folder that the program of the running tests lies in.
  package static let folder: String? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    return URL(filePath: program).deletingLastPathComponent().path(percentEncoded: false)
  }()
}
