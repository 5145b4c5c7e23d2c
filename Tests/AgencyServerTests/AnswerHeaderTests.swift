import AgencyServer
import AgencyWire
import DIDComm
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing

/// The headers of the agency's answers.
@Suite struct AnswerHeaderTests {
  let folder: TemporaryFolder
  let client: Client

  init() throws {
    folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.showsMetrics = true
    client = Client(try AgencyServer(dataFolder: folder.path, rules: rules))
  }

  /// The answer with its header, as it comes.
  private func answer(_ request: String, _ body: [UInt8] = []) throws -> String {
    let connection = try RawConnection(port: client.port)
    connection.send("\(request) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n")
    connection.send(body)
    return try #require(connection.readToEnd())
  }

  @Test(arguments: [
    ("/agency", "application/json"), ("/health", "application/json"), ("/metrics", "text/plain; version=0.0.4"),
    ("/nowhere", "application/json"),
  ])
  func anAnswerHasItsContentType(path: String, type: String) throws {
    #expect(try answer("GET \(path)").contains("\r\nContent-Type: \(type)\r\n"))
  }

  @Test func anAnsweredEnvelopeHasTheContentTypeOfEnvelopes() throws {
    let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
    let body = try Wrapping(connect, from: client.keys, to: client.agency).carried(by: client.agency).bytes
    let answer = try answer("POST /agency/msg", body)
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\r\nContent-Type: application/ssi-agent-wire\r\n"))
  }

  /// Anybody may put a text into a link. A browser must not take it for a page of the agency.
  @Test func anInvitationOfALinkIsNoPage() throws {
    let invitation: JSON = ["@type": "x", "label": "<script>"]
    let answer = try answer("GET /agency/msg?c_i=\(Base64.encode(invitation.bytes, .url))")
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\r\nContent-Type: application/json\r\n"))
    #expect(answer.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
  }

  @Test func ofSeveralInvitationsInALinkTheFirstCounts() throws {
    let links = ["c_i", "oob"].map { name in
      "\(name)=" + Base64.encode((["@type": .string(name)] as JSON).bytes, .url)
    }
    #expect(try answer("GET /agency/msg?\(links[0])&\(links[1])").hasSuffix(#"{"@type":"c_i"}"#))
    #expect(try answer("GET /agency/msg?\(links[1])&\(links[0])").hasSuffix(#"{"@type":"oob"}"#))
  }
}
