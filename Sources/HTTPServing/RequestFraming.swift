extension HTTPServer.Request {
  /// Whether a header says in exactly one way where the body ends (RFC 9112, section 6).
  ///
  /// A proxy and this server must find the same end. Otherwise a part of one client's body becomes a request of its own, and
  /// the next client gets the answer to it (request smuggling).
  static func hasClearFraming(_ headers: [Field], version: String) -> Bool {
    guard headers.allSatisfy({ isToken($0.name) }) else { return false }
    let lengths = values(of: "content-length", in: headers)
    let encodings = values(of: "transfer-encoding", in: headers)
    switch (lengths.first, encodings.first) {
    case (nil, nil): return true
    case (let length?, nil): return lengths.count == 1 && isNumber(length)
    case (nil, let encoding?):
      return encodings.count == 1 && encoding.lowercased() == "chunked" && version == "HTTP/1.1"
    default: return false
    }
  }

  private static func values(of name: String, in headers: [Field]) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether a text can be the name of a field (RFC 9110, section 5.6.2). A blank before the colon would be a part of it.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !delimiters.contains($0) }
  }

  private static let delimiters = Set("\"(),/:;<=>?@[\\]{}".utf8)
}
