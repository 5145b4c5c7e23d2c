import AgencyWire
import DIDComm
import Foundation
import HTTP
import HTTPServing
import JSON
import Logging
import SQLite
import Sodium
import TestSupport
import Testing
import Threading
import Time

@testable import AgencyServer

/// A running agency with its settings, counters and regular work.
@Suite struct RunningAgencyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func server(_ json: JSON) throws -> AgencyServer {
    var settings = try AgencySettings(json)
    (settings.dataFolder, settings.port) = (folder.path, 0)
    return try AgencyServer(settings)
  }

  private struct Unreadable: Error {}

  @Test func reloadedSettingsDecideAboutNewAccounts() throws {
    let server = try server([:])
    let client = Client(server)
    let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
    #expect(try client.send(connect, to: client.agency).status == 200)
    let sponsor: JSON = ["id": "bank", "verkeys": [.string(KeyPair().verkey.text)]]
    server.reload { try AgencySettings(["provisioning": "token", "sponsors": [sponsor]]) }
    #expect(try client.send(connect, to: client.agency).status == 403)
    server.reload { throw Unreadable() }
    #expect(try client.send(connect, to: client.agency).status == 403)
    server.reload { try AgencySettings(["provisioning": "both", "sponsors": [sponsor]]) }
    #expect(try client.send(connect, to: client.agency).status == 200)
  }

  /// The size of the packed message counts. A body may be longer, for a backup.
  @Test(arguments: [(3000, 200), (3001, 413)]) func aMessageIsAsLongAsTheSettingsPermit(
    count: Int, status: Int
  ) throws {
    let client = Client(try server(["limits": ["body_bytes": 3000]]))
    let mailbox = try client.createMailbox(client.provision())
    let frame: JSON = ["protected": "x", "ciphertext": ""]
    let text = String(repeating: "y", count: count - frame.bytes.count)
    let forward: JSON = [
      "@type": .string(Forward.type.text), "to": .string(mailbox.forDID),
      "msg": ["protected": "x", "ciphertext": .string(text)],
    ]
    let response = try client.post(Envelope.pack(forward.bytes, for: [client.agency.verkey]))
    #expect(response.status == status)
    if status == 413 { #expect(WireRefusal(body: response.body)?.statusCode == "GNR-101") }
  }

  @Test func settingsWithoutADataFolderStartNothing() throws {
    let error = #expect(throws: AgencyServerError.self) { try AgencyServer(AgencySettings()) }
    #expect(error?.description == "missing setting: data")
  }

  /// The clock stands still, so that the failed attempt is not repeated.
  @Test func attemptsToNotifyAreCountedByTheirResult() throws {
    let (taking, failing) = (try Listener(), try Listener(failing: 1000))
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    rules.showsMetrics = true
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { 1_700_000_000 })
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for listener in [taking, failing] {
      let method = WireComMethod(id: .randomUUID(), kind: .webhook, value: listener.server.endpoint)
      let _: ComMethodUpdated = try client.ask(UpdateComMethod(method: method), of: agent)
    }
    #expect(try client.post(client.forward("x", to: mailbox)).status == 200)
    let counters = ["sent", "failed"].map { "\nmsdk_agency_notifications_\($0)_total 1\n" }
    var text = ""
    for _ in 0..<500 where !counters.allSatisfy({ text.contains($0) }) {
      usleep(20_000)
      text = String(decoding: try HTTPClient().get(server.endpoint + "/metrics").body, as: UTF8.self)
    }
    for counter in counters { #expect(text.contains(counter)) }
  }

  // MARK: The end

  /// Stops the agency on another thread. Returns when it accepts no connection any more.
  private func stop(_ server: AgencyServer, _ client: Client) -> DispatchSemaphore {
    let stopped = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      server.stop()
      stopped.signal()
    }
    for _ in 0..<2000 where (try? RawConnection(port: client.port)) != nil { usleep(10_000) }
    return stopped
  }

  /// It waits for the store when the agency is asked to end.
  @Test func aRequestThatHasArrivedIsServedAtTheEnd() throws {
    let server = try server([:])
    let client = Client(server)
    let body = try client.forward("x", to: client.createMailbox(client.provision()))
    let storage = Mirror(reflecting: server).children.first { $0.label == "storage" }?.value
    let member = Mirror(reflecting: try #require(storage)).children.first { $0.label == "writer" }?.value
    let writer = try #require(member as? GroupCommit<Database>)
    let (isHeld, isReleased, status) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Monitor<Int?>(nil))
    Thread.detachNewThread {
      try? writer.write { _ throws(SQLiteError) in
        isHeld.signal()
        isReleased.wait()
      }
    }
    isHeld.wait()
    Thread.detachNewThread {
      let answer = try? client.post(body).status
      status.withLock { $0 = answer ?? 0 }
    }
    for _ in 0..<2000 where writer.waitingCount < 1 { usleep(10_000) }
    let stopped = stop(server, client)
    isReleased.signal()
    #expect(status.wait(milliseconds: 20_000) { $0 } == 200)
    #expect(stopped.wait(timeout: .now() + 20) == .success)
  }

  /// Otherwise the receiver would be notified again after the next start.
  @Test func aRunningNotificationIsSettledAtTheEnd() throws {
    let gate = Monitor((isCalled: false, isOpen: false))
    let receiver = try HTTPServer { _ in
      gate.withLock { $0.isCalled = true }
      _ = gate.wait(milliseconds: 4000) { $0.isOpen ? true : nil }
      return HTTPServer.Response()
    }
    let server = try server(["private_webhooks": true])
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let method = WireComMethod(id: "1", kind: .webhook, value: receiver.endpoint)
    let _: ComMethodUpdated = try client.ask(UpdateComMethod(method: method), of: agent)
    #expect(try client.post(client.forward("x", to: mailbox)).status == 200)
    #expect(gate.wait(milliseconds: 20_000) { $0.isCalled ? true : nil } == true)
    let stopped = stop(server, client)
    gate.withLock { $0.isOpen = true }
    #expect(stopped.wait(timeout: .now() + 20) == .success)
    let later = systemClock() + 3600
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { later })
    #expect(try storage.takeNotifications(limit: 1, lease: 0).isEmpty)
    storage.close()
  }

  /// A copy of the main file then holds all accounts.
  @Test func theRegularCleanUpEmptiesTheLog() throws {
    let server = try server([:])
    _ = try Client(server).provision()
    let log = folder.path + "/agency.db-wal"
    func size() throws -> Int? { try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int }
    #expect(try size() != 0)
    let member = Mirror(reflecting: server).children.first { $0.label == "caretaker" }?.value
    try #require(member as? Ticker).hurry()
    for _ in 0..<500 where try size() != 0 { usleep(10_000) }
    #expect(try size() == 0)
  }

  @Test func aStoppedAgencySweepsNoMore() throws {
    let events = Monitor<[String]>([])
    let log = LogChannel { event in events.withLock { $0.append(event.message) } }
    let server = try AgencyServer(dataFolder: folder.path, log: log)
    let member = Mirror(reflecting: server).children.first { $0.label == "sweeper" }?.value
    let sweeper = try #require(member as? Ticker)
    server.stop()
    sweeper.hurry()
    #expect(events.wait(milliseconds: 300) { $0.last == "stopped" ? nil : true } == nil)
  }
}
