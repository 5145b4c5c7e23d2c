import AgencyServer
import AgencyWire
import DIDComm
import HTTPServing
import Sodium
import TestSupport
import Testing
import Threading

/// Many users whose webhooks take a call and never answer.
@Suite struct BusyWebhookTests {
  let scene: NotificationScene

  init() throws { scene = try NotificationScene() }

  /// They hold all threads for users' webhooks: eight accounts of eight deliveries each, four to a target.
  @Test func sponsorsAreToldMeanwhile() throws {
    let calls = Monitor((now: 0, isOver: false))
    let silent = try (0..<16).map { _ in
      try HTTPServer { _ in
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
    #expect(ContinuousClock.now - start < .seconds(3))
    calls.withLock { $0.isOver = true }
    server.stop()
  }
}
