import AgencyServer
import AgencyWire
import DIDComm
import Dispatch
import Foundation
import HTTP
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// Confirmed messages are kept after any end of the agency.
@Suite struct DurabilityTests {
  @Test func aRestartLosesNothing() throws {
    let folder = try TemporaryFolder()
    let first = try AgencyServer(dataFolder: folder.path)
    let before = Client(first)
    let agent = try before.provision()
    let mailbox = try before.createMailbox(agent)
    #expect(try before.post(before.forward("kept", to: mailbox)).status == 200)
    first.stop()

    let second = try AgencyServer(dataFolder: folder.path)
    #expect(second.identity == first.identity)
    let after = Client(second, keys: before.keys)
    #expect(try after.provision() == agent)
    #expect(try after.texts(after.messages(agent)[0].messages, mailbox) == ["kept"])
    #expect(try after.post(after.forward("more", to: mailbox)).status == 200)
    #expect(try after.texts(after.messages(agent)[0].messages, mailbox) == ["kept", "more"])
  }

  @Test func secretKeysAreNotInTheDatabaseAndNeedTheMasterKey() throws {
    let folder = try TemporaryFolder()
    let server = try AgencyServer(dataFolder: folder.path)
    _ = try Client(server).provision()
    server.stop()
    let keyFile = folder.path + "/master.key"
    let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try FileManager.default.removeItem(atPath: keyFile)
    #expect(throws: AgencyServerError.self) { try AgencyServer(dataFolder: folder.path) }
  }

  @Test func aFolderThatIsNoAgencysIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data("no database, but long enough to be looked at closely".utf8)
      .write(to: folder.url.appending(path: "agency.db"))
    #expect(throws: AgencyServerError.self) { try AgencyServer(dataFolder: folder.path) }
    #expect(throws: AgencyServerError.self) { try AgencyServer(dataFolder: "/proc/nowhere") }
  }

  @Test func clientsAtTheSameTimeGetTheirOwnAnswers() throws {
    let folder = try TemporaryFolder()
    let server = try AgencyServer(dataFolder: folder.path)
    let failures = Locked<[String]>([])
    let finished = DispatchSemaphore(value: 0)
    for number in 0..<12 {
      Threads.shared.post {
        do {
          let client = Client(server)
          let agent = try client.provision()
          let mailbox = try client.createMailbox(agent)
          let expected = (0..<10).map { "\(number)/\($0)" }
          for text in expected { _ = try client.post(client.forward(text, to: mailbox)) }
          let texts = try client.texts(client.messages(agent).flatMap(\.messages), mailbox)
          if texts != expected { failures.withLock { $0.append("\(number): \(texts)") } }
        } catch {
          failures.withLock { $0.append("\(number): \(error)") }
        }
        finished.signal()
      }
    }
    for _ in 0..<12 { finished.wait() }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func oneOwnerProvisioningManyTimesAtOnceGetsOneAgent() throws {
    let folder = try TemporaryFolder()
    let server = try AgencyServer(dataFolder: folder.path)
    let client = Client(server)
    let agents = Locked<[Party]>([])
    let finished = DispatchSemaphore(value: 0)
    for _ in 0..<8 {
      Threads.shared.post {
        if let agent = try? client.provision() { agents.withLock { $0.append(agent) } }
        finished.signal()
      }
    }
    for _ in 0..<8 { finished.wait() }
    let all = agents.withLock { $0 }
    #expect(all.count == 8)
    #expect(Set(all.map(\.did)).count == 1)
  }
}
