import Foundation
import HTTPServing
import TestSupport
import Testing

@testable import HTTP

/// The methods of a client, one after the other.
@Suite struct MethodTests {
  /// Answers with the method, the type and the body.
  private static let echo: HTTPServer.Handler = { request in
    let text = "\(request.method) \(request.header("X-Own") ?? "-") "
    return HTTPServer.Response(headers: [("X-Method", request.method)], body: Array(text.utf8) + request.body)
  }

  private func file(in folder: TemporaryFolder) throws -> String {
    let file = folder.path + "/file"
    try Data("the content".utf8).write(to: URL(filePath: file))
    return file
  }

  /// They share one connection, whose settings are those of the last transfer until it is reset.
  @Test func aTransferKeepsNothingOfTheLastOne() throws {
    let (server, folder, client) = (try HTTPServer(handler: Self.echo), try TemporaryFolder(), HTTPClient())
    let (url, file) = (server.endpoint, try file(in: folder))
    func text(_ response: HTTPClient.Response) -> String { String(decoding: response.body, as: UTF8.self) }
    for _ in 0..<2 {
      #expect(try text(client.put([0x61], to: url, contentType: "x/y", headers: ["X-Own: 1"])) == "PUT 1 a")
      #expect(try text(client.get(url)) == "GET - ")
      #expect(try text(client.post([0x62], to: url, contentType: "x/y")) == "POST - b")
      #expect(try client.head(url).body.isEmpty)
      #expect(try text(client.get(url, headers: ["X-Own: 2"])) == "GET 2 ")
      let form = try text(client.put(file: file, as: "part", to: url))
      #expect(form.hasPrefix("PUT - --") && form.contains("\r\n\r\nthe content\r\n"))
      #expect(form.contains(#"; name="part"; filename="file""#))
      #expect(form.contains("\r\nContent-Type: application/octet-stream\r\n"))
      #expect(try text(client.post([], to: url, contentType: "x/y")) == "POST - ")
    }
  }

  /// libcurl would ask before it sends a long body. Some servers refuse the question.
  @Test func aLongBodyIsSentWithoutAQuestion() throws {
    var limits = HTTPServer.Limits()
    limits.body = 4 << 20
    let server = try HTTPServer(limits: limits) {
      HTTPServer.Response(status: $0.header("Expect") == nil ? 200 : 417)
    }
    let (folder, body) = (try TemporaryFolder(), [UInt8](repeating: 7, count: 2 << 20))
    let file = folder.path + "/file"
    try Data(body).write(to: URL(filePath: file))
    let client = HTTPClient()
    #expect(try client.post(body, to: server.endpoint, contentType: "x/y").status == 200)
    #expect(try client.put(body, to: server.endpoint, contentType: "x/y").status == 200)
    #expect(try client.put(file: file, as: "part", to: server.endpoint).status == 200)
  }

  @Test func eachMethodHasTheTimeOfTheClient() throws {
    let server = try HTTPServer { _ in
      Thread.sleep(forTimeInterval: 0.2)
      return HTTPServer.Response()
    }
    let (url, folder, client) = (server.endpoint, try TemporaryFolder(), HTTPClient())
    #expect(try client.put([1], to: url, contentType: "x/y").status == 200)
    #expect(try client.head(url).status == 200)
    #expect(try client.put(file: file(in: folder), as: "part", to: url).status == 200)
  }

  @Test func aFileThatIsNotThereIsNotSent() throws {
    let server = try HTTPServer(handler: Self.echo)
    let error = #expect(throws: HTTPError.self) {
      try HTTPClient().put(file: "/nowhere/file", as: "part", to: server.endpoint)
    }
    #expect(error?.description.hasPrefix("no answer: ") == true)
  }

  @Test func theTagAndThePauseOfAnAnswerAreRead() throws {
    let server = try HTTPServer { request in
      HTTPServer.Response(
        status: request.path == "/busy" ? 503 : 200, headers: [("ETag", "\"v1\""), ("Retry-After", "7")])
    }
    for (path, status) in [("/", 200), ("/busy", 503)] {
      let response = try HTTPClient().get(server.endpoint + path)
      #expect(response.status == status && response.tag == "\"v1\"" && response.retryAfter == 7)
    }
    let bare = try HTTPServer { _ in HTTPServer.Response() }
    let response = try HTTPClient().get(bare.endpoint)
    #expect(response.tag == nil && response.retryAfter == 0 && response.location == nil)
  }
}
