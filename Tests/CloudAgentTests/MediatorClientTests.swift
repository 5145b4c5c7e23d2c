import Aries
import DIDComm
import Foundation
import JSON
import Sodium
import Testing
import Threading

@testable import CloudAgent

@Suite struct MediatorClientTests {
  /// The mailboxes of the client, and the messages on its disk.
  final class Disk: MailboxDirectory {
    let mailboxes = Locked<[Mailbox]>([])
    let envelopes = Locked<[JSON]>([])

    func mailboxes(of _: [String]) -> [Mailbox] { mailboxes.withLock { $0 } }
    func keep(_ more: [JSON]) { envelopes.withLock { $0 += more } }
    /// Each message once.
    var kept: [JSON] {
      envelopes.withLock { all in all.reduce(into: []) { kept, each in if !kept.contains(each) { kept.append(each) } } }
    }
  }

  private let own = KeyPair()
  private let disk = Disk()

  private func client(
    _ mediator: ScriptedMediator, over transport: (any MediatorTransport)? = nil
  ) throws -> MediatorClient {
    mediator.state.withLock { $0.clients[own.verkey] = 1 }
    let grant = try MediationGrant([
      "endpoint": .string(mediator.endpoint), "routing_keys": [.string(mediator.routing.verkey.text)],
    ])
    let channel = MediatorChannel(
      to: mediator.service, as: own.verkey, keys: Ring(pairs: [own]), over: transport ?? mediator)
    return MediatorClient(channel: channel, grant: grant, directory: disk) { [disk] in disk.keep($0) }
  }

  private func envelopes(_ count: Int) throws -> [JSON] {
    let peer = KeyPair().verkey
    return try (0..<count).map { try JSON(parsing: Envelope.pack(Array("\($0)".utf8), for: [peer])) }
  }

  private func collected(_ mediator: ScriptedMediator, _ sent: [JSON], line: Int = #line) throws {
    mediator.hold(sent)
    try client(mediator).collect { disk.keep($0) }
    #expect(disk.kept.count == sent.count && sent.allSatisfy(disk.kept.contains), "line \(line)")
  }

  // MARK: Keys

  @Test func aMailboxIsAKeyThatTheMediatorKnows() throws {
    let (mediator, key) = (ScriptedMediator(), KeyPair().verkey)
    let client = try client(mediator)
    let mailbox = try client.openMailbox(for: key)
    #expect(mediator.keys == [key] && mailbox.keeper == nil)
    #expect(try client.openMailbox(for: key) == mailbox)
    let service = try client.service(of: mailbox)
    #expect(service.recipientKeys == [key] && service.routingKeys == [mediator.routing.verkey])
    try client.closeMailbox(mailbox)
    try client.closeMailbox(mailbox)
    #expect(mediator.keys.isEmpty)
  }

  /// A transport that counts the requests that are on their way at the same time, and waits for so many in each.
  private final class Crowd: MediatorTransport {
    let mediator: ScriptedMediator
    let requests = Monitor((now: 0, most: 0))
    let awaited: Int

    init(_ mediator: ScriptedMediator, of awaited: Int = 1) { (self.mediator, self.awaited) = (mediator, awaited) }

    func exchange(_ envelope: [UInt8], at endpoint: String) throws(CloudAgentError) -> [[UInt8]] {
      requests.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      defer { requests.withLock { $0.now -= 1 } }
      // As long as a mediator takes, so that updates beside each other meet here.
      usleep(20_000)
      _ = requests.wait(milliseconds: 60_000) { [awaited] in $0.most >= awaited ? true : nil }
      return try mediator.exchange(envelope, at: endpoint)
    }
  }

  /// A mediator that answers slowly delays nobody twice.
  @Test func updatesOfDifferentKeysRunBesideEachOther() throws {
    let crowd = Crowd(ScriptedMediator(), of: 2)
    let client = try client(crowd.mediator, over: crowd)
    let done = Monitor(0)
    for _ in 0..<2 {
      Threads.shared.post {
        _ = try? client.openMailbox(for: KeyPair().verkey)
        done.withLock { $0 += 1 }
      }
    }
    _ = done.wait { $0 == 2 ? true : nil }
    #expect(crowd.requests.withLock { $0.most } == 2 && crowd.mediator.keys.count == 2)
  }

  /// ACA-Py enters a key twice that two updates add at the same moment, and passes no message on to it.
  @Test func aKeyIsInOneUpdateAtATime() throws {
    let (mediator, key) = (ScriptedMediator(), KeyPair().verkey)
    let crowd = Crowd(mediator)
    let client = try client(mediator, over: crowd)
    disk.mailboxes.withLock { $0 = [client.mailbox(for: key)] }
    let done = Monitor(0)
    for index in 0..<8 {
      Threads.shared.post {
        if index % 2 == 0 { _ = try? client.openMailbox(for: key) } else { try? client.registerAll() }
        done.withLock { $0 += 1 }
      }
    }
    _ = done.wait { $0 == 8 ? true : nil }
    #expect(mediator.keys == [key] && mediator.received.count == 8)
    #expect(crowd.requests.withLock { $0.most } == 1)
  }

  @Test func aMailboxElsewhereIsUnknown() throws {
    let (client, key) = (try client(ScriptedMediator()), KeyPair().verkey)
    #expect(throws: CloudAgentError.unknownMailbox(key.did)) {
      try client.service(of: Mailbox(key: key, name: "mediator:other"))
    }
  }

  @Test func anAnswerThatAMessageDisplacesIsAskedForAgain() throws {
    let mediator = ScriptedMediator(.init(loses: ["keylist-update": 1], displaces: ["keylist-update": 2]))
    let (sent, key) = (try envelopes(2), KeyPair().verkey)
    mediator.hold(sent)
    _ = try client(mediator).openMailbox(for: key)
    #expect(mediator.keys == [key] && disk.kept == sent, "the messages in place of the answer are on the disk")
  }

  @Test func aMediatorThatHasLostItsKeysGetsThemAgain() throws {
    let mediator = ScriptedMediator()
    let first = try client(mediator)
    let keys = (0..<150).map { _ in KeyPair().verkey }
    let mailboxes = try keys.map(first.openMailbox)
    disk.mailboxes.withLock { $0 = mailboxes + [Mailbox(key: KeyPair().verkey, name: "another")] }
    mediator.state.withLock { $0.keys = [] }
    try client(mediator).collect { disk.keep($0) }
    #expect(mediator.keys == Set(keys))
  }

  @Test func aRefusedKeyLeavesTheOtherMailboxesAsTheyAre() throws {
    let mediator = ScriptedMediator()
    let first = try client(mediator)
    let keys = (0..<4).map { _ in KeyPair().verkey }
    let mailboxes = try keys.map(first.openMailbox)
    disk.mailboxes.withLock { $0 = mailboxes }
    mediator.state.withLock { state in
      (state.keys, state.habits.refusedKeys, state.habits.ignoredKeys) = ([], [keys[1]], [keys[2]])
    }
    try collected(mediator, envelopes(3))
    #expect(mediator.keys == [keys[0], keys[3]])
    for key in keys[1...2] { #expect(throws: CloudAgentError.self) { try first.openMailbox(for: key) } }
  }

  @Test func messagesInPlaceOfAnAnswerEndNoWaitForIt() throws {
    let mediator = ScriptedMediator(.init(displaces: ["keylist-update": 30]))
    let (sent, key) = (try envelopes(30), KeyPair().verkey)
    mediator.hold(sent)
    _ = try client(mediator).openMailbox(for: key)
    #expect(mediator.keys == [key] && disk.kept == sent)
  }

  @Test func aMediatorThatDoesNotAnswerIsNotWell() throws {
    let mediator = ScriptedMediator()
    let client = try client(mediator)
    try client.checkHealth()
    mediator.state.withLock { $0.clients = [:] }
    #expect(throws: CloudAgentError.self) { try client.checkHealth() }
  }

  // MARK: Messages

  @Test(
    arguments: [
      .init(), .init(disclosed: nil), .init(marksAsSending: true), .init(neverDeletes: true, marksAsSending: true),
      .init(displaces: ["delivery-request": 3, "messages-received": 2]),
      .init(loses: ["delivery-request": 2, "messages-received": 2, "live-delivery-change": 1]),
      .init(disclosed: [], speaksPickup2: false, isImplicit: true),
      .init(disclosed: nil, speaksPickup2: false, isImplicit: true),
      .init(speaksPickup2: false, isImplicit: true),
      .init(disclosed: ["messagepickup/1.0"], speaksPickup2: false, speaksPickup1: true),
      .init(disclosed: ["messagepickup/1.0"], speaksPickup2: false, speaksPickup1: true, isImplicit: true),
    ] as [ScriptedMediator.Habits])
  func eachMessageArrives(habits: ScriptedMediator.Habits) throws {
    let mediator = ScriptedMediator(habits)
    try collected(mediator, envelopes(35))
    #expect(mediator.waitingCount == 0 || habits.neverDeletes)
  }

  @Test(arguments: [true, false]) func messagesStayUntilTheyAreOnTheDisk(marksAsSending: Bool) throws {
    struct Full: Error {}
    let (mediator, sent) = (ScriptedMediator(.init(marksAsSending: marksAsSending)), try envelopes(3))
    let client = try client(mediator)
    mediator.hold(sent)
    #expect(throws: Full.self) { try client.collect { _ in throw Full() } }
    #expect(mediator.waitingCount == 3 && !mediator.received.contains("messages-received"))
    try client.collect { disk.keep($0) }
    #expect(disk.kept.count == 3 && mediator.waitingCount == 0)
  }

  @Test func aStartAfterACrashFetchesTheMessagesThatWereBeingSent() throws {
    struct Crash: Error {}
    let (mediator, sent) = (ScriptedMediator(.init(marksAsSending: true)), try envelopes(3))
    mediator.hold(sent)
    #expect(throws: Crash.self) { try client(mediator).collect { _ in throw Crash() } }
    try client(mediator).collect { disk.keep($0) }
    #expect(disk.kept.count == 3)
  }

  @Test func theWayIsLookedForAgainIfTheMediatorChanges() throws {
    let mediator = ScriptedMediator()
    let client = try client(mediator)
    try client.collect { disk.keep($0) }
    mediator.change { ($0.speaksPickup2, $0.isImplicit, $0.disclosed) = (false, true, []) }
    mediator.hold(try envelopes(4))
    for _ in 0..<2 { try client.collect { disk.keep($0) } }
    #expect(disk.kept.count == 4)
  }

  @Test func callsAtOnceShareACollection() throws {
    let mediator = ScriptedMediator()
    let client = try client(mediator)
    mediator.hold(try envelopes(20))
    let done = Monitor(0)
    for _ in 0..<8 {
      Threads.shared.post { [disk] in
        try? client.collect { disk.keep($0) }
        done.withLock { $0 += 1 }
      }
    }
    _ = done.wait { $0 == 8 ? true : nil }
    #expect(disk.envelopes.withLock { $0.count } == 20)
  }

  /// A stranger's envelope whose nesting exceeds the reader's limit inside of a delivery.
  private func deep() -> JSON {
    ["protected": "x", "nested": (0..<98).reduce(into: [:] as JSON) { json, _ in json = ["a": json] }]
  }

  @Test(
    arguments: [
      .init(), .init(marksAsSending: true),
      .init(disclosed: ["messagepickup/1.0"], speaksPickup2: false, speaksPickup1: true),
    ] as [ScriptedMediator.Habits])
  func anEnvelopeThatCannotBeReadHidesNoOther(habits: ScriptedMediator.Habits) throws {
    let (mediator, sent) = (ScriptedMediator(habits), try envelopes(4))
    mediator.hold([sent[0], deep(), sent[1], deep(), sent[2], sent[3]])
    try client(mediator).collect { disk.keep($0) }
    #expect(disk.kept == sent && mediator.waitingCount == 0)
  }

  /// Without a key of its own, the public DID has the client's key towards the mediator.
  @Test(
    arguments: [.init(), .init(disclosed: [], speaksPickup2: false, isImplicit: true)] as [ScriptedMediator.Habits])
  func anEnvelopeOfAPeerToTheClientsOwnKeyIsTheWallets(habits: ScriptedMediator.Habits) throws {
    let (mediator, peer) = (ScriptedMediator(habits), KeyPair())
    let texts = [#"{"@type": "https://didcomm.org/didexchange/1.1/request", "@id": "1"}"#, "no JSON"]
    var sent = try texts.map { try JSON(parsing: Envelope.pack(Array($0.utf8), for: [own.verkey], from: peer)) }
    sent.append(try JSON(parsing: Envelope.pack(Array(texts[0].utf8), for: [own.verkey])))
    try collected(mediator, sent)
    #expect(mediator.waitingCount == 0)
  }

  /// A mediator that deletes a message when it gives it gives the next one too.
  @Test func aBrokenEnvelopeDoesNotEndImplicitPickup() throws {
    let mediator = ScriptedMediator(.init(disclosed: [], speaksPickup2: false, isImplicit: true))
    let sent = try envelopes(3)
    mediator.hold([sent[0], ["no": "envelope"], sent[1], ["no": "envelope"], ["no": "envelope"], sent[2]])
    try client(mediator).collect { disk.keep($0) }
    #expect(disk.kept == sent)
  }

  @Test(arguments: [true, false]) func messagesThatAreTooLargeTogetherComeOneByOne(marksAsSending: Bool) throws {
    let mediator = ScriptedMediator(.init(largestDelivery: 1, marksAsSending: marksAsSending))
    try collected(mediator, envelopes(12))
    #expect(mediator.waitingCount == 0)
  }

  @Test func aMessageThatIsTooLargeAloneIsAnError() throws {
    let mediator = ScriptedMediator(.init(largestDelivery: 0))
    mediator.hold(try envelopes(1))
    #expect {
      try client(mediator).collect { disk.keep($0) }
    } throws: { error in
      if case .invalidAnswer(let reason)? = error as? CloudAgentError {
        reason.contains("more than 64 MiB")
      } else {
        false
      }
    }
  }

  /// A mediator that speaks version 1.0 has deleted the messages of an answer that the client cannot take.
  @Test func messagesThatAreTooLargeTogetherAreNotLostInVersion1() throws {
    let mediator = ScriptedMediator(
      .init(disclosed: ["messagepickup/1.0"], speaksPickup2: false, speaksPickup1: true, largestDelivery: 1))
    try collected(mediator, envelopes(12))
    #expect(mediator.waitingCount == 0)
  }

  /// The mediator's own answer waited in its queue as if it were a peer's message. The client acknowledges both.
  @Test func aDeliveryInsideOfADeliveryBringsItsMessages() throws {
    let mediator = ScriptedMediator()
    let sent = try envelopes(2)
    let inner = try delivery([("inner", sent[0])], by: mediator)
    let outer = try delivery([("outer", inner), ("other", sent[1])], by: mediator)
    let answers = try client(mediator).dialogue.receive(outer.bytes)
    #expect(disk.kept == sent)
    let acknowledged = answers.flatMap { answer in
      if case .message(.delivery(let delivery)) = answer { delivery.items.map(\.id) } else { [String]() }
    }
    #expect(acknowledged == ["outer", "other", "inner"])
  }

  @Test func aDeliveryThatIsNestedTooDeeplyIsNotAcknowledged() throws {
    let mediator = ScriptedMediator()
    var envelope = try envelopes(1)[0]
    for depth in (0..<6).reversed() { envelope = try delivery([("\(depth)", envelope)], by: mediator) }
    let answers = try client(mediator).dialogue.receive(envelope.bytes)
    #expect(disk.kept.isEmpty)
    let ids = answers.flatMap { answer in
      if case .message(.delivery(let delivery)) = answer { delivery.items.map(\.id) } else { [String]() }
    }
    #expect(ids == ["0", "1", "2", "3"])
  }

  private func delivery(_ items: [(id: String, envelope: JSON)], by mediator: ScriptedMediator) throws -> JSON {
    let attached = items.map { item -> JSON in ["@id": .string(item.id), "data": ["json": item.envelope]] }
    let message: JSON = [
      "@type": "https://didcomm.org/messagepickup/2.0/delivery", "@id": "delivery", "~attach": .array(attached),
    ]
    return try JSON(parsing: Envelope.pack(message.bytes, for: [own.verkey], from: mediator.pairwiseKey))
  }

  /// Not "no messages": the client learns that it does not know, and asks again.
  @Test func aTimeWithoutAnswersIsAnErrorAndDecidesNothing() throws {
    let mediator = ScriptedMediator(.init(isSilent: true))
    let client = try client(mediator)
    mediator.hold(try envelopes(3))
    #expect(throws: CloudAgentError.self) { try client.collect { disk.keep($0) } }
    mediator.change { $0.isSilent = false }
    try client.collect { disk.keep($0) }
    #expect(disk.kept.count == 3 && mediator.received.contains("delivery-request"))
  }

  @Test func theAnswerToAnotherQuestionDoesNotDecideTheWay() throws {
    let mediator = ScriptedMediator(.init(delays: ["query"]))
    let client = try client(mediator)
    try? client.setComMethod(ComMethod(id: "1", kind: .push, value: "FCM:token"))
    mediator.hold(try envelopes(3))
    try client.collect { disk.keep($0) }
    #expect(disk.kept.count == 3 && mediator.received.contains("delivery-request"))
  }

  // MARK: Push

  @Test func aPushTokenReachesTheMediator() throws {
    let mediator = ScriptedMediator(.init(refusesPush: true, pushes: true))
    let client = try client(mediator)
    try client.setComMethod(ComMethod(id: "1", kind: .push, value: "FCM:token"))
    #expect(mediator.state.withLock { $0.device } == "token")
    try client.setComMethod(ComMethod(id: "1", kind: .push, value: ""))
    #expect(mediator.state.withLock { $0.device } == "", "this mediator refuses null")
  }

  @Test func aMediatorWithoutPushSaysSo() throws {
    let client = try client(ScriptedMediator())
    for kind in [ComMethod.Kind.push, .webhook] {
      let error = #expect(throws: CloudAgentError.self) {
        try client.setComMethod(ComMethod(id: "1", kind: kind, value: "x"))
      }
      guard case .unable = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
