import Foundation
import JSON
import TestSupport
import Testing
import Threading

@testable import MSDK
@testable import VCX

/// Agents of one process that connect with each other.
@Suite(.theAgent) struct AgentExchangeTests {
  private let scene: AgentScene

  init() throws { scene = try AgentScene() }

  private func definition(of issuer: OpenAgent) async throws -> UInt32 {
    let schema = try await issuer.number {
      vcx_schema_create($0, "s", "degree", "1.0", #"["name"]"#, 0, numberCallback)
    }
    let id = try await issuer.text { vcx_schema_get_schema_id($0, schema, stringCallback) }
    return try await issuer.number {
      vcx_credentialdef_create($0, "d", "degree", id, nil, "t", #"{"support_revocation":false}"#, 0, numberCallback)
    }
  }

  /// Issues a credential, and returns its state at the holder.
  private func issue(
    _ definition: UInt32, by issuer: OpenAgent, over toHolder: UInt32, to holder: OpenAgent, over toIssuer: UInt32
  ) async throws -> UInt32 {
    let issued = try await issuer.number {
      vcx_issuer_create_credential($0, "c", definition, nil, #"{"name":"Alice"}"#, "degree", "0", numberCallback)
    }
    try await issuer.finish { vcx_issuer_send_credential_offer($0, issued, toHolder, doneCallback) }
    let offers = try await holder.text { vcx_credential_get_offers($0, toIssuer, stringCallback) }
    let offer = try #require(try JSON(parsing: offers).array?.first).text
    let credential = try await holder.number { vcx_credential_create_with_offer($0, "c", offer, numberCallback) }
    try await holder.finish { vcx_credential_send_request($0, credential, toIssuer, 0, doneCallback) }
    #expect(try await issuer.number { vcx_issuer_credential_update_state($0, issued, numberCallback) } == 3)
    try await issuer.finish { vcx_issuer_send_credential($0, issued, toHolder, doneCallback) }
    return try await holder.number { vcx_credential_update_state($0, credential, numberCallback) }
  }

  private func credentials(of agent: OpenAgent) async throws -> Int {
    let opened = await searchHandles.call(agent.select { msdk_credentials_open_search($0, "{}", searchCallback) })
    let handle = try #require(opened.delivery?.value)
    let found = try await agent.text { msdk_credentials_search_next($0, handle, 10, stringCallback) }
    return try JSON(parsing: found).array?.count ?? 0
  }

  @Test func twoAgentsExchangeACredential() async throws {
    let (faber, alice) = try await (scene.open("faber", scene.credentials), scene.open("alice", scene.credentials))
    let (toAlice, toFaber) = try await faber.connected(with: alice)
    let state = try await issue(
      definition(of: faber), by: faber, over: toAlice, to: alice, over: toFaber)
    #expect(state == 4)
    #expect(try await credentials(of: alice) == 1)
    #expect(try await credentials(of: faber) == 0)
    for agent in [faber, alice] { #expect(await agent.close() == 0) }
  }

  /// Each agent's subscription tells of its own messages, to a callback with this agent selected.
  @Test func messagesAreToldToTheirAgent() async throws {
    let (one, other) = try await (scene.open("one"), scene.open("other"))
    let (own, others) = try await one.connected(with: other)
    for agent in [one, other] { #expect(agent.select { _ in msdk_messages_subscribe(7, toldCallback) }(0) == 0) }
    #expect(one.select { _ in msdk_messages_subscribe(7, toldCallback) }(0) == 1044)
    try await one.finish { vcx_connection_send_ping($0, own, "to other", doneCallback) }
    try await other.finish { vcx_connection_send_ping($0, others, "to one", doneCallback) }
    told.wait { [one, other].allSatisfy($0.contains) ? () : nil }
    #expect(one.select { _ in msdk_messages_unsubscribe(7) }(0) == 0)
    for agent in [one, other] { #expect(await agent.close() == 0) }
  }

  /// The calls of an agent whose Cloud Agent is silent hold all its threads for the network.
  @Test func aSlowAgentDelaysNoOther() async throws {
    let listener = try SilentListener()
    let (slow, other) = try await (scene.open("slow"), scene.open("other"))
    let url = listener.endpoint
    let ended = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      let posted = Locked(0)
      for _ in 0..<150 {
        group.addTask {
          _ = await strings.call(
            slow.select { handle in
              defer { posted.withLock { $0 += 1 } }
              return vcx_resolve_message_by_url(handle, url, stringCallback)
            })
          ended.withLock { $0 += 1 }
        }
      }
      while posted.withLock({ $0 }) < 150 { try? await Task.sleep(for: .milliseconds(10)) }
      for _ in 0..<3 { try? await other.finish { vcx_health_check($0, doneCallback) } }
      #expect(ended.withLock { $0 } == 0)
      listener.close()
    }
    #expect(ended.withLock { $0 } == 150)
    for agent in [slow, other] { #expect(await agent.close() == 0) }
  }

  /// The first agent issues a credential to each prover. Then the pairs prove to each other, while half of them are closed. Each
  /// call of a closed agent ends, and no other agent notices.
  @Test func aHundredAgentsIssueAndProveWhileHalfOfThemAreClosed() async throws {
    var pairs: [ProvingPair] = []
    for number in 0..<50 {
      let verifier = try await scene.open("verifier\(number)", scene.credentials)
      let prover = try await scene.open("prover\(number)", scene.credentials)
      pairs.append(ProvingPair(verifier, prover, try await verifier.connected(with: prover)))
    }
    let issuer = pairs[0].verifier
    let definition = try await definition(of: issuer)
    for pair in pairs {
      let (toHolder, toIssuer) = try await issuer.connected(with: pair.prover)
      #expect(try await issue(definition, by: issuer, over: toHolder, to: pair.prover, over: toIssuer) == 4)
    }
    await withTaskGroup(of: Void.self) { group in
      for (number, pair) in pairs.enumerated() {
        let isClosed = !number.isMultiple(of: 2)
        group.addTask {
          do throws(ProvingPair.Failure) {
            #expect(try await pair.prove() == 4)
          } catch {
            // Its handle is unknown, or it has ended with its agent.
            let permitted: [UInt32] = [1003, 1004, 1010, 1017, 1048, 1049, 1057]
            #expect(isClosed && permitted.contains(error.code), "pair \(number): \(error)")
          }
        }
        guard isClosed else { continue }
        group.addTask { for agent in [pair.prover, pair.verifier] { #expect(await agent.close() == 0) } }
      }
    }
    for (number, pair) in pairs.enumerated() where number.isMultiple(of: 2) {
      for agent in [pair.verifier, pair.prover] { #expect(await agent.close() == 0) }
    }
  }

  /// Pairs exchange pings while half of them are closed. Each call of a closed agent ends, and no other agent notices.
  @Test func aHundredAgentsWorkWhileHalfOfThemAreClosed() async throws {
    struct Pair: Sendable {
      let agents: [OpenAgent]
      let connections: [UInt32]
    }
    var pairs: [Pair] = []
    for number in 0..<50 {
      let (one, other) = try await (scene.open("one\(number)"), scene.open("other\(number)"))
      let (own, others) = try await one.connected(with: other)
      pairs.append(Pair(agents: [one, other], connections: [own, others]))
    }
    await withTaskGroup(of: Void.self) { group in
      for (number, pair) in pairs.enumerated() {
        let isClosed = number.isMultiple(of: 2)
        for (agent, connection) in zip(pair.agents, pair.connections) {
          group.addTask {
            for _ in 0..<5 {
              let ending = await done.call { vcx_connection_send_ping($0, connection, "hi", doneCallback) }
              // Unknown, or ended with its wallet.
              let permitted: [UInt32] = isClosed ? [0, 1003, 1004, 1010, 1057] : [0]
              #expect(permitted.contains(ending.delivery?.error ?? .max), "\(ending)")
            }
          }
          if isClosed { group.addTask { #expect(await agent.close() == 0) } }
        }
      }
    }
    for (number, pair) in pairs.enumerated() {
      for (agent, connection) in zip(pair.agents, pair.connections) {
        let state = await numbers.call { vcx_connection_update_state($0, connection, numberCallback) }
        #expect(state.delivery?.error == (number.isMultiple(of: 2) ? 1003 : 0))
        if !number.isMultiple(of: 2) { #expect(await agent.close() == 0) }
      }
    }
  }
}

/// An agent that asks for a proof, and one that gives it.
private struct ProvingPair: Sendable {
  let verifier: OpenAgent
  let prover: OpenAgent
  private let toProver: UInt32
  private let toVerifier: UInt32

  struct Failure: Error {
    let code: UInt32
    let cause: String?
  }

  init(_ verifier: OpenAgent, _ prover: OpenAgent, _ connections: (own: UInt32, others: UInt32)) {
    (self.verifier, self.prover) = (verifier, prover)
    (toProver, toVerifier) = connections
  }

  /// Returns the verifier's state at the end.
  func prove() async throws(Failure) -> UInt32 {
    let asked = try await result(numbers, of: verifier) {
      vcx_proof_create($0, "p", #"[{"name":"name"}]"#, "[]", "{}", "degree", numberCallback)
    }
    _ = try await result(done, of: verifier) { vcx_proof_send_request($0, asked, toProver, doneCallback) }
    let requests = try await result(strings, of: prover) {
      vcx_disclosed_proof_get_requests($0, toVerifier, stringCallback)
    }
    guard let request = requests.flatMap({ try? JSON(parsing: $0) })?.array?.first?.text else {
      throw Failure(code: 0, cause: "no request has come: \(requests ?? "")")
    }
    let proof = try await result(numbers, of: prover) {
      vcx_disclosed_proof_create_with_request($0, "p", request, numberCallback)
    }
    let found = try await result(strings, of: prover) {
      vcx_disclosed_proof_retrieve_credentials($0, proof, stringCallback)
    }
    let selection = Self.firstOfEach(found ?? "")
    _ = try await result(done, of: prover) {
      vcx_disclosed_proof_generate_proof($0, proof, selection, "{}", doneCallback)
    }
    _ = try await result(done, of: prover) { vcx_disclosed_proof_send_proof($0, proof, toVerifier, doneCallback) }
    return try await result(numbers, of: verifier) { vcx_proof_update_state($0, asked, numberCallback) }
  }

  private func result<Value>(
    _ caller: Caller<Value>, of agent: OpenAgent, _ call: @escaping (UInt32) -> vcx_error_t
  ) async throws(Failure) -> Value {
    // A closed agent cannot be selected.
    guard let delivery = await caller.call(agent.select(call)).delivery else { throw Failure(code: 1004, cause: nil) }
    guard delivery.error == 0 else { throw Failure(code: delivery.error, cause: delivery.currentError) }
    return delivery.value
  }

  /// A selection with the first credential that was found for each item.
  private static func firstOfEach(_ found: String) -> String {
    var chosen: JSON = [:]
    for (item, fitting) in (try? JSON(parsing: found))?["attributes"]?.object?.members ?? [] {
      chosen[item] = ["credential": fitting["credentials"]?.array?.first ?? .null]
    }
    return (["attrs": chosen] as JSON).text
  }
}

// C callbacks capture nothing.
private let told = Monitor<Told>(Told())
private let toldCallback: vcx_string_cb = { _, _, text in
  let agent = CurrentAgent.value.number
  let message = text.flatMap { try? JSON(parsing: String(cString: $0)) } ?? .null
  told.withLock { $0.messages.append((agent, message)) }
}

private struct Told {
  var messages: [(agent: UInt32, message: JSON)] = []

  func contains(_ agent: OpenAgent) -> Bool { messages.contains { $0.agent == agent.handle } }
}
