import Testing
import Threading

@testable import VCX

/// The log of a whole run at its highest level. In a process of its own, since a process has one logger.
@Suite struct LogOfARunTests {
  @Test func theLogTellsWhatHappensAndNoSecret() async {
    await #expect(processExitsWith: .success) {
      let run = try LoggedRun()
      try await run.provisionAndStart()
      try await run.useTheWallet()
      let connections = try await run.connectWithItself()
      try await run.exchangeMessages(over: connections)
      try await run.makeMistakes()
      try await run.restoreTheWallet()
      let objects = try await run.makeObjects()
      #expect(vcx_shutdown(true) == 0)
      for object in objects {
        let ending = await strings.call { object.serialize($0, object.handle, stringCallback) }
        #expect(ending.delivery?.error != 0)
      }
      run.agency.stop()

      let lines = LoggedRun.log.withLock { $0 }
      for secret in run.secrets.withLock({ $0 }) {
        let leak = lines.first { $0.contains(secret) }
        #expect(leak == nil, "a secret is in the log")
      }
      let pairwise = run.pairwiseDIDs.withLock { $0 }
      let uid = run.uid.withLock { $0 }
      for step in Self.steps(pairwise, uid: uid, agency: run.agency.endpoint) {
        let pattern = try Regex(step)
        #expect(lines.contains { $0.wholeMatch(of: pattern) != nil }, "no line: \(step)")
      }
    }
  }

  /// The lines that must be there, as patterns. Two connections lead to each other: the inviter's is the first.
  static func steps(_ pairwise: [String], uid: String, agency: String) -> [String] {
    let (inviter, invitee) = (pairwise[0], pairwise[1])
    let calls = [
      "vcx_agent_provision_async", "vcx_init_with_config", "vcx_connection_create", "vcx_connection_connect",
      "vcx_connection_create_with_invite", "vcx_connection_update_state", "vcx_connection_send_message",
      "vcx_connection_send_ping", "vcx_messages_download", "vcx_download_message", "vcx_messages_update_status",
      "vcx_connection_info", "vcx_connection_sign_data", "vcx_connection_serialize", "vcx_connection_deserialize",
      "vcx_agent_update_info", "vcx_wallet_add_record", "vcx_wallet_get_record", "vcx_wallet_open_search",
      "vcx_wallet_search_next_records", "vcx_wallet_export", "vcx_shutdown", "vcx_connection_release",
    ]
    return calls.map { "3 \($0)( on (connection|search) \\d+)? succeeded( with \\d+)? after \\d+ ms" }
      + calls.map { "5 \($0)( on (connection|search) \\d+)? begins" }
      + [
        "3 vcx_connection_update_state on connection \\d+ succeeded with 4 after \\d+ ms",
        "3 vcx_wallet_get_record failed with 1073 after \\d+ ms: .+",
        "3 vcx_wallet_get_record failed with 1007 after \\d+ ms: .+ is NULL",
        "3 vcx_connection_get_pw_did on connection 4711 failed with 1003 after \\d+ ms: .+",
        "3 vcx_schema_create failed with 1041 after \\d+ ms: .+",
        "3 provisioning \\w+ at \(agency), without a token", "3 the Cloud Agent of \\w+ is \\w+",
        "3 the session runs, at \(agency)", "3 the session has stopped", "3 the wallet is deleted",
        "3 connection \(inviter): state 1 becomes 2", "3 connection \(inviter): state 2 becomes 3",
        "3 connection \(inviter): state 3 becomes 4", "3 connection \(invitee): state 2 becomes 3",
        "3 connection \(invitee): state 3 becomes 4",
        "3 sent connections/1.0/request from \(invitee)", "3 sent connections/1.0/response from \(inviter)",
        "3 connection \(inviter): message \\S+ is applied, connections/1.0/request",
        "3 connection \(invitee): message \\S+ is applied, connections/1.0/response",
        "3 sent basicmessage/1.0/message from \(invitee)",
        "3 message \(uid) of connection \(inviter) is downloaded, basicmessage/1.0/message",
        "3 connection \(inviter): marked MS-106: \(uid)",
        "4 connection \(inviter): message \(uid) stays for the application",
        "4 connection \(inviter): \\d+ messages to look at",
        "4 CREATE_KEY of \\w+ is answered with KEY_CREATED",
        "4 POST \(agency), \\d+ bytes: 200, \\d+ bytes", "4 GET \(agency), 0 bytes: 404, \\d+ bytes",
        "4 GET http://127.0.0.1:1, 0 bytes: no answer: .+",
      ]
  }
}
