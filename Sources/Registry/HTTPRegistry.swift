internal import HTTP
internal import Platform
package import Sodium

/// A registry below a URL: the files of a `FolderRegistry`, over HTTPS.
package struct HTTPRegistry: FolderRegistry {
  let base: String
  private let match: IDPattern
  private let client: HTTPClient
  /// The client for uploads, which take longer.
  let uploads: HTTPClient
  /// The token that lets this program write; nil if the server asks for none.
  let token: SecretBytes?
  let now: @Sendable () -> Int64

  /// The time limit for a file, in seconds.
  private static let timeout = 10

  /// `base` must be an https URL, or an http URL of this machine. `match` is a regular expression on ids, nil for all
  /// ids. `authorities` is a file of certificates in PEM, which replace the system's. Returns nil if the URL, the
  /// expression or the token is malformed. Without `now`, the system's clock decides.
  package init?(
    base: String, match: String? = nil, authorities: String? = nil, token: SecretBytes? = nil,
    now: (@Sendable () -> Int64)? = nil
  ) {
    guard Self.isPermitted(base), token.map(Self.isToken) ?? true, let match = IDPattern(match) else { return nil }
    self.match = match
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    client = HTTPClient(timeout: Self.timeout, maximumBody: StatusLists.limit, authorities: authorities)
    uploads = HTTPClient(timeout: TailsServer.timeout, authorities: authorities)
    self.token = token
    self.now = now ?? { Int64(time(nil)) }
  }

  package func supports(_ id: String) -> Bool { match.matches(id) }

  package func read(_ path: String, limit: Int) throws(RegistryError) -> [UInt8]? {
    try find(path, limit: limit)?.content
  }

  /// A file on the server.
  struct Found {
    let url: String
    let content: [UInt8]
    /// The entity tag of this content, if the server gives one.
    let tag: String?
  }

  /// `headers` are lines for the request.
  func find(_ path: String, limit: Int, headers: [String] = []) throws(RegistryError) -> Found? {
    for url in urls(of: path) {
      let response: HTTPClient.Response
      do { response = try client.get(url, headers: headers, maximumBody: limit) } catch {
        throw .unreachable("\(error)")
      }
      switch response.status {
      case 200: return Found(url: url, content: response.body, tag: response.tag)
      // 400, 414: no file has such a name, or one of this length.
      case 400, 404, 410, 414: continue
      default: throw .unreachable("\(base): HTTP \(response.status)")
      }
    }
    return nil
  }

  /// Some servers look up the file name as the URL has it. Others decode it first, like servers of folders.
  private func urls(of path: String) -> [String] {
    let (asItStands, decoded) = ("\(base)/\(path)", url(of: path))
    return asItStands == decoded ? [decoded] : [asItStands, decoded]
  }

  /// The URL at which a server that decodes file names has the file. Uploaded files thus have the same names as in a
  /// folder's registry.
  func url(of path: String) -> String {
    "\(base)/\(path.split(separator: "/").map { percentEncoded(String($0)) }.joined(separator: "/"))"
  }

  private static func isPermitted(_ base: String) -> Bool {
    guard let url = HTTPURL(base) else { return false }
    let own = ["localhost", "127.0.0.1", "[::1]"]
    return url.scheme == .https || url.user == nil && own.contains(url.host.lowercased())
  }

  /// RFC 6750, 2.1: the token has no other character, such as the end of a line, that could change the header.
  private static func isToken(_ token: SecretBytes) -> Bool {
    let characters = token.text.utf8
    return !characters.isEmpty && characters.allSatisfy { isUnreserved($0) || "+/=".utf8.contains($0) }
  }
}
