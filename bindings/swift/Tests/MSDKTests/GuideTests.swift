import MSDK
import Testing

@testable import Guide

extension Sessions {
  /// The steps of the guide. The program has both sides of each connection: it plays Alice and her guest.
  @Suite struct GuideTests {
    @Test func programsConnectWriteAndStoreAsTheGuideSays() async throws {
      try await running { _ in
        let (guest, faber) = try await connected()
        let reading = Task { try await unread(faber) }
        try await greet(guest)
        try await keep(guest)
        #expect(try await restore().state == .completed)
        await meetAnError()
        while try await Message.unread(of: [faber.pairwiseDID]).contains(where: { $0.kind == "message" }) {
          try await Task.sleep(for: .milliseconds(100))
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
      }
    }

    @Test(.enabled(if: hasEngine, "MSDK_ANONCREDS_LIB names no engine"))
    func credentialsAreIssuedAndProvedAsTheGuideSays() async throws {
      try await running { folder in
        let definition = try await define(folder)
        let (guest, faber) = try await connected()
        async let issuing = issue(definition, guest)
        let held = try #require(await hold(faber))
        let issued = try #require(await issuing)
        async let verifying: Void = verify(definition.id, guest)
        #expect(try await prove(faber))
        try await verifying
        #expect(try await !held.isRevoked)
        try await withdraw(issued)
        #expect(try await held.isRevoked)
        try await lookIntoTheWallet(held, from: faber)
        let place = try await issued.place
        #expect(place.isRevoked && place.registryID != nil && place.index != nil)
        #expect(try await issued.threadID == held.threadID)
      }
    }

    private func lookIntoTheWallet(_ credential: Credential, from faber: Connection) async throws {
      var query = CredentialQuery()
      (query.attributes, query.connection) = (["name": nil], try await faber.pairwiseDID)
      var found: [HeldCredential] = []
      for try await each in Wallet.credentials(query) { found.append(each) }
      #expect(try await found.map(\.id) == [credential.threadID])
      let held = try await Wallet.credential(credential.threadID)
      #expect(held.isRevoked && held.received != nil && held.connection == query.connection && held.display != nil)
      query.isRevoked = false
      for try await each in Wallet.credentials(query) { Issue.record("\(each.id)") }
    }

    @Test(.enabled(if: hasEngine, "MSDK_ANONCREDS_LIB names no engine"))
    func offersAndRequestsTravelInInvitationsAsTheGuideSays() async throws {
      try await running { folder in
        let definition = try await define(folder)
        let (credential, offer) = try await attachOffer(definition)
        async let taking = takeAttached(offer)
        #expect(try await credential.requested() == .requested)
        try await credential.issue()
        #expect(try await taking != nil)
        let (request, invitation) = try await attachRequest(definition.id)
        let proof = try await Proof.requested(Message.attached(to: invitation), name: "age")
        let found = try await proof.credentials()
        #expect(found.predicates["predicate_0"]?.missing == true && found.first() == nil)  // Carol is 17
        let asker = try await Connection.accept(invitation, name: "asker")
        try await asker.connect()
        try await proof.decline(over: asker, reason: "too young")
        #expect(try await request.verdict().verified == nil)
        #expect(try await request.update() == .declined)
      }
    }
  }
}

/// Provisions and runs the body in a session. The body takes the folder.
private func running(_ body: (String) async throws -> Void) async throws {
  let world = try World()
  defer { world.end() }
  let folder = world.folder.path
  let session = try await begin(provision(world.request.cloudAgent, key: "a key only Alice knows", folder: folder))
  defer { session.end(deletingWallet: true) }
  try await body(folder)
}

/// Both ends of a connection: the guest's, and the one that accepted the invitation.
private func connected() async throws -> (guest: Connection, faber: Connection) {
  let (guest, invitation) = try await invite()
  let url = encoded(invitation)
  let faber = try await accept("https://example.org/?oob=\(url.prefix(70))\n\(url.dropFirst(70))")
  async let other = complete(guest)
  #expect(try await complete(faber))
  #expect(try await other)
  return (guest, faber)
}
