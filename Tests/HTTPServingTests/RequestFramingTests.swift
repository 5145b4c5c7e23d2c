import Foundation
import HTTPServing
import TestSupport
import Testing
import Threading

/// Requests that a proxy and the server could understand differently.
@Suite struct RequestFramingTests {
  private static let inner = "GET /inner HTTP/1.1\r\nHost: x\r\n\r\n"

  /// Sends a request whose body may be a second request. Returns what comes back, and the paths that were served.
  private func answer(to request: String) throws -> (text: String, paths: [String]) {
    let paths = Locked<[String]>([])
    let server = try HTTPServer { request in
      paths.withLock { $0.append(request.path) }
      return HTTPServer.Response(body: Array("ok".utf8))
    }
    let connection = try RawConnection(port: server.port)
    connection.send(request)
    connection.finishSending()
    return (try #require(connection.readToEnd()), paths.withLock { $0 })
  }

  @Test(
    arguments: [
      "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
      "Content-Length: 0\r\nContent-Length: 40", "Content-Length: 5\r\nContent-Length: 5",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: identity", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, identity",
      "transfer-encoding: chunked\r\nCONTENT-LENGTH: 5", "Content-Length: +5", "Content-Length: 0, 5",
      "Content-Length : 5", "Content-Length: 5\r\nTransfer-Encoding : chunked",
    ], ["POST", "GET"])
  func aBodyWithoutAClearEndIsRefusedAndTheConnectionEnds(fields: String, method: String) throws {
    let request = "\(method) /outer HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n0\r\n\r\n\(Self.inner)"
    let (text, paths) = try answer(to: request)
    #expect(text.hasPrefix("HTTP/1.1 400 ") && paths == [])
    #expect(!text.contains("HTTP/1.1 200 "), "the connection ends with the refusal")
  }

  @Test func chunksAreRefusedInTheOlderVersion() throws {
    let request = "POST /outer HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(Self.inner)"
    let (text, paths) = try answer(to: request)
    #expect(text.contains(" 400 ") && paths == [])
  }

  @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: Chunked", "transfer-encoding: chunked"])
  func aBodyWithAClearEndIsServedAndTheNextRequestToo(fields: String) throws {
    let request = "POST /outer HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n0\r\n\r\n\(Self.inner)"
    let (text, paths) = try answer(to: request)
    #expect(text.components(separatedBy: "HTTP/1.1 200 ").count == 3 && paths == ["/outer", "/inner"])
  }
}
