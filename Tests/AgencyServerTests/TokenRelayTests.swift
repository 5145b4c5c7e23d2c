import AgencyWire
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// Tokens that the agency fetches from the sponsor's backend.
@Suite struct TokenRelayTests {
  let scene: TokenScene

  init() throws { scene = try TokenScene() }

  private func ask(
    _ server: AgencyServer, sponsee: String = "user-42", sponsor: String = "example-sponsor"
  ) throws -> JSONObject {
    let client = Client(server)
    let request = GetToken(sponseeID: sponsee, sponsorID: sponsor)
    let response = try client.send(request.json(type: GetToken.type), to: client.agency)
    return try client.open(response, from: client.agency).requireObject()
  }

  /// An agency whose sponsor has a backend.
  private func server(
    _ folder: TemporaryFolder, asking endpoint: String, secret: SecretBytes? = nil
  ) throws -> AgencyServer {
    var sponsor = Sponsor(id: "example-sponsor")
    sponsor.keys = [scene.sponsorKeys.verkey]
    sponsor.tokenEndpoint = endpoint
    sponsor.webhookSecret = secret
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .token, sponsors: [sponsor])
    return try AgencyServer(dataFolder: folder.path, rules: rules, clock: { TokenScene.now })
  }

  @Test(arguments: [
    ("example-sponsor", "Tokens come from the sponsor"), ("gone", TokenProblem.inactiveSponsor.rawValue),
    ("nobody", TokenProblem.unknownSponsor.rawValue),
  ])
  func withoutASponsorWhoGivesTokensThisAgencyHasNone(sponsor: String, text: String) throws {
    let answer = try ask(scene.server, sponsor: sponsor)
    #expect(try answer.string("@type").hasSuffix("token-provisioning/0.1/problem-report"))
    #expect(try ProvisioningProblem(answer).text == text)
  }

  @Test func aTokenOfTheSponsorsBackendIsHandedOn() throws {
    let (folder, calls, good) = (try TemporaryFolder(), Locked<[HTTPServer.Request]>([]), scene.token())
    let backend = try HTTPServer { request in
      calls.withLock { $0.append(request) }
      return HTTPServer.Response(contentType: "application/json", body: good.json.bytes)
    }
    let secret = SecretBytes(copying: Array("shared".utf8))
    let server = try server(folder, asking: backend.endpoint + "/generate", secret: secret)
    let answer = try ask(server)
    #expect(try answer.string("@type") == "did:sov:123456789abcdefghi1234;spec/token-provisioning/0.1/send-token")
    let sent = try TokenSent(answer)
    #expect(sent.token == good)
    #expect(sent.id.count == 36)
    let call = try #require(calls.withLock { $0 }.first)
    #expect(call.path == "/generate")
    #expect(call.body == Array(#"{"sponseeId":"user-42"}"#.utf8))
    #expect(isSigned(call, with: secret))
    #expect(call.header("webhook-timestamp") == "\(TokenScene.now)")
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(Client(server), sent.token)) }
    let overlong = try ask(server, sponsee: String(repeating: "x", count: 257))
    #expect(try ProvisioningProblem(overlong).text == TokenProblem.malformed.rawValue)
    #expect(calls.withLock { $0.count } == 1)
    let longest = try ask(server, sponsee: String(repeating: "x", count: 256))
    #expect(try ProvisioningProblem(longest).text == TokenProblem.none.rawValue)
    #expect(calls.withLock { $0.count } == 2)
  }

  @Test(arguments: [
    ("nothing", TokenProblem.none), ("another user's", .none), ("another sponsor's", .none), ("refused", .none),
    ("forged", .forged), ("old", .expired), ("foreign key", .foreignKey), ("away", .none),
  ])
  func aMalformedTokenIsNotRelayed(kind: String, problem: TokenProblem) throws {
    let folder = try TemporaryFolder()
    let body: JSON =
      switch kind {
      case "nothing": [:]
      case "another user's": scene.token(sponsee: "user-43").json
      case "another sponsor's": scene.token(sponsor: "gone").json
      case "forged": scene.token(timestamp: "2024-05-17T09:30:00Z").with(nonce: "other").json
      case "old": scene.token(timestamp: "2024-05-17T09:20:00Z").json
      case "foreign key": scene.token(keys: KeyPair()).json
      default: scene.token().json
      }
    let backend = try HTTPServer { _ in
      HTTPServer.Response(status: kind == "refused" ? 403 : 200, body: body.bytes)
    }
    let server = try server(folder, asking: backend.endpoint)
    if kind == "away" { backend.stop() }
    #expect(try ProvisioningProblem(ask(server)).text == problem.rawValue)
  }

  /// More than may be under way at once, first in vain.
  @Test func tokensAreFetchedOneAfterTheOther() throws {
    let (folder, good, isOpen) = (try TemporaryFolder(), scene.token(), Locked(false))
    let backend = try HTTPServer { _ in
      guard isOpen.withLock({ $0 }) else { return HTTPServer.Response(status: 503) }
      return HTTPServer.Response(contentType: "application/json", body: good.json.bytes)
    }
    let server = try server(folder, asking: backend.endpoint)
    for _ in 0..<10 { #expect(try ProvisioningProblem(ask(server)).text == TokenProblem.none.rawValue) }
    isOpen.withLock { $0 = true }
    for _ in 0..<10 { #expect(try TokenSent(ask(server)).token == good) }
  }

  /// A backend that does not answer holds a few of the agency's threads, and no more.
  @Test func aFewTokensAreFetchedAtATime() throws {
    let folder = try TemporaryFolder()
    let backend = Monitor((calls: 0, isOver: false))
    let silent = try HTTPServer { _ in
      backend.withLock { $0.calls += 1 }
      _ = backend.wait(milliseconds: 20_000) { $0.isOver ? true : nil }
      return HTTPServer.Response(status: 503)
    }
    defer { backend.withLock { $0.isOver = true } }
    let server = try server(folder, asking: silent.endpoint)
    let done = Monitor(0)
    for _ in 0..<8 {
      Threads.shared.post { [self] in
        _ = try? ask(server)
        done.withLock { $0 += 1 }
      }
    }
    #expect(backend.wait(milliseconds: 20_000) { $0.calls == 8 ? true : nil } == true)
    #expect(try ProvisioningProblem(ask(server)).text == TokenProblem.none.rawValue)
    #expect(backend.withLock { $0.calls } == 8)
    backend.withLock { $0.isOver = true }
    done.wait { $0 == 8 ? () : nil }
  }
}
