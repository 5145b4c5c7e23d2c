internal import Files
internal import HTTP
internal import Platform
internal import Threading

/// A server that takes tails files from issuers and gives them to holders, each under its hash: indy-tails-server, or a
/// server with the same paths.
package struct TailsServer: Sendable {
  private let base: String
  private let client: HTTPClient
  /// The milliseconds before another attempt.
  private let pause: Int

  /// The most bytes of a tails file: the file of the largest registry.
  static let fileLimit = 300 << 20
  /// The time limit for the upload of a tails file, in seconds.
  static let timeout = 300

  private static let attempts = 3
  /// The most characters of a server's reason.
  private static let longestReason = 200

  /// `base` is the URL before `/hash/`. It may be an http URL, because holders compare the file with its hash. Returns
  /// nil for any other text. `authorities` is a file of certificates in PEM, which replace the system's.
  package init?(base: String, authorities: String? = nil, pause: Int = 1000) {
    guard HTTPURL(base) != nil else { return nil }
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    client = HTTPClient(timeout: Self.timeout, authorities: authorities)
    self.pause = pause
  }

  /// Uploads a file, unless the server has it, and returns the URL from which holders fetch it.
  ///
  /// If the server does not answer, or has an error of its own, tries again, and asks for the file first: an upload
  /// whose answer was lost is not repeated.
  func publish(_ path: String, hash: String) throws(PublicationError) -> String {
    let url = "\(base)/hash/\(hash)"
    var failures = 0
    while true {
      do throws(PublicationError) {
        if try !has(url) { try upload(path, to: url) }
        return url
      } catch {
        failures += 1
        let hasTime = Deadline.milliseconds(atMost: pause + 1) > pause
        guard case .unreachable = error, failures < Self.attempts, hasTime else { throw error }
        usleep(UInt32(pause) * 1000)
      }
    }
  }

  /// Servers that refuse the question get the file.
  private func has(_ url: String) throws(PublicationError) -> Bool {
    do { return try client.head(url).isSuccess } catch { throw .unreachable("tails server: \(error)") }
  }

  private func upload(_ path: String, to url: String) throws(PublicationError) {
    do { _ = try FileReader(path: path) } catch { throw .refused("the tails file cannot be read: \(error)") }
    let response: HTTPClient.Response
    do { response = try client.put(file: path, as: "tails", to: url) } catch {
      throw .unreachable("tails server: \(error)")
    }
    // 409: another process has uploaded the file meanwhile.
    guard !response.isSuccess, response.status != 409 else { return }
    let reason = String(decoding: response.body.prefix(Self.longestReason), as: UTF8.self)
    let text = "the tails server \(base) answers HTTP \(response.status): \(reason)"
    throw response.status >= 500 || response.status == 429 ? .unreachable(text) : .refused(text)
  }
}
