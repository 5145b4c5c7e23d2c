import AgencyWire
import DIDComm
import Foundation
import HTTP
import HTTPServing
import JSON
import Logging
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// The agency's log: the lines it must have, and the secrets it must not have.
@Suite struct EventLogTests {
  private static let now: Int64 = 1_715_938_200  // 2024-05-17T09:30:00Z

  /// Everything that a client has sent or got, and everything that is secret.
  private struct Course {
    var forbidden: [String] = []
    var lines: [JSON] = []

    func requests() -> Set<String> { Set(lines.compactMap { $0["request"]?.string }) }
    func events() -> Set<String> { Set(lines.compactMap { $0["event"]?.string }) }
  }

  private let sponsorKeys = KeyPair()
  private let secret = "the webhook secret"

  /// From the start to the end: provisioning in both ways, settings, messages, refusals, notifications that fail.
  private func course(_ folder: TemporaryFolder) throws -> Course {
    let lines = Locked<[String]>([])
    let refusing = try HTTPServer { _ in HTTPServer.Response(status: 500, body: Array("the answer".utf8)) }
    let time = Locked(Self.now)
    let server = try AgencyServer(
      dataFolder: folder.path, rules: rules(asking: refusing.endpoint), clock: { time.withLock { $0 } },
      log: LogChannel { event in lines.withLock { $0.append(event.line(at: 1)) } })
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let message = try client.forward("the content", to: mailbox)
    for _ in 0..<2 { #expect(try client.post(message).status == 200) }
    let hook = refusing.endpoint + "/hook-path?token=hook-token"
    let _: ComMethodUpdated = try client.ask(
      UpdateComMethod(method: WireComMethod(id: "method-id", kind: .webhook, value: hook)), of: agent)
    let _: ConfigsUpdated = try client.ask(UpdateConfigs(configs: [Config(name: "config", value: "Alice")]), of: agent)
    let _: UpgradeInfo = try client.ask(GetUpgradeInfo(pairwiseDIDs: [mailbox.forDID]), of: agent)
    #expect(try client.post(client.forward("the content", to: mailbox)).status == 200)
    _ = try client.fetchAll(agent, mailbox)
    let _: Messages = try client.ask(GetMessages(filter: WireMessageFilter()), of: mailbox, through: agent)
    let token = try sponsored(client.agency, Client(server))
    try refusals(client, agent, mailbox, server)
    while lines.withLock({ !$0.joined().contains("given up") }) {
      // The next attempt is due a minute after the last failure at the latest.
      let failures = lines.withLock { $0.count { $0.contains("notification failed") } }
      time.withLock { $0 = Self.now + 61 * Int64(failures) }
      usleep(20_000)
    }
    let _: ConnectionStatusUpdated = try client.ask(
      UpdateConnectionStatus(statusCode: "CS-103"), of: mailbox, through: agent)
    server.stop()
    let key = try Data(contentsOf: folder.url.appending(path: "master.key"))
    let parties = [client.agency, agent, mailbox.party]
    let keys = [client.keys, mailbox.keys, sponsorKeys]
    return Course(
      forbidden: token + parties.map(\.verkey.text) + parties.dropFirst().map(\.did) + keys.map(\.verkey.text)
        + keys.map { $0.verkey.did.text } + ["hook-path", "hook-token", "method-id", "Alice", secret]
        + ["the content", "the type", "the path", "the answer", key.base64EncodedString()]
        + [String(decoding: message, as: UTF8.self)],
      lines: try lines.withLock { $0 }.map { try JSON(parsing: $0) })
  }

  private func rules(asking endpoint: String) throws -> Agency.Rules {
    var sponsor = Sponsor(id: "bank")
    sponsor.keys = [sponsorKeys.verkey]
    sponsor.endpoint = endpoint + "/notify?key=\(secret)"
    sponsor.webhookSecret = SecretBytes(copying: Array(secret.utf8))
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .open, sponsors: [sponsor])
    rules.callsPrivateWebhooks = true
    return rules
  }

  /// Somebody with a token, and somebody with the same one. Returns what they have sent.
  private func sponsored(_ agency: Party, _ client: Client) throws -> [String] {
    let (nonce, timestamp) = (String.randomUUID(), "2024-05-17T09:30:00Z")
    let signature = sponsorKeys.sign(Array((nonce + timestamp + "user-42" + "bank").utf8))
    let token = ProvisionToken(
      sponseeID: "user-42", sponsorID: "bank", nonce: nonce, timestamp: timestamp,
      signature: Base64.encode(signature, .standard), sponsorVerKey: sponsorKeys.verkey.text)
    for keys in [client.keys, KeyPair()] {
      let request = CreateSponsoredAgent(
        token: token, fromDID: keys.verkey.did.text, fromVerKey: keys.verkey.text, thread: "thread-id")
      #expect(try client.send(request.json(type: CreateSponsoredAgent.type), to: agency, from: keys).status == 200)
    }
    let request = GetToken(sponseeID: "user-42", sponsorID: "bank")
    #expect(try client.send(request.json(type: GetToken.type), to: agency).status == 200)
    return [nonce, token.signature, "user-42", "thread-id", client.keys.verkey.text]
  }

  private func refusals(_ client: Client, _ agent: Party, _ mailbox: Client.Mailbox, _ server: AgencyServer) throws {
    let stranger = Client(server)
    let fetch = stranger.request(GetMessagesByConnections(filter: WireMessageFilter()))
    #expect(try stranger.send(fetch, to: agent).status == 404)
    #expect(try client.send(["@type": "x/the type", "x": "the content"], to: agent).status == 400)
    #expect(try client.post(Array("the content".utf8)).status == 400)
    for path in ["/the%20path", "/agency", "/agency/msg?c_i=eyJAdHlwZSI6InRoZSBjb250ZW50In0"] {
      _ = try HTTPClient().get(server.endpoint + path)
    }
  }

  @Test func eachKindOfRequestAndEachFailureIsToldAndNothingSecret() throws {
    let course = try course(TemporaryFolder())
    #expect(
      course.requests() == [
        "CONNECT", "SIGNUP", "CREATE_AGENT", "CREATE_KEY", "UPDATE_COM_METHOD", "UPDATE_CONFIGS", "GET_UPGRADE_INFO",
        "message", "GET_MSGS_BY_CONNS", "GET_MSGS", "UPDATE_MSG_STATUS_BY_CONNS", "UPDATE_CONN_STATUS",
        "get-token", "agency", "invitation",
      ])
    #expect(
      course.events() == [
        "started", "served", "refused", "no agent given", "no token given", "notification failed",
        "notification given up", "stopping", "stopped",
      ])
    #expect(course.lines.first?["event"] == "started" && course.lines.last?["event"] == "stopped")
    let refused = course.lines.filter { $0["event"] == "refused" }
    #expect(refused.map { $0["status"]?.string }.sorted { $0 ?? "" < $1 ?? "" } == ["400", "400", "404", "404"])
    #expect(refused.allSatisfy { $0["reason"]?.string?.isEmpty == false })
    let text = course.lines.map(\.text).joined()
    for forbidden in course.forbidden { #expect(!text.contains(forbidden), "\(forbidden)") }
    // The target of a notification that is given up, and the reason.
    let givenUp = try #require(course.lines.first { $0["event"] == "notification given up" })
    let target = try #require(givenUp["target"]?.string)
    #expect(target.hasPrefix("http://127.0.0.1:") && target.split(separator: "/").count == 2)
    #expect(givenUp["reason"] == "status 500")
    #expect(course.lines.count { $0["event"] == "notification failed" } == 3)
  }

  /// The program writes the same to standard error, a line each.
  @Test func theProgramLogsItsStartAndItsEnd() throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let process = try AgencyProcess(dataFolder: folder.path + "/data", log: log)
    #expect(try HTTPClient().get(process.endpoint + "/health").status == 200)
    #expect(process.end() == 0)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let events = try lines.map { try JSON(parsing: Array($0.utf8))["event"]?.string }
    #expect(events == ["started", "stopping", "stopped"])
  }
}
