import HTTP
import HTTPServing
import Testing
import Threading

/// Requests that the server holds, and that another thread ends.
@Suite struct CancellationTests {
  private let gate: Monitor<(isOpen: Bool, count: Int)>
  private let server: HTTPServer
  private let client = HTTPClient(timeout: 300)

  init() throws {
    let gate = Monitor((isOpen: false, count: 0))
    self.gate = gate
    server = try HTTPServer { request in
      gate.withLock { $0.count += 1 }
      if request.body == Array("hold".utf8) { gate.wait { $0.isOpen ? () : nil } }
      return HTTPServer.Response(body: request.body)
    }
  }

  private func post(_ text: String, _ cancellation: Cancellation) throws(HTTPError) -> HTTPClient.Response {
    try client.post(Array(text.utf8), to: server.endpoint, contentType: "text/plain", endedBy: cancellation)
  }

  @Test func aHeldRequestEndsWhenItIsCancelled() throws {
    defer { gate.withLock { $0.isOpen = true } }
    let (cancellation, error) = (Cancellation(), Monitor<HTTPError?>(nil))
    Threads(limit: 1).post {
      let result = Result { () throws(HTTPError) in try post("hold", cancellation) }
      if case .failure(let failure) = result { error.withLock { $0 = failure } }
    }
    gate.wait { $0.count == 1 ? () : nil }
    cancellation.cancel()
    let ended = error.wait { $0 }
    guard case .unreachable = ended else { return #expect(Bool(false), "\(ended)") }
    // Another request has its turn, on the same thread.
    #expect(try post("quick", Cancellation()).body == Array("quick".utf8))
  }

  @Test func aCancelledOneEndsEachLaterRequest() throws {
    let cancellation = Cancellation()
    #expect(try post("quick", cancellation).isSuccess)
    cancellation.cancel()
    #expect(cancellation.isCancelled)
    #expect(throws: HTTPError.self) { try post("hold", cancellation) }
    #expect(gate.withLock { $0.count } == 1, "it is not sent at all")
  }
}
