import Platform
import Testing

@testable import WebSocket

@Suite struct OpeningTests {
  /// The nonce of RFC 6455, section 1.3: `dGhlIHNhbXBsZSBub25jZQ==`.
  static func opening(_ url: String = "ws://a.example/x") throws -> OpeningHandshake {
    OpeningHandshake(try #require(WebSocketURL(url))) { _ in Array("the sample nonce".utf8) }
  }

  static let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  static let good = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(accept)\r\n\r\n"

  static func answer(_ text: String) throws -> [UInt8]? {
    var opening = try opening()
    return try opening.take(Array(text.utf8))
  }

  @Test func theRequestHasTheHeadersOfTheStandard() throws {
    let lines = String(decoding: try Self.opening("wss://a.example:8443/x?y=1").request, as: UTF8.self).split(
      separator: "\r\n")
    #expect(lines.first == "GET /x?y=1 HTTP/1.1")
    #expect(
      Set(lines.dropFirst()) == [
        "Host: a.example:8443", "User-Agent: msdk", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
      ])
  }

  @Test func theKeyIsNewEachTime() throws {
    let url = try #require(WebSocketURL("ws://a"))
    #expect(OpeningHandshake(url).request != OpeningHandshake(url).request)
  }

  @Test func bytesBehindTheAnswerBelongToTheSession() throws {
    #expect(try Self.answer(Self.good) == [])
    #expect(try Self.answer(Self.good + "more") == Array("more".utf8))
    var opening = try Self.opening()
    for byte in Self.good.utf8.dropLast() { #expect(try opening.take([byte]) == nil) }
    #expect(try opening.take([10, 1]) == [1])
  }

  @Test func interimAnswersAreSkipped() throws {
    #expect(
      try Self.answer("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + Self.good + "x") == [
        0x78
      ])
  }

  /// Names and tokens are the same in upper and lower case; a list may have more.
  @Test func theHeadersMayBeWrittenOtherwise() throws {
    let text =
      "HTTP/1.1 101\r\nUPGRADE:WebSocket\r\nconnection: keep-alive, UPGRADE\r\n\(Self.accept)  \r\nX: y:z\r\n\r\n"
    #expect(try Self.answer(text) == [])
  }

  @Test(arguments: [(200, ""), (301, "Location: ws://b\r\n"), (401, ""), (404, ""), (429, ""), (503, "")])
  func otherStatusesAreToldApart(status: Int, header: String) {
    #expect(throws: WebSocketError.refused(status: status)) { try Self.answer("HTTP/1.1 \(status) x\r\n\(header)\r\n") }
  }

  @Test func aRedirectIsNamed() {
    #expect("\(WebSocketError.refused(status: 301))".contains("redirects"))
    #expect(!"\(WebSocketError.refused(status: 404))".contains("redirects"))
  }

  @Test(arguments: [
    good.replacing(accept, with: "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOp="),
    good.replacing(accept + "\r\n", with: ""),
    good.replacing(accept, with: accept + "\r\n" + accept), good.replacing("Upgrade: websocket\r\n", with: ""),
    good.replacing("Connection: Upgrade\r\n", with: ""), good.replacing("websocket", with: "h2c"),
    good.replacing(accept, with: accept + "\r\nSec-WebSocket-Extensions: permessage-deflate"),
    good.replacing(accept, with: accept + "\r\nSec-WebSocket-Protocol: chat"),
    good.replacing("1.1 101", with: "1.0 101"),
    good.replacing(" 101", with: " +01"), good.replacing(" 101", with: ""),
    good.replacing("Upgrade: ", with: "Upgrade "), "SSH-2.0\r\n\r\n", "\r\n\r\n",
    String(repeating: "x", count: 20000),
  ])
  func answersThatProveNothingAreRefused(text: String) throws {
    let error = #expect(throws: WebSocketError.self) { try Self.answer(text) }
    guard case .notWebSocket = error else { throw try #require(error) }
  }
}

@Suite struct WebSocketURLTests {
  @Test(arguments: [
    ("ws://a.example", "http://a.example", "a.example", "/"),
    ("WSS://a.example:1/x", "https://a.example:1/x", "a.example:1", "/x"),
    ("ws://[::1]:80?q", "http://[::1]:80?q", "[::1]:80", "/?q"),
    ("ws://a/b/../c?d/e", "http://a/b/../c?d/e", "a", "/b/../c?d/e"),
  ])
  func theServerAndTheTargetAreFound(text: String, http: String, authority: String, target: String) throws {
    let url = try #require(WebSocketURL(text))
    #expect([url.http, url.authority, url.target] == [http, authority, target])
    #expect(url.origin == (text.lowercased().hasPrefix("wss") ? "wss://" : "ws://") + authority)
  }

  @Test(arguments: [
    "", "ws:", "ws://", "ws:a", "ws:///a", "http://a", "wsx://a", "ws://u@a", "ws://u:p@a/", "ws://a#b", "ws://a/#",
    "ws://a:0",
    "ws://a b", "ws://a/\r\nX: y", "ws://ä.example", "ws://a/ä",
  ])
  func malformedURLsAreRefused(text: String) { #expect(WebSocketURL(text) == nil) }
}

@Suite struct HeartbeatTests {
  static func moment(_ milliseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  @Test func aQuietServerIsPingedAndThenGivenUp() {
    var heartbeat = Heartbeat(milliseconds: 20, start: Self.moment(100))
    #expect(heartbeat.beat(at: Self.moment(119)) == .none && heartbeat.next == Self.moment(120))
    #expect(heartbeat.beat(at: Self.moment(125)) == .ping && heartbeat.next == Self.moment(145))
    #expect(heartbeat.beat(at: Self.moment(144)) == .none)
    #expect(heartbeat.beat(at: Self.moment(145)) == .silence)
  }

  @Test func aSignOfTheServerStartsTheTimeAnew() {
    var heartbeat = Heartbeat(milliseconds: 20, start: Self.moment(100))
    _ = heartbeat.beat(at: Self.moment(120))
    heartbeat.hear(at: Self.moment(139))
    #expect(heartbeat.beat(at: Self.moment(158)) == .none && heartbeat.beat(at: Self.moment(159)) == .ping)
  }
}
