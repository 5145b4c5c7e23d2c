import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import MSDK
@testable import VCX

/// Subscriptions that apply messages to kept objects: the tests never update a state themselves.
@Suite(.theAgent) struct AppliedMessageTests {
  private let scene: AgentScene

  init() throws { scene = try AgentScene() }

  private func subscribed(_ name: String, applying isApplying: Bool = true) async throws -> OpenAgent {
    let agent = try await scene.open(
      name, scene.credentials.merging(["keep_objects": true, "apply_messages": .bool(isApplying)]) { $1 })
    #expect(agent.select { _ in msdk_messages_subscribe(9, appliedCallback) }(0) == 0)
    return agent
  }

  /// Waits until a subscriber was told that an object is in a state.
  private func wait(_ agent: OpenAgent, for type: String, _ state: Int64) -> JSON {
    applied.wait { messages in
      messages.last {
        $0.agent == agent.handle && $0.message["object"]?["type"]?.string == type
          && $0.message["object"]?["state"] == .integer(state)
      }?.message
    }
  }

  private func wait(_ agent: OpenAgent, forKind kind: String) -> JSON {
    applied.wait { messages in
      messages.last { $0.agent == agent.handle && $0.message["kind"]?.string == kind }?.message
    }
  }

  /// If `isApplying` is false, Alice's subscription only tells.
  private func connected(
    applying isApplying: Bool = true
  ) async throws -> (faber: OpenAgent, alice: OpenAgent, toAlice: UInt32, toFaber: UInt32) {
    let (faber, alice) = try await (subscribed("faber"), subscribed("alice", applying: isApplying))
    let toAlice = try await faber.number { vcx_connection_create($0, "alice", numberCallback) }
    let invitation = try await faber.text { vcx_connection_connect($0, toAlice, nil, stringCallback) }
    let toFaber = try await alice.number {
      vcx_connection_create_with_invite($0, "faber", invitation, numberCallback)
    }
    _ = try await alice.text { vcx_connection_connect($0, toFaber, "{}", stringCallback) }
    if isApplying {
      _ = wait(alice, for: "connection", 4)
    } else {
      _ = wait(alice, forKind: "aries")
      #expect(try await alice.number { vcx_connection_update_state($0, toFaber, numberCallback) } == 4)
    }
    _ = wait(faber, for: "connection", 4)
    return (faber, alice, toAlice, toFaber)
  }

  @Test func anExchangeAdvancesByTheMessagesAlone() async throws {
    let (faber, alice, toAlice, toFaber) = try await connected()
    let (issued, credential) = try await offered(by: faber, to: alice, over: toAlice)
    try await alice.finish { vcx_credential_send_request($0, credential, toFaber, 0, doneCallback) }
    let requested = wait(faber, for: "issuer_credential", 3)
    #expect(requested["statusCode"] == "MS-106")
    #expect(try await faber.number { vcx_issuer_credential_get_state($0, issued, numberCallback) } == 3)
    // A released object is restored from its record.
    #expect(vcx_credential_release(credential) == 0)
    try await faber.finish { vcx_issuer_send_credential($0, issued, toAlice, doneCallback) }
    let stored = wait(alice, for: "credential", 4)
    let id = try #require(stored["object"]?["id"]?.string)
    let opened = try #require(await pairs.call(alice.select { msdk_object_open($0, id, pairCallback) }).delivery)
    #expect(
      try await alice.number { vcx_credential_get_state($0, opened.value.number, numberCallback) } == 4)
    for agent in [faber, alice] { #expect(await agent.close() == 0) }
  }

  /// Offers Alice a credential. Returns the handles of Faber's and Alice's side.
  private func offered(
    by faber: OpenAgent, to alice: OpenAgent, over toAlice: UInt32
  ) async throws -> (issued: UInt32, credential: UInt32) {
    let schema = try await faber.number {
      vcx_schema_create($0, "s", "degree", "1.0", #"["name"]"#, 0, numberCallback)
    }
    let schemaID = try await faber.text { vcx_schema_get_schema_id($0, schema, stringCallback) }
    let definition = try await faber.number {
      vcx_credentialdef_create(
        $0, "d", "degree", schemaID, nil, "t", #"{"support_revocation":false}"#, 0, numberCallback)
    }
    let issued = try await faber.number {
      vcx_issuer_create_credential($0, "c", definition, nil, #"{"name":"Alice"}"#, "degree", "0", numberCallback)
    }
    try await faber.finish { vcx_issuer_send_credential_offer($0, issued, toAlice, doneCallback) }
    let told = wait(alice, forKind: "credential-offer")
    #expect(told["object"] == nil)
    #expect(told["statusCode"] == "MS-103")
    let payload = try JSON(parsing: #require(told["decryptedPayload"]?.string))
    let offer = try #require(payload["@msg"]?.string)
    let credential = try await alice.number { vcx_credential_create_with_offer($0, "c", offer, numberCallback) }
    return (issued, credential)
  }

  /// The record of the object names no connection at that moment.
  @Test func anAnswerThatComesBeforeTheEndOfItsStepIsApplied() async throws {
    let (faber, alice, toAlice, toFaber) = try await connected()
    let (issued, credential) = try await offered(by: faber, to: alice, over: toAlice)
    let text = try await alice.text { vcx_connection_serialize($0, toFaber, stringCallback) }
    let (session, step) = try (OpenAgents.process.find(alice.handle).running(), Monitor(false))
    credentials[credential]?.lane.post { object in
      #expect(throws: Never.self) { try object.sendRequest(over: Connection(serialized: text), with: session) }
      step.wait { $0 ? () : nil }
      return {}
    }
    _ = wait(faber, for: "issuer_credential", 3)
    try await faber.finish { vcx_issuer_send_credential($0, issued, toAlice, doneCallback) }
    try await Task.sleep(for: .milliseconds(300))  // Alice's subscription most likely has the credential by now
    step.withLock { $0 = true }
    #expect(wait(alice, for: "credential", 4)["statusCode"] == "MS-106")
    for agent in [faber, alice] { #expect(await agent.close() == 0) }
  }

  /// The program deletes the object between the search for it and the step.
  @Test func aMessageDoesNotBringADeletedObjectBack() async throws {
    let (faber, alice, toAlice, toFaber) = try await connected(applying: false)
    let (issued, credential) = try await offered(by: faber, to: alice, over: toAlice)
    try await alice.finish { vcx_credential_send_request($0, credential, toFaber, 0, doneCallback) }
    _ = wait(faber, for: "issuer_credential", 3)
    try await faber.finish { vcx_issuer_send_credential($0, issued, toAlice, doneCallback) }
    let message = AnnouncedMessage(wait(alice, forKind: "credential").text)
    let session = try OpenAgents.process.find(alice.handle).running()
    let objects = try message.recipients(in: session)
    let found = try #require(objects.first { $0.kind == .credential })
    #expect(vcx_credential_release(credential) == 0)
    try session.keptObjects.remove(found.id)

    let told = Monitor<String?>(nil)
    CurrentAgent.serving(session.agent) {
      apply(message, toFirstOf: objects[...], with: session) { text in told.withLock { $0 = text } }
    }
    #expect(told.wait { $0 } == message.text)
    #expect(throws: WalletError.recordNotFound) { try session.keptObjects.find(found.id) }
    #expect(try session.credentials.all().isEmpty)
    for agent in [faber, alice] { #expect(await agent.close() == 0) }
  }

  @Test func aMessageForTheProgramIsGivenAsItIs() async throws {
    let (faber, alice, toAlice, _) = try await connected()
    let text = #"{"@type":"https://didcomm.org/basicmessage/1.0/message","@id":"m1","content":"hello"}"#
    _ = try await faber.text {
      vcx_connection_send_message($0, toAlice, text, #"{"msg_type":"m","msg_title":"m"}"#, stringCallback)
    }
    #expect(wait(alice, forKind: "message")["object"] == nil)
    for agent in [faber, alice] { #expect(await agent.close() == 0) }
  }

  @Test func applyingNeedsKeptObjects() throws {
    let config = try scene.local("alice").with(["apply_messages": true])
    let error = #expect(throws: SettingsError.self) { try Settings(parsing: config.text) }
    #expect(
      error.map { "\($0)" } == #""apply_messages" is not false, which it must be without "keep_objects": true"#)
  }
}

// C callbacks capture nothing.
private let applied = Monitor<[(agent: UInt32, message: JSON)]>([])
private let appliedCallback: vcx_string_cb = { _, _, text in
  let agent = CurrentAgent.value.number
  let message = text.flatMap { try? JSON(parsing: String(cString: $0)) } ?? .null
  applied.withLock { $0.append((agent, message)) }
}
