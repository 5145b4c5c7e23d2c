package import HTTP
internal import JSON
internal import Sodium

/// A URL that contains a message, or leads to one: the content of a QR code.
package struct MessageLink: Equatable, Sendable {
  private let url: String

  /// The query parameters that can hold a message, in the order of the search.
  private static let names = ["c_i", "d_m", "m", "oob", "o_i"]
  private static let maximumHops = 5
  private static let maximumBody = 1 << 20

  /// Requires an absolute URL. Removes line breaks of a copied URL, with the blanks around them.
  package init(_ url: String) throws(LinkError) {
    let url = url.split(whereSeparator: \.isNewline).map { $0.trimmed }.joined()
    guard isAbsoluteURL(url) else { throw .notAURL }
    self.url = url
  }

  /// The message as JSON text: from the query, unchanged, or from the URL, after at most five redirects or URLs in a
  /// body. Blocks while it fetches. It fetches only http and https, and never http after https. Each host must be in
  /// `reach`. `authorities` is the file of certificates to trust; nil means the system's. If it finds no message, and a
  /// query has a parameter with an unreadable message, the error names that parameter.
  package func resolve(
    reach: HTTPClient.Reach = .anywhere, trusting authorities: String? = nil
  ) throws(LinkError) -> String {
    let http = HTTPClient(maximumBody: Self.maximumBody, reach: reach, authorities: authorities)
    var link = self
    for _ in 0...Self.maximumHops {
      let parameters = link.parameters
      if let message = parameters.lazy.compactMap({ Self.decode($0.value) }).first { return message }
      let fetched: Fetched
      do { fetched = try link.fetch(http) } catch {
        guard let parameter = parameters.first else { throw error }
        throw .unreadable(parameter: parameter.name)
      }
      switch fetched {
      case .message(let text): return text
      case .link(let next): link = next
      }
    }
    throw .tooManyHops
  }

  /// The result of fetching a URL.
  enum Fetched: Equatable {
    case message(String), link(MessageLink)
  }

  private func fetch(_ http: HTTPClient) throws(LinkError) -> Fetched {
    guard isWeb else { throw .noMessage }
    let response: HTTPClient.Response
    do { response = try http.get(url) } catch { throw .unreachable(error) }
    return try read(response)
  }

  /// Returns the message in the response, or the next link.
  func read(_ response: HTTPClient.Response) throws(LinkError) -> Fetched {
    switch response.status {
    case 200..<300:
      let text = String(decoding: response.body, as: UTF8.self)
      if let next = try? MessageLink(text.trimmed) { return .link(try follow(next)) }
      guard (try? JSON(parsing: response.body)) != nil else { throw .noMessage }
      return .message(text)
    case 300..<400:
      guard let location = response.location else { throw .noMessage }
      return .link(try follow(MessageLink(location)))
    default:
      throw .refused(status: response.status)
    }
  }

  private func follow(_ next: MessageLink) throws(LinkError) -> MessageLink {
    guard !isSecure || next.isSecure || !next.isWeb else { throw .insecureRedirect }
    return next
  }

  private var scheme: String { url.prefix { $0 != ":" }.lowercased() }
  private var isSecure: Bool { scheme == "https" }
  private var isWeb: Bool { scheme == "http" || scheme == "https" }

  /// The present parameters that can hold a message, by their names in the order of the search.
  private var parameters: [(name: String, value: String)] {
    let query = url.split(separator: "#", maxSplits: 1)[0].split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let items = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    return Self.names.flatMap { name in
      items.filter { $0.first.map(String.init) == name }.map { (name, $0.count > 1 ? String($0[1]) : "") }
    }
  }

  /// Base64 in either alphabet, padded or not, percent-encoded or not. A blank stands for a `+` that was not escaped.
  private static func decode(_ value: String) -> String? {
    guard let text = value.percentDecoded else { return nil }
    let base64 = String(text.map { $0 == " " ? "+" : $0 })
    guard let bytes = try? Base64.decodeAny(base64), let message = (try? JSON(parsing: bytes))?.object, !message.isEmpty
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The reasons why a URL gives no message.
package enum LinkError: Error, Equatable, Sendable {
  case notAURL
  /// Neither the query nor the address holds a message.
  case noMessage
  /// The query has the parameter, but its value is not a message in base64.
  case unreadable(parameter: String)
  case unreachable(HTTPError)
  case refused(status: Int)
  case tooManyHops
  case insecureRedirect
}

extension LinkError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAURL: "the text is not an absolute URL"
    case .noMessage: "the URL neither carries a message nor leads to one"
    case .unreadable(let parameter):
      "the parameter \"\(parameter)\" of the URL is not a message in base64: a part of the URL may be missing"
    case .unreachable(let error): "the URL could not be fetched: \(error)"
    case .refused(let status): "the URL could not be fetched: HTTP \(status)"
    case .tooManyHops: "the URL leads from one place to the next without end"
    case .insecureRedirect: "the URL leads from https to http"
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension String {
  /// Returns nil if a `%` is not followed by two hexadecimal digits, or the result is not UTF-8.
  fileprivate var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let decoded = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
