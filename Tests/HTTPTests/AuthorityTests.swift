import Foundation
import HTTPServing
import TestSupport
import Testing
import Threading

@testable import HTTP

/// The certificates that a client trusts. A file that is not there is named in the error, before TLS begins.
@Suite struct AuthorityTests {
  static func reason(_ client: HTTPClient, _ server: HTTPServer) -> String {
    let error = #expect(throws: HTTPError.self) { try client.get("https://127.0.0.1:\(server.port)/") }
    return error.map { "\($0)" } ?? ""
  }

  @Test func theGivenAuthoritiesAreUsed() throws {
    let server = try HTTPServer { _ in HTTPServer.Response() }
    defer { server.stop() }
    #expect(Self.reason(HTTPClient(authorities: "/nowhere/given.pem"), server).contains("/nowhere/given.pem"))
  }

  /// In a process of its own, whose environment is no other test's.
  @Test func theGivenAuthoritiesReplaceTheAuthoritiesOfTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      setenv("SSL_CERT_FILE", "/nowhere/environment.pem", 1)
      let server = try HTTPServer { _ in HTTPServer.Response() }
      defer { server.stop() }
      #expect(AuthorityTests.reason(HTTPClient(), server).contains("/nowhere/environment.pem"))
      #expect(
        AuthorityTests.reason(HTTPClient(authorities: "/nowhere/given.pem"), server).contains("/nowhere/given.pem"))
    }
  }
}

@Suite struct RequestHeaderTests {
  /// Operators find the program in the logs of their servers.
  @Test func eachRequestNamesTheProgram() throws {
    let names = Locked<[String?]>([])
    let server = try HTTPServer { request in
      names.withLock { $0.append(request.header("User-Agent")) }
      return HTTPServer.Response()
    }
    defer { server.stop() }
    let client = HTTPClient()
    _ = try client.get(server.endpoint)
    _ = try client.post([1], to: server.endpoint, contentType: "x/y")
    _ = try client.head(server.endpoint)
    #expect(names.withLock { $0 } == ["msdk", "msdk", "msdk"])
  }
}

@Suite struct URLTests {
  /// The zone of an address is a name that only this machine knows. Nobody can connect to port 0.
  @Test(arguments: [
    ("http://[fe80::1]/", true), ("http://[fe80::1%25eth0]/", false), ("http://a.example:1", true),
    ("http://a.example:65535", true), ("http://a.example:0", false), ("https://a.example:00/x", false),
    ("http://a.example:65536", false), ("http://a.example:x", false),
  ])
  func aServerCanBeReachedFromElsewhere(text: String, isURL: Bool) { #expect((HTTPURL(text) != nil) == isURL) }

  @Test(arguments: [
    ("http://a.example", false), ("http://a.example/x", false), ("http://a.example/x?y", true),
    ("http://a.example/x#y", true), ("http://a.example#y", true), ("http://a.example/x?y#z", true),
  ])
  func theQueryAndTheFragmentAreNoted(text: String, hasMore: Bool) throws {
    #expect(try #require(HTTPURL(text)).hasQueryOrFragment == hasMore)
  }
}
