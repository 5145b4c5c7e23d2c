import Foundation
import HTTPServing
import Testing
import Threading

@testable import HTTP

/// The client's behaviour when the server reports too many requests.
@Suite struct RepetitionTests {
  /// A server that gives its answers in turn, the last one for ever, and keeps the requests.
  final class Script {
    let server: HTTPServer
    private let received: Locked<[[UInt8]]>

    init(_ answers: [HTTPServer.Response], onRequest: @escaping @Sendable () -> Void = {}) throws {
      let received = Locked<[[UInt8]]>([])
      self.received = received
      server = try HTTPServer { request in
        onRequest()
        let number = received.withLock { received in
          received.append(request.body)
          return received.count
        }
        return answers[min(number, answers.count) - 1]
      }
    }

    deinit { server.stop() }

    var requests: [[UInt8]] { received.withLock { $0 } }

    func post(_ client: HTTPClient, repeating: Bool = true) throws -> Int {
      try client.post([1, 2], to: server.endpoint, contentType: "x/y", repeating: repeating).status
    }
  }

  static func busy(_ retryAfter: String? = nil, status: Int = 429) -> HTTPServer.Response {
    HTTPServer.Response(status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [])
  }

  @Test(arguments: [nil, "0", "1", "-5", "soon"])
  func aRequestIsRepeatedUntilItIsServed(retryAfter: String?) throws {
    let script = try Script([Self.busy(retryAfter), Self.busy("1"), HTTPServer.Response()])
    #expect(try script.post(HTTPClient()) == 200)
    #expect(script.requests == [[1, 2], [1, 2], [1, 2]])
    let other = try Script([Self.busy(retryAfter), HTTPServer.Response()])
    #expect(try HTTPClient().get(other.server.endpoint, repeating: true).status == 200)
  }

  @Test(arguments: ["50", "3600", "9223372036854775807"])
  func aPauseBeyondTheTimeGivesTheRefusalAtOnce(retryAfter: String) throws {
    let script = try Script([Self.busy(retryAfter), HTTPServer.Response()])
    #expect(try script.post(HTTPClient()) == 429)
    #expect(script.requests.count == 1)
  }

  @Test func repetitionEndsWithTheTime() throws {
    let script = try Script([Self.busy("6")])
    #expect(try script.post(HTTPClient(timeout: 10)) == 429)
    #expect((1...2).contains(script.requests.count))
  }

  @Test func theAttemptsShareTheTime() throws {
    let attempts = Locked(0)
    let script = try Script([Self.busy("2")]) {
      let number = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if number == 2 { Thread.sleep(forTimeInterval: 9.5) }
    }
    let error = #expect(throws: HTTPError.self) { try script.post(HTTPClient(timeout: 10)) }
    #expect(error?.description.hasPrefix("no answer: \(script.server.endpoint): Operation timed out") == true)
  }

  @Test(arguments: [(429, false), (503, true), (200, true)])
  func onlyTooManyRequestsAndOnlyOnDemand(status: Int, repeating: Bool) throws {
    let script = try Script([Self.busy("1", status: status), HTTPServer.Response(status: 204)])
    #expect(try script.post(HTTPClient(), repeating: repeating) == status)
    #expect(script.requests.count == 1)
  }

  /// A client that shuts down waits for nothing that begins later either.
  @Test func whenWaitingHasEndedNoRequestWaits() throws {
    let (client, script) = (HTTPClient(), try Script([Self.busy("1"), HTTPServer.Response()]))
    client.endWaiting()
    #expect(try script.post(client) == 429)
    #expect(try script.post(client) == 200)
  }

  @Test func waitingEndsOnDemandWithTheRefusal() throws {
    let client = HTTPClient(timeout: 500)
    let script = try Script([Self.busy("400"), HTTPServer.Response()]) {
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.3)
        client.endWaiting()
      }
    }
    let start = Date()
    #expect(try script.post(client) == 429)
    #expect(Date().timeIntervalSince(start) < 200)
    #expect(script.requests.count == 1)
  }
}
