import HTTP
import HTTPServing
import Testing
import Threading

/// Requests that do not block their caller.
@Suite struct ConcurrentPostTests {
  private func post(
    _ text: String, to url: String, with client: HTTPClient, _ ends: Monitor<[String]>
  ) {
    client.post(Array(text.utf8), to: url, contentType: "text/plain", headers: ["X-A: 1"]) { result in
      let outcome = Result { try result.get() }.map { "\($0.status) \(String(decoding: $0.body, as: UTF8.self))" }
      ends.withLock { $0.append((try? outcome.get()) ?? "error \(text)") }
    }
  }

  /// More than a pool of threads would have.
  @Test func manyServersThatDoNotAnswerDelayNoOther() throws {
    let (gate, ends) = (Monitor((isOpen: false, count: 0)), Monitor<[String]>([]))
    var limits = HTTPServer.Limits()
    limits.handlers = 200
    let silent = try HTTPServer(limits: limits, isShared: { _ in true }) { _ in
      gate.withLock { $0.count += 1 }
      gate.wait { $0.isOpen ? () : nil }
      return HTTPServer.Response(body: Array("late".utf8))
    }
    let quick = try HTTPServer { HTTPServer.Response(body: $0.body + Array(($0.header("X-A") ?? "").utf8)) }
    let client = HTTPClient(timeout: 300)
    for _ in 0..<150 { post("slow", to: silent.endpoint, with: client, ends) }
    gate.wait { $0.count == 150 ? () : nil }
    for _ in 0..<3 { post("quick", to: quick.endpoint, with: client, ends) }
    #expect(ends.wait { $0.count >= 3 ? $0 : nil } == ["200 quick1", "200 quick1", "200 quick1"])
    gate.withLock { $0.isOpen = true }
    #expect(ends.wait { $0.count == 153 ? $0.filter { $0 == "200 late" }.count : nil } == 150)
    // The thread has left, or is about to; another request is served all the same.
    post("again", to: quick.endpoint, with: client, ends)
    #expect(ends.wait { $0.count == 154 ? $0.last : nil } == "200 again1")
  }

  @Test(arguments: ["http://127.0.0.1:1/", "nonsense", "ftp://127.0.0.1/"])
  func aServerThatIsNotThereIsAnError(url: String) {
    let ends = Monitor<[String]>([])
    post("x", to: url, with: HTTPClient(timeout: 20), ends)
    #expect(ends.wait { $0.isEmpty ? nil : $0 } == ["error x"])
  }

  @Test func aPrivateAddressIsRefused() throws {
    let (ends, server) = (Monitor<[String]>([]), try HTTPServer { _ in HTTPServer.Response() })
    post("x", to: server.endpoint, with: HTTPClient(reach: .publicAddresses), ends)
    #expect(ends.wait { $0.isEmpty ? nil : $0 } == ["error x"])
  }

  @Test(arguments: [true, false]) func aLongBodyIsCutOrAnError(isCut: Bool) throws {
    let server = try HTTPServer { _ in HTTPServer.Response(status: 201, body: [UInt8](repeating: 65, count: 100_000)) }
    let client = HTTPClient(maximumBody: 10, cutsBodies: isCut)
    let ends = Monitor<[String]>([])
    post("x", to: server.endpoint, with: client, ends)
    #expect(ends.wait { $0.isEmpty ? nil : $0 } == [isCut ? "201 AAAAAAAAAA" : "error x"])
    let response = try? client.get(server.endpoint)
    #expect(response?.status == (isCut ? 201 : nil) && response?.body.count == (isCut ? 10 : nil))
  }
}
