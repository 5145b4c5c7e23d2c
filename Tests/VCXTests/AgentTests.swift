import Foundation
import JSON
import TestSupport
import Testing
import Threading

@testable import MSDK
@testable import VCX

/// Agents beside the one of `vcx_init_with_config`: their handles, their selection, and their ends.
@Suite(.theAgent) struct AgentTests {
  private let scene: AgentScene

  init() throws { scene = try AgentScene() }

  private func opened(_ name: String) async throws -> OpenAgent { try await OpenAgent(config: scene.local(name)) }

  // MARK: opening

  @Test(
    arguments: [
      (nil, 1007), ("", 1007), ("{", 1004), ("[]", 1069), ("{}", 1069),
      (#"{"wallet_key":"k","institution_did":"?"}"#, 1008),
    ] as [(String?, UInt32)])
  func anUnusableConfigurationIsRefused(config: String?, code: UInt32) async {
    #expect(await numbers.call { msdk_agent_open($0, config, numberCallback) }.refusal == code)
    #expect(msdk_agent_open(1, "{}", nil) == 1007)
  }

  @Test func aWalletHasOneAgent() async throws {
    let config = try scene.local("alice")
    let agent = try await OpenAgent(config: config)
    let second = await numbers.call { msdk_agent_open($0, config.text, numberCallback) }
    #expect(second.delivery?.error == 1052 && second.delivery?.value == 0)
    let standard = await done.call { vcx_init_with_config($0, config.text, doneCallback) }
    #expect(standard.delivery?.error == 1052)
    let absent = try scene.local("alice").with(["wallet_name": "nobody"])
    #expect(await numbers.call { msdk_agent_open($0, absent.text, numberCallback) }.delivery?.error == 1079)
    #expect(await agent.close() == 0)
    let again = try await OpenAgent(config: config)
    #expect(await again.close() == 0)
  }

  // MARK: selecting

  @Test func eachAgentHasItsWallet() async throws {
    let (alice, bob) = try await (opened("alice"), opened("bob"))
    try await alice.add("i")
    #expect(await alice.record("i").delivery?.error == 0)
    #expect(await bob.record("i").delivery?.error == 1073)
    let standard = await strings.call { vcx_wallet_get_record($0, "t", "i", "{}", stringCallback) }
    #expect(standard.delivery?.error == 1057)
    for agent in [alice, bob] { #expect(await agent.close() == 0) }
  }

  @Test func anUnknownAgentIsNotSelected() async throws {
    let agent = try await opened("alice")
    #expect(msdk_agent_select(agent.handle) == 0)
    for handle in [agent.handle + 1_000_000, .max] as [UInt32] {
      #expect(msdk_agent_select(handle) == 1048)
      #expect(currentError()?.contains("no open agent has the handle \(handle)") == true)
      #expect(CurrentAgent.value.number == agent.handle)
    }
    #expect(msdk_agent_select(0) == 0)
    #expect(CurrentAgent.value === Agent.standard)
    await agent.close()
  }

  /// A selection is the thread's own, and ends with it.
  @Test func aSelectionHoldsForOneThread() async throws {
    let agent = try await opened("alice")
    let seen = Monitor<[UInt32]>([])
    for handle in [agent.handle, 0] {
      let thread = Thread {
        if handle != 0 { _ = msdk_agent_select(handle) }
        seen.withLock { $0.append(CurrentAgent.value.number) }
      }
      thread.start()
      let count = handle == 0 ? 2 : 1
      seen.wait { $0.count == count ? () : nil }
    }
    #expect(seen.withLock { $0 } == [agent.handle, 0])
    await agent.close()
  }

  /// A callback that selects another agent leaves no trace on the thread that called it.
  @Test func aCallbackHasTheAgentOfItsCall() async throws {
    let (alice, bob) = try await (opened("alice"), opened("bob"))
    for agent in [alice, bob] {
      selected.withLock { $0 = (other: agent.handle == alice.handle ? bob.handle : alice.handle, seen: []) }
      for _ in 0..<50 {
        let code = agent.select { vcx_wallet_get_record($0, "t", "i", "{}", selectingCallback) }(1)
        #expect(code == 0)
      }
      let seen = selected.wait { $0.seen.count == 50 ? $0.seen : nil }
      #expect(seen.allSatisfy { $0 == agent.handle })
    }
    // The same threads, without a selection.
    selected.withLock { $0 = (other: 0, seen: []) }
    for _ in 0..<50 { #expect(vcx_extract_thread_id(1, #"{"@id":"1"}"#, selectingCallback) == 0) }
    #expect(selected.wait { $0.seen.count == 50 ? $0.seen : nil }.allSatisfy { $0 == 0 })
    for agent in [alice, bob] { await agent.close() }
  }

  /// The call goes on with the agent that was selected when it was made.
  @Test func errorsAndTheirAgentsAreNamed() async throws {
    let agent = try await opened("alice")
    let ending = await agent.record("i")
    #expect(ending.delivery?.currentError?.contains("\"cause\":\"agent \(agent.handle): ") == true)
    let standard = await strings.call { vcx_wallet_get_record($0, "t", "i", "{}", stringCallback) }
    #expect(standard.delivery?.currentError?.contains("\"cause\":\"agent") == false)
    await agent.close()
  }

  // MARK: objects

  /// The object's owner decides, and no selection is needed.
  @Test func anObjectBelongsToTheAgentThatMadeIt() async throws {
    let (alice, bob) = try await (opened("alice"), opened("bob"))
    let handle = try await alice.number { vcx_connection_create($0, "c", numberCallback) }
    for call in [bob.select, { $0 }] as [(@escaping (UInt32) -> vcx_error_t) -> (UInt32) -> vcx_error_t] {
      let ending = await strings.call(call { vcx_connection_serialize($0, handle, stringCallback) })
      #expect(ending.delivery?.error == 0)
    }
    #expect(connections[handle]?.owner.number == alice.handle)
    #expect(await bob.close() == 0)
    #expect(connections[handle] != nil)
    #expect(await alice.close() == 0)
    let gone = await strings.call { vcx_connection_serialize($0, handle, stringCallback) }
    #expect(gone.delivery?.error == 1003)
  }

  @Test func objectsOfTwoAgentsAreRefusedInOneCall() async throws {
    let (alice, bob) = try await (opened("alice"), opened("bob"))
    let own = try await alice.number { vcx_connection_create($0, "c", numberCallback) }
    let other = try await bob.number { vcx_connection_create($0, "c", numberCallback) }
    let offer = try Fixtures.json("exchanges/holder-offered.json").text
    let credential = try await alice.number { vcx_credential_deserialize($0, offer, numberCallback) }
    let endings = [
      await done.call { vcx_connection_redirect($0, own, other, doneCallback) },
      await done.call { vcx_credential_reject($0, credential, other, nil, doneCallback) },
      await done.call { vcx_credential_send_request($0, credential, other, 0, doneCallback) },
    ]
    for ending in endings {
      #expect(ending.delivery?.error == 1003)
      #expect(ending.delivery?.currentError?.contains("connection \(other) belongs to another agent") == true)
    }
    for agent in [alice, bob] { await agent.close() }
  }

  // MARK: closing

  @Test func anAgentIsClosedOnce() async throws {
    let agent = try await opened("alice")
    async let first = agent.close()
    async let second = agent.close()
    let codes = await [first, second].compactMap { $0 }.sorted()
    #expect(codes == [0, 1048])
    #expect(await agent.close() == 1048)
    #expect(msdk_agent_select(agent.handle) == 1048)
    for handle in [0, 4_000_000_000] as [UInt32] {
      #expect(await done.call { msdk_agent_close($0, handle, doneCallback) }.delivery?.error == 1048)
    }
    #expect(msdk_agent_close(1, 0, nil) == 1007)
  }

  @Test func aClosedAgentThatIsStillSelectedMakesNothing() async throws {
    let agent = try await opened("alice")
    let thread = SelectingThread(agent.handle)
    #expect(await agent.close() == 0)
    let made = await numbers.call { command in thread.call { vcx_connection_create(command, "c", numberCallback) } }
    #expect(made.delivery?.error == 1004 && made.delivery?.value == 0)
    #expect(made.delivery?.currentError?.contains("agent \(agent.handle): the agent is closed") == true)
    let record = await strings.call { command in
      thread.call { vcx_wallet_get_record(command, "t", "i", "{}", stringCallback) }
    }
    #expect(record.delivery?.error == 1057)
    let health = await done.call { command in thread.call { vcx_health_check(command, doneCallback) } }
    #expect(health.delivery?.error == 1004)
    thread.end()
  }

  /// Each call ends once: `Caller` traps on a second callback, and waits for a missing one.
  @Test func callsThatACloseOvertakesEndWithTheirResultsOrAnError() async throws {
    for round in 0..<10 {
      let agent = try await opened("alice\(round)")
      try await agent.add("i")
      let codes = await withTaskGroup(of: UInt32?.self) { group in
        for number in 0..<100 {
          group.addTask {
            // The selection fails once the agent is closed.
            let ending = await strings.call(agent.select { vcx_wallet_get_record($0, "t", "i", "{}", stringCallback) })
            return ending.refusal ?? ending.delivery?.error
          }
          if number == 50 { group.addTask { await agent.close() } }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count == 101 && codes.allSatisfy { [0, 1057, .max].contains($0) }, "\(codes)")
    }
  }

  // MARK: the standard agent

  /// `vcx_shutdown` is this, with the objects of the standard agent.
  @Test func theEndOfTheStandardAgentLeavesTheOthers() async throws {
    let agent = try await opened("alice")
    try Agent.standard.start(Settings(parsing: scene.local("bob").text))
    let handle = try await agent.number { vcx_connection_create($0, "c", numberCallback) }
    Agent.standard.stop(deletingWallet: true)
    try await agent.add("i")
    #expect(await agent.record("i").delivery?.error == 0)
    #expect(try await agent.number { vcx_connection_get_state($0, handle, numberCallback) } == 1)
    #expect(vcx_update_institution_info("Standard", "http://logo.example") == 0)
    #expect(agent.select { _ in vcx_update_institution_info("Alice", "http://alice.example") }(0) == 0)
    #expect(Agent.standard.profile.name == "Standard")
    #expect(try OpenAgents.process.find(agent.handle).profile.name == "Alice")
    Agent.standard.stop(deletingWallet: false)
    await agent.close()
  }

  /// `vcx_shutdown` deletes a wallet that was made and never opened. Another agent may have opened it.
  @Test func theStandardAgentDeletesNoWalletOfAnother() async throws {
    let agent = try await scene.open("alice")
    Agent.standard.stop(deletingWallet: true)
    try await agent.add("i")
    #expect(FileManager.default.fileExists(atPath: "\(scene.folder.path)/alice/sqlite.db"))
    await agent.close()
  }
}

/// A thread that has an agent selected, and makes calls.
private final class SelectingThread: Sendable {
  private enum Turn: Sendable {
    case idle, over
    case call(@Sendable () -> vcx_error_t)
    case done(vcx_error_t)

    var work: Turn? { if case .call = self { self } else if case .over = self { self } else { nil } }
    var code: vcx_error_t? { if case .done(let code) = self { code } else { nil } }
  }

  private let turn = Monitor(Turn.idle)

  /// Starts the thread, which has selected the agent when this returns.
  init(_ handle: UInt32) {
    let turn = turn
    Thread {
      let code = msdk_agent_select(handle)
      turn.withLock { $0 = .done(code) }
      while case .call(let call) = turn.wait(for: { $0.work }) {
        let code = call()
        turn.withLock { $0 = .done(code) }
      }
    }.start()
    #expect(turn.wait { $0.code } == 0)
  }

  func call(_ body: @escaping @Sendable () -> vcx_error_t) -> vcx_error_t {
    turn.withLock { $0 = .call(body) }
    return turn.wait { $0.code }
  }

  func end() { turn.withLock { $0 = .over } }
}

// C callbacks capture nothing: this is for the test whose callback selects.
private let selected = Monitor<(other: UInt32, seen: [UInt32])>((0, []))
private let selectingCallback: vcx_string_cb = { _, _, _ in
  let seen = CurrentAgent.value.number
  _ = msdk_agent_select(selected.withLock { $0.other })
  selected.withLock { $0.seen.append(seen) }
}
