import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// The real program, killed in the middle of its work, again and again. Every message that it answered with 200 is
/// there afterwards.
///
/// `MSDK_TEST_KILLS` says how often; `make soak` sets it.
@Suite struct KillTests {
  static let kills = ProcessInfo.processInfo.environment["MSDK_TEST_KILLS"].flatMap { Int($0) }

  @Test(arguments: StoreKind.allCases)
  func acceptedMessagesAndTheirMarksAreKept(kind: StoreKind) throws {
    let ordeal = try Ordeal(kind)
    for seed in 0..<(Self.kills ?? 5) { try ordeal.work(untilKilledAfter: seed) }
    let outcome = try ordeal.end()
    #expect(outcome.lost == [])
    #expect(outcome.doubled == [])
    #expect(outcome.unmarked == [])
    #expect(outcome.accepted >= (Self.kills ?? 5))
  }

  /// A notification that a killed agency had begun is due again when its lease ends, after half a minute: too long for
  /// every day.
  @Test(.enabled(if: kills != nil, "needs MSDK_TEST_KILLS"), arguments: StoreKind.allCases)
  func everyMessageIsAnnounced(kind: StoreKind) throws {
    let ordeal = try Ordeal(kind, announces: true)
    for seed in 0..<(Self.kills ?? 0) { try ordeal.work(untilKilledAfter: seed) }
    let outcome = try ordeal.end()
    #expect(outcome.lost == [])
    #expect(outcome.unannounced == [])
  }
}

/// An agency that is killed, its senders, the owner who reads, and a program that is notified of messages. They write
/// down their answers.
private final class Ordeal: Sendable {
  private let folder: TemporaryFolder
  private let options: [String]
  private let keys = KeyPair()
  private let pairwise = KeyPair()
  private let kind: StoreKind
  private let listener: HTTPServer?
  private let announced = Monitor<Set<String>>([])
  private let notes = Locked(Notes())

  private struct Notes {
    var accepted: Set<String> = []
    /// Texts by the ids of their messages, each as often as it was fetched.
    var fetched: [String: String] = [:]
    /// Ids of messages that were marked as read, and of those among them that came as unread again.
    var marked: Set<String> = []
    var unmarked: Set<String> = []
    var kills = 0
  }

  struct Outcome {
    let accepted: Int
    /// Texts whose delivery was answered with 200 and that never came, and texts that came under two ids.
    let lost: Set<String>
    let doubled: Set<String>
    let unmarked: Set<String>
    let unannounced: Set<String>
  }

  init(_ kind: StoreKind, announces: Bool = false) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    let config = folder.path + "/agency.json"
    try Data(#"{"private_webhooks": true, "limits": {"mailbox_messages": 100000}}"#.utf8)
      .write(to: URL(filePath: config))
    options = ["--config", config] + (kind == .sqlite ? [] : ["--database", try PostgreSQLServer.newDatabase()])
    listener =
      !announces
      ? nil
      : try HTTPServer { [announced] request in
        let uid = (try? JSON(parsing: request.body))?["msgUid"]?.string
        announced.withLock { announced in if let uid { announced.insert(uid) } }
        return HTTPServer.Response()
      }
    let (process, client) = try start()
    let agent = try client.provision()
    if let listener {
      let method = WireComMethod(id: "hook", kind: .webhook, value: listener.endpoint)
      let _: ComMethodUpdated = try client.ask(UpdateComMethod(method: method), of: agent)
    }
    process.kill()
  }

  private func start() throws -> (AgencyProcess, Client) {
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: options)
    return (process, Client(endpoint: process.endpoint, agency: process.identity, keys: keys))
  }

  /// Starts the agency, lets four senders and the owner at it, and kills it at a time that the seed chooses.
  func work(untilKilledAfter seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let (process, client) = try start()
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent, keys: pairwise)
    let enough = notes.withLock { $0.accepted.count } + Int.random(in: 1...80, using: &random)
    let running = Monitor(5)
    for sender in 0..<4 {
      Threads.shared.post { [self] in
        for number in 0... {
          let text = "\(seed)/\(sender)/\(number)"
          guard let status = try? client.post(client.forward(text, to: mailbox)).status else { break }
          if status == 200 { notes.withLock { _ = $0.accepted.insert(text) } }
        }
        running.withLock { $0 -= 1 }
      }
    }
    Threads.shared.post { [self] in
      while (try? read(client, agent, mailbox)) != nil {}
      running.withLock { $0 -= 1 }
    }
    while notes.withLock({ $0.accepted.count }) < enough { usleep(1000) }
    usleep(UInt32.random(in: 0...5000, using: &random))
    process.kill()
    running.wait { $0 == 0 ? () : nil }
    notes.withLock { $0.kills += 1 }
  }

  /// Fetches what is unread and marks it. Returns how much it was.
  private func read(_ client: Client, _ agent: Party, _ mailbox: Client.Mailbox) throws -> Int {
    let messages = try client.messages(agent, WireMessageFilter(statusCodes: ["MS-103"])).flatMap(\.messages)
    let texts = try client.texts(messages, mailbox)
    let uids = messages.map(\.uid)
    notes.withLock { notes in
      for (uid, text) in zip(uids, texts) { notes.fetched[uid] = text }
      notes.unmarked.formUnion(notes.marked.intersection(uids))
    }
    guard !uids.isEmpty else { return 0 }
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: uids)
    let updated: MessageStatusUpdated = try client.ask(
      UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    notes.withLock { $0.marked.formUnion(updated.updated.flatMap(\.uids)) }
    return uids.count
  }

  /// Starts the agency a last time, fetches what is left, waits for what is not announced yet, and compares.
  func end() throws -> Outcome {
    let (process, client) = try start()
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent, keys: pairwise)
    while try read(client, agent, mailbox) > 0 {}
    let (notes, announced) = (notes.withLock { $0 }, announced)
    if listener != nil {
      _ = announced.wait(milliseconds: 60_000) { $0.isSuperset(of: notes.fetched.keys) ? true : nil }
    }
    _ = process.end()
    let ids = Dictionary(grouping: notes.fetched.keys) { notes.fetched[$0] ?? "" }
    let outcome = Outcome(
      accepted: notes.accepted.count, lost: notes.accepted.subtracting(notes.fetched.values),
      doubled: Set(ids.filter { $0.value.count > 1 }.keys), unmarked: notes.unmarked,
      unannounced: listener == nil ? [] : Set(notes.fetched.keys).subtracting(announced.withLock { $0 }))
    if KillTests.kills != nil {
      print(
        "\(kind): \(notes.kills) kills, \(outcome.accepted) messages accepted, \(notes.marked.count) marked,",
        "\(announced.withLock { $0 }.count) announced; \(outcome.lost.count) lost, \(outcome.doubled.count) doubled")
    }
    return outcome
  }
}
