import AgencyServer
import AgencyWire
import Foundation
import HTTP
import HTTPServing
import TestSupport
import Testing

/// Requests over HTTP that the agency does not serve, on every route, and the limits of their number and time.
@Suite struct HTTPRefusalTests: AliceSuite {
  let scene: AliceScene

  init() throws { scene = try AliceScene() }

  @Test(arguments: ["/agency/msg", "/agency", "/", "/metrics"])
  func bodiesThatAreTooLongAreRefusedOnEveryRoute(path: String) throws {
    let body = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
    let response = try HTTPClient().post(body, to: server.endpoint + path, contentType: "application/json")
    #expect(response.status == 413)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-101")
  }

  private static let routes = ["/agency/msg", "/agency", "/health", "/metrics", "/accounts", "/"]

  @Test(arguments: routes)
  func garbageIsRefusedOnEveryRoute(path: String) throws {
    var random = SplitMix64(seed: 7)
    for size in [1, 100, 10_000] {
      let response = try HTTPClient().post(random.bytes(size), to: server.endpoint + path, contentType: "x/y")
      #expect((400..<500).contains(response.status))
    }
    #expect(try alice.messages(agent).map(\.messages.count) == [0])
  }

  @Test(arguments: routes, ["PUT", "DELETE", "PATCH", "OPTIONS", "NONSENSE"])
  func otherMethodsAreRefusedOnEveryRoute(path: String, method: String) throws {
    let connection = try RawConnection(port: alice.port)
    connection.send("\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    let answer = try #require(connection.readToEnd())
    #expect(answer.hasPrefix("HTTP/1.1 4"))
    #expect(!answer.contains(server.identity.did))
  }

  /// Clients that send a byte now and then, for ever: cut off after a time, and nobody waits for them.
  @Test func slowBodiesAreCutOffAndDelayNobody() throws {
    let folder = try TemporaryFolder()
    var limits = HTTPServer.Limits()
    limits.bodySeconds = 1
    let server = try AgencyServer(dataFolder: folder.path, limits: limits)
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let slow = try (0..<80).map { _ in try RawConnection(port: client.port) }
    for connection in slow {
      connection.send("POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    }
    #expect(try client.post(client.forward("quick", to: mailbox)).status == 200)
    var waiting = slow
    for _ in 0..<100 where !waiting.isEmpty {
      waiting = waiting.filter { $0.send("x") }
      usleep(100_000)
    }
    #expect(waiting.isEmpty)
    #expect(try client.texts(client.messages(agent).flatMap(\.messages), mailbox) == ["quick"])
  }

  @Test func tooManyRequestsGetATimeToRetry() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.trustedProxy = "127.0.0.1"
    rules.rate = Rate(2, per: 3, burst: 1)
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { 1 })
    let client = Client(server)
    let answers = try ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map { address in
      let connection = try RawConnection(port: client.port)
      connection.send("GET /agency HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: \(address)\r\n\r\n")
      return try #require(connection.readToEnd())
    }
    #expect(answers.map { $0.hasPrefix("HTTP/1.1 200") } == [true, false, true])
    let refused = try #require(answers.dropFirst().first)
    #expect(refused.hasPrefix("HTTP/1.1 429"))
    #expect(refused.contains("\r\nRetry-After: 2\r\n"))
  }
}
