internal import HTTP
internal import Platform

/// Fetches files over HTTP. It follows redirects on the same server only: another server would decide about the DID.
struct WebFetcher: Sendable {
  private let client: HTTPClient

  /// The time limit for a file, in seconds.
  private static let timeout = 10
  private static let mostRedirects = 3

  init(reach: HTTPClient.Reach, authorities: String?) {
    client = HTTPClient(timeout: Self.timeout, reach: reach, authorities: authorities)
  }

  /// The file at the URL; nil if the server does not have it. `limit` is in bytes. Redirects are followed for as long as
  /// one file may take.
  func file(_ url: String, limit: Int) throws(FetchError) -> [UInt8]? {
    let end = MonotonicTime.now.after(milliseconds: Self.timeout * 1000)
    var url = url
    for _ in 0...Self.mostRedirects {
      let response = try response(from: url, limit: limit)
      switch response.status {
      case 200: return response.body
      case 404, 410: return nil
      case 301, 302, 303, 307, 308:
        guard let target = response.location, let from = HTTPURL(url), let to = HTTPURL(target),
          to.scheme == from.scheme, to.host.lowercased() == from.host.lowercased(), to.port == from.port
        else { throw .unusable("\(HTTPURL.origin(of: url)): it redirects to another server") }
        guard MonotonicTime.now <= end else {
          throw .unreachable("\(HTTPURL.origin(of: url)): it redirects too slowly")
        }
        url = target
      case let status: throw FetchError(status: status, "\(HTTPURL.origin(of: url)): HTTP \(status)")
      }
    }
    throw .unusable("\(HTTPURL.origin(of: url)): it redirects too often")
  }

  private func response(from url: String, limit: Int) throws(FetchError) -> HTTPClient.Response {
    do { return try client.get(url, maximumBody: limit) } catch {
      if case .responseTooLarge = error { throw .unusable("\(error)") }
      throw .unreachable("\(error)")
    }
  }
}

/// The reasons why a file could not be fetched.
enum FetchError: Error, Equatable, Sendable {
  /// The server gives no answer now. Another attempt may get the file.
  case unreachable(String)
  /// The answer of the server is no file that counts.
  case unusable(String)

  /// The statuses below 500 after which another attempt may get the file: timeout, too early, too many requests.
  private static let passing = [408, 425, 429]

  fileprivate init(status: Int, _ reason: String) {
    self = status >= 500 || Self.passing.contains(status) ? .unreachable(reason) : .unusable(reason)
  }
}
