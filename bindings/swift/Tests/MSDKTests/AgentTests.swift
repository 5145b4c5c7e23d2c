import CMSDKCalls
import MSDK
import Testing

extension Sessions {
  /// Two agents of one process, with an agency.
  @Suite struct AgentTests {
    @Test func twoAgentsTalk() async throws {
      let world = try World()
      defer { world.end() }
      var agents: [Agent] = []
      for name in ["alice", "faber"] {
        var request = world.request
        request.walletName = name
        agents.append(try await Agent(Session.provision(request)))
      }
      let (alice, faber) = (agents[0], agents[1])
      let inviter = try await faber.run { try await Connection.invite(name: "alice", goal: "to meet") }
      let invitation = try await inviter.connect()
      let invitee = try await alice.run { try await Connection.accept(invitation, name: "faber") }
      try await invitee.connect()
      async let others = inviter.completed(every: .milliseconds(50))
      #expect(try await invitee.completed(every: .milliseconds(50)) == .completed)
      #expect(try await others == .completed)
      try await inviter.send("Good morning")
      let message = try await alice.run {
        for await message in try Message.arriving() where message.kind == "message" { return message.content }
        return nil
      }
      #expect(message == "Good morning")
      try await faber.close()
      await #expect(throws: MSDKError.self) { try await faber.close() }
      await #expect(throws: MSDKError.self) { try await inviter.update() }
      #expect(try await invitee.state == .completed)
      try await alice.close()
    }
  }
}
