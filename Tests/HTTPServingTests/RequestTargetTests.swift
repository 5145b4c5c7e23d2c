import TestSupport
import Testing

@testable import HTTPServing

/// The path and the query of a request.
@Suite struct RequestTargetTests {
  @Test(arguments: [
    ("/", "/", ""), ("", "", ""), ("/a?", "/a", ""), ("/a?b", "/a", "b="), ("/a?b=", "/a", "b="), ("/a?=c", "/a", "=c"),
    ("/a?b=c=d&e&&f=?", "/a", "b=c=d e= f=?"), ("/%6detrics", "/metrics", ""), ("/a%2500", "/a%00", ""),
    ("/a%00", "/a\0", ""), ("/%", "/%", ""), ("/%4", "/%4", ""), ("/%+4", "/%+4", ""), ("/%zz%41", "/%zzA", ""),
    ("/a+b?c+d=e+%2B%26%3d", "/a+b", "c d=e +&="), ("/%c3%a4?%c3%a4=%ff", "/\u{e4}", "\u{e4}=\u{fffd}"),
  ])
  func aTargetHasAPathAndParameters(target: String, path: String, query: String) {
    let parts = HTTPServer.Request.parts(of: target)
    #expect(parts.path == path)
    #expect(parts.query.map { "\($0.name)=\($0.value)" }.joined(separator: " ") == query)
  }

  @Test(arguments: ["/metrics%00", "/%6detrics", "/metrics?", "/metrics?a=%41&b", "/a?b?c"])
  func aHandlerSeesTheTargetAsItWasSent(target: String) throws {
    let server = try HTTPServer { HTTPServer.Response(body: Array($0.target.utf8)) }
    let connection = try RawConnection(port: server.port)
    connection.send("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(connection.readToEnd()?.hasSuffix("\r\n\r\n\(target)") == true)
  }

  /// libmicrohttpd has memory for about 500 parameters. Too long a target is refused, and every other one is served.
  @Test(arguments: [(1, 200), (499, 200), (1000, 200), (15_000, 200), (20_000, 414)])
  func aTargetWithManyParametersIsAnswered(count: Int, status: Int) throws {
    let server = try HTTPServer { HTTPServer.Response(body: Array("\($0.query.count)".utf8)) }
    let connection = try RawConnection(port: server.port)
    let query = Array(repeating: "a", count: count).joined(separator: "&")
    connection.send("GET /?\(query) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let answer = connection.readToEnd()
    #expect(answer?.hasPrefix("HTTP/1.1 \(status) ") == true)
    if status == 200 { #expect(answer?.hasSuffix("\r\n\r\n\(count)") == true) }
  }

  /// The state of a request begins with its first line, and ends also if the rest of the header is refused.
  @Test func aRequestWithABrokenHeaderLeavesTheServerInOrder() throws {
    let server = try HTTPServer { _ in HTTPServer.Response() }
    let fields = String(repeating: "a:\r\n", count: 2000)
    for _ in 0..<20 {
      let connection = try RawConnection(port: server.port)
      connection.send("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
      #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 431 ") == true)
    }
    let connection = try RawConnection(port: server.port)
    connection.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200 ") == true)
  }
}
