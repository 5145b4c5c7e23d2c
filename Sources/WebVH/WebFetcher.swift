internal import HTTP

/// Fetches files over HTTP. It follows redirects on the same server only: another server would decide about the DID.
struct WebFetcher: Sendable {
  private let client: HTTPClient

  /// The time limit for a file, in seconds.
  private static let timeout = 10
  private static let mostRedirects = 3

  init(reach: HTTPClient.Reach, authorities: String?) {
    client = HTTPClient(timeout: Self.timeout, reach: reach, authorities: authorities)
  }

  /// The file at the URL; nil if the server does not have it. `limit` is in bytes.
  func file(_ url: String, limit: Int) throws(FetchError) -> [UInt8]? {
    var url = url
    for _ in 0...Self.mostRedirects {
      let response: HTTPClient.Response
      do { response = try client.get(url, maximumBody: limit) } catch { throw FetchError("\(error)") }
      switch response.status {
      case 200: return response.body
      case 404, 410: return nil
      case 301, 302, 303, 307, 308:
        guard let target = response.location, let from = HTTPURL(url), let to = HTTPURL(target),
          to.scheme == from.scheme, to.host.lowercased() == from.host.lowercased(), to.port == from.port
        else { throw FetchError("\(HTTPURL.origin(of: url)): it redirects to another server") }
        url = target
      default: throw FetchError("\(HTTPURL.origin(of: url)): HTTP \(response.status)")
      }
    }
    throw FetchError("\(HTTPURL.origin(of: url)): it redirects too often")
  }
}

/// A file could not be fetched, for the given reason.
struct FetchError: Error, Equatable, Sendable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
