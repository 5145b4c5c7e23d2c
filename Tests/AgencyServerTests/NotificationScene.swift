import AgencyServer
import AgencyWire
import DIDComm
import HTTPServing
import Sodium
import TestSupport
import Testing
import Threading

/// An agency with a sponsor, whose users register com methods. The time is the test's.
struct NotificationScene {
  let folder: TemporaryFolder
  /// Seconds that have passed in this test.
  let elapsed = Locked<Int64>(0)
  let sponsorKeys = KeyPair()

  init() throws { folder = try TemporaryFolder() }

  /// The agency. The sponsor's address leads to `listener`, its relay's to `relay`.
  func server(
    _ listener: Listener? = nil, relay: Listener? = nil, secret: SecretBytes? = nil
  ) throws -> AgencyServer {
    var sponsor = Sponsor(id: "sponsor")
    sponsor.keys = [sponsorKeys.verkey]
    sponsor.endpoint = listener.map { $0.server.endpoint + "/notify" }
    sponsor.pushRelay = relay.map { $0.server.endpoint + "/push" }
    sponsor.webhookSecret = secret
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .open, sponsors: [sponsor])
    rules.callsPrivateWebhooks = true
    return try AgencyServer(
      dataFolder: folder.path, rules: rules, clock: { [elapsed] in 1_715_938_200 + elapsed.withLock { $0 } })
  }

  /// Provisions as a user of the sponsor.
  func sponsored(_ client: Client) throws -> Party { try client.sponsored(by: sponsorKeys) }

  /// Registers a com method.
  func set(_ kind: WireComMethod.Kind, _ value: String, id: String = "1", _ client: Client, _ agent: Party)
    throws
  {
    let request = UpdateComMethod(method: WireComMethod(id: id, kind: kind, value: value))
    let answer: ComMethodUpdated = try client.ask(request, of: agent)
    #expect(answer.id == id)
  }
}

/// A receiver of notifications. It keeps the requests, and answers the first ones with an error if the test wants that.
final class Listener: Sendable {
  let calls = Monitor<[HTTPServer.Request]>([])
  let server: HTTPServer

  init(failing failures: Int = 0) throws {
    server = try HTTPServer { [calls] request in
      let count = calls.withLock { calls in
        calls.append(request)
        return calls.count
      }
      return HTTPServer.Response(status: count <= failures ? 500 : 200)
    }
  }

  /// Gives every request the same answer.
  init(answering answer: HTTPServer.Response) throws {
    server = try HTTPServer { [calls] request in
      calls.withLock { $0.append(request) }
      return answer
    }
  }

  func waitForCalls(_ count: Int) -> [HTTPServer.Request] {
    calls.wait(milliseconds: 20_000) { $0.count >= count ? $0 : nil } ?? []
  }
}

/// Whether a sponsor's backend accepts the request as the agency's: by the signature with a time, and by the older one.
func isSigned(_ request: HTTPServer.Request, with secret: SecretBytes) -> Bool {
  guard let id = request.header("webhook-id"), let time = request.header("webhook-timestamp") else { return false }
  let code = HMACKey(secret).authenticate(Array("\(id).\(time).".utf8) + request.body)
  return !id.contains(".") && request.header("webhook-signature") == "v1," + Base64.encode(code, .standard)
    && request.header("x-msdk-signature") == "sha256=" + HMACKey(secret).authenticate(request.body).hex
}
