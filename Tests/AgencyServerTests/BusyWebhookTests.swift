import AgencyWire
import DIDComm
import HTTPServing
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// Many users whose webhooks take a call and never answer.
@Suite struct BusyWebhookTests {
  let scene: NotificationScene

  init() throws { scene = try NotificationScene() }

  /// Eight accounts have eight deliveries underway each, four to a host.
  @Test func sponsorsAndOtherUsersAreToldMeanwhile() throws {
    let calls = Monitor((now: 0, isOver: false))
    let silent = try (0..<16).map { number in
      try HTTPServer(address: "127.0.1.\(number + 1)") { _ in
        calls.withLock { $0.now += 1 }
        _ = calls.wait(milliseconds: 20_000) { $0.isOver ? true : nil }
        return HTTPServer.Response()
      }
    }
    defer { calls.withLock { $0.isOver = true } }
    let listener = try Listener()
    let server = try scene.server(listener)
    let sponsored = Client(server)
    let agent = try scene.sponsored(sponsored)
    let mailbox = try sponsored.createMailbox(agent)
    try scene.set(.sponsor, "user-42", sponsored, agent)
    for number in 0..<8 {
      let user = Client(server)
      let agent = try user.provision()
      let mailbox = try user.createMailbox(agent)
      for host in silent[(2 * number)..<(2 * number + 2)] {
        try scene.set(.webhook, host.endpoint, id: host.endpoint, user, agent)
      }
      for text in 0..<4 { #expect(try user.post(user.forward("\(text)", to: mailbox)).status == 200) }
    }
    #expect(calls.wait(milliseconds: 20_000) { $0.now >= 64 ? true : nil } == true)
    let start = ContinuousClock.now
    #expect(try sponsored.post(sponsored.forward("x", to: mailbox)).status == 200)
    #expect(listener.waitForCalls(1).count == 1)
    let (other, hook) = (Client(server), try Listener())
    let otherAgent = try other.provision()
    let otherMailbox = try other.createMailbox(otherAgent)
    try scene.set(.webhook, hook.server.endpoint, other, otherAgent)
    #expect(try other.post(other.forward("x", to: otherMailbox)).status == 200)
    #expect(hook.waitForCalls(1).count == 1)
    #expect(ContinuousClock.now - start < .seconds(3))
    calls.withLock { $0.isOver = true }
    server.stop()
  }

  /// The ports of a host are one machine's.
  @Test func aHostHasFewCallsAtATimeOnAllItsPorts() throws {
    let calls = Monitor((now: 0, most: 0, done: 0))
    let receivers = try (0..<12).map { _ in
      try HTTPServer { _ in
        calls.withLock { calls in
          calls.now += 1
          calls.most = max(calls.most, calls.now)
        }
        _ = calls.wait(milliseconds: 200) { $0.most > 4 ? true : nil }
        calls.withLock { calls in
          calls.now -= 1
          calls.done += 1
        }
        return HTTPServer.Response()
      }
    }
    let server = try scene.server()
    for group in 0..<3 {
      let user = Client(server)
      let agent = try user.provision()
      let mailbox = try user.createMailbox(agent)
      for receiver in receivers[(4 * group)..<(4 * group + 4)] {
        try scene.set(.webhook, receiver.endpoint, id: receiver.endpoint, user, agent)
      }
      #expect(try user.post(user.forward("x", to: mailbox)).status == 200)
    }
    #expect(calls.wait { $0.done == 12 || $0.most > 4 ? $0.most : nil } <= 4)
    server.stop()
  }

  /// The status decides.
  @Test(arguments: [WireComMethod.Kind.webhook, .sponsor]) func aReceiverMayAnswerAtLength(kind: WireComMethod.Kind)
    throws
  {
    let long = HTTPServer.Response(body: [UInt8](repeating: 65, count: 200_000))
    let listener = try Listener(answering: long)
    let server = try scene.server(listener)
    let user = Client(server)
    let agent = try scene.sponsored(user)
    let mailbox = try user.createMailbox(agent)
    try scene.set(kind, kind == .webhook ? listener.server.endpoint : "user-42", user, agent)
    #expect(try user.post(user.forward("x", to: mailbox)).status == 200)
    #expect(listener.waitForCalls(1).count == 1)
    server.stop()  // waits for the attempt
    let store = try SQLiteStorage(path: scene.folder.path + "/agency.db", clock: { 2_000_000_000 })
    #expect(try store.takeNotifications(limit: 9, lease: 0).isEmpty)
    #expect(listener.calls.withLock { $0.count } == 1)
  }
}
