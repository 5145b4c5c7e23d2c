internal import Sodium

/// The client's opening handshake (RFC 6455, section 4.1), without I/O.
struct OpeningHandshake {
  private let key: String
  /// The request's bytes.
  let request: [UInt8]
  private var received: [UInt8] = []
  /// No empty line begins before this index.
  private var searched = 0

  /// The most bytes of the server's answer.
  private static let maximumAnswer = 16 << 10

  init(_ url: WebSocketURL, random: RandomSource = randomBytes) {
    key = Base64.encode(random(16), .standard)
    let lines = [
      "GET \(url.target) HTTP/1.1", "Host: \(url.authority)", "User-Agent: msdk", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13", "", "",
    ]
    request = Array(lines.joined(separator: "\r\n").utf8)
  }

  /// Reads bytes of the answer. Returns nil until the whole answer is there, and then the bytes behind the answer.
  mutating func take(_ bytes: [UInt8]) throws(WebSocketError) -> [UInt8]? {
    received += bytes
    while searched + 4 <= received.count, !received[searched..<(searched + 4)].elementsEqual("\r\n\r\n".utf8) {
      searched += 1
    }
    guard searched <= Self.maximumAnswer else { throw .notWebSocket("its answer is too long") }
    guard searched + 4 <= received.count else { return nil }
    let head = received[..<searched]
    received.removeFirst(searched + 4)
    searched = 0
    guard try accepts(UpgradeAnswer(head)) else { return try take([]) }
    return received
  }

  /// Whether the server has changed the protocol. False for an interim answer, which another answer follows.
  private func accepts(_ answer: UpgradeAnswer) throws(WebSocketError) -> Bool {
    guard answer.status == 101 else {
      guard (100..<200).contains(answer.status) else { throw .refused(status: answer.status) }
      return false
    }
    guard answer.lists("websocket", under: "upgrade") else {
      throw .notWebSocket("its answer does not upgrade to websocket")
    }
    guard answer.lists("upgrade", under: "connection") else {
      throw .notWebSocket("its answer has no Connection: Upgrade")
    }
    guard answer.values("sec-websocket-accept") == [Self.proof(of: key)] else {
      throw .notWebSocket("its answer is not one to our key")
    }
    guard answer.values("sec-websocket-extensions").allSatisfy(\.isEmpty),
      answer.values("sec-websocket-protocol").isEmpty
    else {
      throw .notWebSocket("its answer names extensions or protocols that we did not ask for")
    }
    return true
  }

  /// The server's answer to a key.
  static func proof(of key: String) -> String {
    Base64.encode(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)), .standard)
  }
}

/// The head of an HTTP/1.1 answer.
private struct UpgradeAnswer {
  let status: Int
  private var fields: [(name: String, value: String)] = []

  /// `head` ends before the empty line.
  init(_ head: ArraySlice<UInt8>) throws(WebSocketError) {
    guard let text = String(validating: head, as: UTF8.self) else { throw .notWebSocket("its answer is not text") }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3, let status = UInt16(words[1]),
      (100..<1000).contains(status)
    else {
      throw .notWebSocket("its answer is not HTTP/1.1")
    }
    self.status = Int(status)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        throw .notWebSocket("its answer has a malformed header")
      }
      fields.append((line[..<colon].lowercased(), Self.trimmed(line[line.index(after: colon)...])))
    }
  }

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Whether the lists under a name have the token, in upper or lower case.
  func lists(_ token: String, under name: String) -> Bool {
    values(name).contains { $0.split(separator: ",").contains { Self.trimmed($0).lowercased() == token } }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
