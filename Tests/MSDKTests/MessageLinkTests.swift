import HTTP
import HTTPServing
import JSON
import Sodium
import Testing

@testable import MSDK

@Suite struct MessageLinkTests {
  /// A text whose base64 holds `+` and `/` in the standard alphabet.
  static let message = #"{"@id":"1","label":"ü>?~~~ÿÿ"}"#
  static let bytes = Array(message.utf8)

  @Test(arguments: ["c_i", "d_m", "m", "oob", "o_i"]) func everyParameterIsRead(name: String) throws {
    let value = Base64.encode(Self.bytes, .url)
    #expect(try MessageLink("https://a.example/x?y=1&\(name)=\(value)#top").resolve() == Self.message)
  }

  @Test(arguments: [
    Base64.encode(bytes, .standard), Base64.encode(bytes, .standard, padded: false), Base64.encode(bytes, .url),
    Base64.encode(bytes, .url, padded: false), Base64.encode(bytes, .standard).replacing("=", with: "%3D"),
    Base64.encode(bytes, .standard).replacing("+", with: "%2b").replacing("/", with: "%2F"),
    Base64.encode(bytes, .standard).replacing("+", with: " ").replacing(" ", with: "%20"),
  ])
  func everyFormOfBase64IsRead(value: String) throws {
    #expect(try MessageLink("didcomm://invite?oob=\(value)").resolve() == Self.message)
  }

  @Test func theFirstParameterInOrderCounts() throws {
    let other = Base64.encode(Array(#"{"other":1}"#.utf8), .url)
    let value = Base64.encode(Self.bytes, .url)
    #expect(try MessageLink("http://a.example?oob=\(other)&c_i=\(value)").resolve() == Self.message)
  }

  @Test(arguments: ["m=1&oob=", "c_i=&oob=", "oob=&oob=", "oob=e30x&o_i="])
  func aParameterWithoutAMessageDoesNotHideAnother(query: String) throws {
    let value = Base64.encode(Self.bytes, .url)
    #expect(try MessageLink("didcomm://invite?\(query)\(value)").resolve() == Self.message)
  }

  @Test(arguments: ["", "hello", "a.example?c_i=e30", "http:", "http://", "://x", "1http://x", "http://a b"])
  func onlyAnAbsoluteURLIsRead(url: String) {
    #expect(throws: LinkError.notAURL) { try MessageLink(url) }
  }

  @Test func aLinkWithoutAMessageIsNotFetchedUnlessItIsOfTheWeb() {
    #expect(throws: LinkError.noMessage) { try MessageLink("didcomm://invite").resolve() }
    for url in ["http://127.0.0.1:1/", "https://127.0.0.1:1/"] {
      #expect {
        try MessageLink(url).resolve()
      } throws: { error in
        if case .unreachable? = error as? LinkError { true } else { false }
      }
    }
  }

  @Test(arguments: [
    ("didcomm://invite?oob=!", "oob"), ("didcomm://invite?c_i=aGVsbG8", "c_i"), ("didcomm://i?c_i=%zz", "c_i"),
    ("http://127.0.0.1:1/?oob=eyJAaWQi", "oob"),
  ])
  func aParameterThatIsNoMessageIsNamed(url: String, parameter: String) {
    #expect(throws: LinkError.unreadable(parameter: parameter)) { try MessageLink(url).resolve() }
  }

  /// A short link may use the name for something else.
  @Test(arguments: ["m=17", "m=NQ", "m=e30", "m=W10", "m=bnVsbA", "oob=", "c_i=e30x", "id=17"])
  func aParameterThatIsNoMessageDoesNotHideTheMessageBehindIt(query: String) throws {
    let server = try HTTPServer { request in
      HTTPServer.Response(status: request.path == "/short" ? 200 : 404, body: Self.bytes)
    }
    #expect(try MessageLink("\(server.endpoint)/short?\(query)").resolve() == Self.message)
  }

  @Test func aURLThatWasCopiedWithTheEndsOfItsLinesIsRead() throws {
    let value = Base64.encode(Self.bytes, .url)
    let lines = "\n https://a.example/\r\n  ?oob=\(value.prefix(9))\n\(value.dropFirst(9)) \n"
    #expect(try MessageLink(lines).resolve() == Self.message)
  }

  @Test func aServerThatIsNotThereIsNamedAsSuch() {
    do {
      _ = try MessageLink("http://127.0.0.1:1/short").resolve()
      Issue.record("resolved")
    } catch {
      guard case .unreachable = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}

/// Where a response of a link leads to. Certificates of tests are not trusted, so that no test has a server with TLS.
@Suite struct MessageLinkSecurityTests {
  static let insecure = ["http://a.example/x", "HTTP://a.example/x"]
  static let harmless = ["https://b.example/x", "didcomm://invite?oob=e30"]

  func responses(leadingTo url: String) -> [HTTPClient.Response] {
    [HTTPClient.Response(status: 302, location: url), HTTPClient.Response(status: 200, body: Array(url.utf8))]
  }

  @Test(arguments: ["https://a.example", "HTTPS://a.example"], insecure)
  func aSecureLinkDoesNotLeadToAnInsecureOne(link: String, next: String) throws {
    for response in responses(leadingTo: next) {
      #expect(throws: LinkError.insecureRedirect) { try MessageLink(link).read(response) }
    }
  }

  @Test(arguments: harmless) func aSecureLinkLeadsToOthers(next: String) throws {
    for response in responses(leadingTo: next) {
      #expect(try MessageLink("https://a.example").read(response) == .link(MessageLink(next)))
    }
  }

  @Test(arguments: insecure + harmless) func anInsecureLinkLeadsAnywhere(next: String) throws {
    for response in responses(leadingTo: next) {
      #expect(try MessageLink("http://a.example").read(response) == .link(MessageLink(next)))
    }
  }

  @Test(arguments: [200, 201, 299]) func everySuccessBringsAMessage(status: Int) throws {
    let response = HTTPClient.Response(status: status, body: Array("{}".utf8))
    #expect(try MessageLink("http://a.example").read(response) == .message("{}"))
  }

  @Test(arguments: [300, 399]) func aRedirectNeedsAnAbsoluteTarget(status: Int) throws {
    let link = try MessageLink("http://a.example")
    for location in [nil, "", "/x"] {
      #expect(throws: LinkError.self) { try link.read(HTTPClient.Response(status: status, location: location)) }
    }
  }

  @Test(arguments: [199, 400, 500]) func otherStatusesAreRefusals(status: Int) throws {
    let response = HTTPClient.Response(status: status, location: "http://b.example", body: Array("{}".utf8))
    #expect(throws: LinkError.refused(status: status)) { try MessageLink("http://a.example").read(response) }
  }
}

/// Links that lead somewhere, against a real server.
@Suite struct MessageLinkFetchTests {
  static let message = #"{"@id":"1"}"#

  /// A server of short links: each path does what its name says.
  func server() throws -> HTTPServer {
    try HTTPServer { request in
      switch request.path {
      case "/message": HTTPServer.Response(body: Array(Self.message.utf8))
      case "/redirect": HTTPServer.Response(status: 302, headers: [("Location", "/message")])
      case "/embedded":
        HTTPServer.Response(
          status: 301, headers: [("Location", "didcomm://x?oob=" + Base64.encode(Array(Self.message.utf8), .url))])
      case "/url": HTTPServer.Response(body: Array("http://\(request.header("Host") ?? "")/message\n".utf8))
      case "/loop": HTTPServer.Response(status: 302, headers: [("Location", "/loop")])
      case let path where path.hasPrefix("/hops/"):
        switch Int(path.dropFirst(6)) ?? 0 {
        case 0: HTTPServer.Response(body: Array(Self.message.utf8))
        case let left: HTTPServer.Response(status: 302, headers: [("Location", "/hops/\(left - 1)")])
        }
      case "/huge": HTTPServer.Response(body: [UInt8](repeating: 0x20, count: (1 << 20) + 1))
      case "/page": HTTPServer.Response(body: Array("<html>".utf8))
      case "/nowhere": HTTPServer.Response(status: 302)
      default: HTTPServer.Response(status: 404)
      }
    }
  }

  @Test(arguments: ["/message", "/redirect", "/embedded", "/url", "/hops/5"]) func linksAreFollowed(path: String) throws
  {
    let server = try server()
    #expect(try MessageLink(server.endpoint + path).resolve() == Self.message)
  }

  @Test(arguments: ["/message", "/redirect"]) func aPrivateAddressIsNotFetchedFromWhereThatIsRefused(path: String)
    throws
  {
    let server = try server()
    #expect(throws: LinkError.unreachable(.notPublic)) {
      try MessageLink(server.endpoint + path).resolve(reach: .publicAddresses)
    }
  }

  @Test(
    arguments: [
      ("/loop", .tooManyHops), ("/hops/6", .tooManyHops), ("/huge", .unreachable(.responseTooLarge)),
      ("/page", .noMessage),
      ("/nowhere", .noMessage), ("/gone", .refused(status: 404)),
    ] as [(String, LinkError)])
  func linksThatLeadNowhereAreRefused(path: String, error: LinkError) throws {
    let server = try server()
    #expect(throws: error) { try MessageLink(server.endpoint + path).resolve() }
  }
}
