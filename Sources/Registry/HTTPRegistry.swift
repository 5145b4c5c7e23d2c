package import HTTP
internal import Patterns

/// A registry below a URL: the files of a `FolderRegistry`, over HTTPS.
package struct HTTPRegistry: FolderRegistry {
  private let base: String
  private let match: Pattern?
  private let client: HTTPClient

  /// `base` must be an https URL, or an http URL of this machine. `match` is a regular expression on ids, nil
  /// for all ids. Returns nil if either is malformed.
  package init?(base: String, match: String?, client: HTTPClient) {
    guard Self.isPermitted(base) else { return nil }
    if let match {
      guard let pattern = Pattern(match) else { return nil }
      self.match = pattern
    } else {
      self.match = nil
    }
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.client = client
  }

  /// An id that the pattern takes too long for does not match.
  package func supports(_ id: String) -> Bool {
    guard let match else { return true }
    return (try? match.matches(Array(id.utf8))) ?? false
  }

  /// Some servers look up the file name as it stands in the URL, and find the first path. Others decode it first, as
  /// servers of folders do, and find the second.
  func read(_ path: String, limit: Int) throws(RegistryError) -> [UInt8]? {
    if let bytes = try get(path, limit: limit) { return bytes }
    return try get(path.split(separator: "/").map { percentEncoded(String($0)) }.joined(separator: "/"), limit: limit)
  }

  private func get(_ path: String, limit: Int) throws(RegistryError) -> [UInt8]? {
    let response: HTTPClient.Response
    do { response = try client.get("\(base)/\(path)", maximumBody: limit) } catch { throw .unreachable("\(error)") }
    switch response.status {
    case 200: return response.body
    case 404: return nil
    default: throw .unreachable("\(base): HTTP \(response.status)")
    }
  }

  private static func isPermitted(_ base: String) -> Bool {
    guard let url = HTTPURL(base) else { return false }
    let own = ["localhost", "127.0.0.1", "[::1]"]
    return url.scheme == .https || url.user == nil && own.contains(url.host.lowercased())
  }
}
