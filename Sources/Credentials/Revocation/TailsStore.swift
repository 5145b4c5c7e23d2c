internal import Files
internal import Sodium

/// The tails files of registries, each in a directory under its hash.
package struct TailsStore: Sendable {
  /// Downloads a URL. Throws if it has more than `limit` bytes.
  package typealias Download = @Sendable (_ url: String, _ limit: Int) throws -> [UInt8]

  private let directory: String
  private let download: Download

  package init(directory: String, download: @escaping Download) {
    self.directory = directory
    self.download = download
  }

  /// The path of a registry's tails file. The application's `given` is the file, or the directory that holds it under
  /// its hash. Without `given`, the file is downloaded once, and kept if its hash and size are right.
  package func path(of tails: RegistryDefinition.Tails, given: String? = nil) throws -> String {
    guard tails.isHash else { throw CredentialsError.malformedRegistry("its tails hash is none") }
    if let given {
      let inside = "\(given)/\(tails.hash)"
      return Files.identity(of: inside) == nil ? given : inside
    }
    let path = "\(directory)/\(tails.hash)"
    if Files.identity(of: path) != nil { return path }
    let bytes = try content(of: tails)
    guard bytes.count == tails.size else { throw CredentialsError.malformedRegistry("its tails file has another size") }
    guard Base58.encode(sha256(bytes)) == tails.hash else {
      throw CredentialsError.malformedRegistry("its tails file has another hash")
    }
    try Files.makeDirectory(directory)
    try Files.replace(path, with: bytes)  // whole or not at all, even if two threads fetch it at once
    return path
  }

  /// During tests on one machine, issuers publish the path of a file in place of a URL.
  private func content(of tails: RegistryDefinition.Tails) throws -> [UInt8] {
    let isURL = tails.location.hasPrefix("http://") || tails.location.hasPrefix("https://")
    if isURL { return try download(tails.location, tails.size) }
    guard let file = try? FileReader(path: tails.location), file.length <= tails.size,
      let content = try? file.read(tails.size)
    else { throw CredentialsError.malformedRegistry("its tails file cannot be read") }
    return content
  }
}

extension RegistryDefinition.Tails {
  /// The hash becomes a file's name, and the registry comes from a stranger.
  fileprivate var isHash: Bool { (try? Base58.decode(hash, limit: 64))?.count == 32 }
}
