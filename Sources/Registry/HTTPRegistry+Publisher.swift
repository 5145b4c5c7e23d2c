internal import HTTP

/// Publishes on a web server that takes files by PUT, such as one with WebDAV or a store of objects.
///
/// Each request has a condition (RFC 9110, 13): a new file must not replace a file, and a changed file may replace only
/// the version that this writer has read.
extension HTTPRegistry: FolderPublisher {
  /// The attempts against faster writers. For each lost attempt, another writer has succeeded.
  private static var attempts: Int { 50 }
  /// The most characters of a server's reason.
  private static var longestReason: Int { 200 }

  package func change(
    _ path: String, limit: Int, _ edit: ([UInt8]?) throws(PublicationError) -> [UInt8]?
  ) throws(PublicationError) {
    for _ in 0..<Self.attempts {
      let found: Found?
      do { found = try find(path, limit: limit, headers: ["Cache-Control: no-cache"]) } catch {
        throw .unreachable("\(error)")
      }
      guard let content = try edit(found?.content) else { return }
      let url = found?.url ?? url(of: path)
      let type = path.hasSuffix(".jsonl") ? "text/jsonl" : "application/json"
      if try put(content, type, at: url, condition(replacing: found)) { return }
    }
    throw .unreachable("\(base): other writers change \(path) all the time")
  }

  package func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String {
    try add(tails: path, as: "tails/\(hash)")
    return "\(base)/tails/\(hash)"
  }

  package func add(tails: String, as path: String) throws(PublicationError) {
    let url = "\(base)/\(path)"
    if let known = try? uploads.head(url), known.isSuccess { return }
    // If another process has put a file there meanwhile, that file has the same hash.
    _ = try put(self.tails(at: tails), "application/octet-stream", at: url, condition(replacing: nil))
  }

  /// The condition under which a file may be written.
  private func condition(replacing found: Found?) throws(PublicationError) -> String {
    guard let found else { return "If-None-Match: *" }
    // A weak tag, which begins with W/, never fits.
    guard let tag = found.tag, tag.hasPrefix("\"") else {
      throw .refused("\(base) gives files no strong ETag: two writers could lose each other's revocations")
    }
    return "If-Match: \(tag)"
  }

  /// Returns false if the condition does not hold: another writer was faster.
  private func put(
    _ content: [UInt8], _ type: String, at url: String, _ condition: String
  ) throws(PublicationError) -> Bool {
    let authorization = token.map { ["Authorization: Bearer \($0.text)"] } ?? []
    let response: HTTPClient.Response
    do {
      response = try uploads.put(content, to: url, contentType: type, headers: [condition] + authorization)
    } catch {
      throw .unreachable("\(error)")
    }
    guard !response.isSuccess else { return true }
    let reason = String(decoding: response.body.prefix(Self.longestReason), as: UTF8.self)
    let text = "\(base) answers HTTP \(response.status): \(reason)"
    switch response.status {
    case 412: return false
    case 409, 429, 500...: throw .unreachable(text)
    default: throw .refused(text)
    }
  }
}
