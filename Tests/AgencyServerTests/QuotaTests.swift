import AgencyServer
import AgencyWire
import Sodium
import TestSupport
import Testing

/// The limits of mailboxes and answers.
@Suite struct QuotaTests {
  @Test func aFullMailboxSaysSoToTheSender() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.quota.messages = 3
    rules.mailboxesPerAgent = 1
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for number in 0..<3 { #expect(try client.post(client.forward("\(number)", to: mailbox)).status == 200) }
    let response = try client.post(client.forward("one too many", to: mailbox))
    #expect(response.status == 429)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-123")

    let uid = try #require(client.messages(agent).first?.messages.first?.uid)
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: [uid])
    let _: MessageStatusUpdated = try client.ask(
      UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    #expect(try client.post(client.forward("there is room again", to: mailbox)).status == 200)

    let key = KeyPair().verkey
    let second = try client.send(
      client.request(CreateKey(forDID: key.did.text, forDIDVerKey: key.text)), to: agent)
    #expect(second.status == 429)
    #expect(second.retryAfter == 3600)

    let twice = try client.send(
      client.request(UpdateMessageStatus(statusCode: "MS-106", connections: [read, read])), to: agent)
    #expect(WireRefusal(body: twice.body)?.statusCode == "GNR-115")
  }

  @Test func theOperatorsLimitsHoldForReadMessagesAndComMethodsToo() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    (rules.quota.messages, rules.comMethodsPerAgent) = (2, 1)
    let client = Client(try AgencyServer(dataFolder: folder.path, rules: rules))
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for number in 0..<3 {
      #expect(try client.post(client.forward("\(number)", to: mailbox)).status == 200)
      let uids = try client.messages(agent).flatMap(\.messages).map(\.uid)
      let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: uids)
      let _: MessageStatusUpdated = try client.ask(
        UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    }
    #expect(try client.texts(client.messages(agent).flatMap(\.messages), mailbox) == ["1", "2"])
    let statuses = try ["a", "b", "a"].map { id in
      let method = WireComMethod(id: id, kind: .webhook, value: "http://example.com")
      return try client.send(client.request(UpdateComMethod(method: method)), to: agent).status
    }
    #expect(statuses == [200, 429, 200])
  }

  /// A place is sealed: it tells no client how many messages the agency has, and is made by nobody else.
  @Test func onlyThePlacesThatTheAgencyHasSealedAreAccepted() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.answerBytes = 300
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for text in ["one", "two"] { #expect(try client.post(client.forward(text, to: mailbox)).status == 200) }
    let first: Messages = try client.ask(GetMessages(filter: WireMessageFilter()), of: mailbox, through: agent)
    guard case .cut(let next) = first.end else {
      Issue.record("\(first.end)")
      return
    }
    #expect(try Base64.decode(next, .url).count > 30)
    var filter = WireMessageFilter()
    filter.after = next
    let second: Messages = try client.ask(GetMessages(filter: filter), of: mailbox, through: agent)
    #expect(second.end == .complete && second.messages.count == 1 && second.messages != first.messages)
    let changed = (next.hasPrefix("A") ? "B" : "A") + next.dropFirst()
    for place in ["", "1", String(next.dropLast(4)), changed] {
      filter.after = place
      let refused = try client.send(client.request(GetMessagesByConnections(filter: filter)), to: agent)
      #expect(WireRefusal(body: refused.body)?.statusCode == "GNR-115", "\(place)")
    }
  }
}
