internal import Foundation

/// The programs and libraries that were built together with the tests.
package enum BuiltProducts {
  /// The folder that the program of the running tests lies in.
  package static let folder: String? = {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return program.map { URL(filePath: $0).deletingLastPathComponent().path(percentEncoded: false) }
  }()
}
