import AgencyWire
import DIDComm
import Foundation
import HTTP
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// An agency that shows how many clients wait, with Alice's account and a mailbox.
struct WaitingScene {
  let folder: TemporaryFolder
  let server: AgencyServer
  let alice: WaitingClient

  init(_ kind: StoreKind = .sqlite, _ limits: Waiters.Limits = Waiters.Limits()) throws {
    folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.showsMetrics = true
    rules.waiting = limits
    let database = kind == .postgreSQL ? try PostgreSQLServer.newDatabase() : nil
    server = try AgencyServer(dataFolder: folder.path, database: database, rules: rules)
    alice = try WaitingClient(Client(server), of: [folder, server])
  }
}

/// A client that waits for messages.
struct WaitingClient: Sendable {
  let client: Client
  let agent: Party
  let mailbox: Client.Mailbox
  /// Keeps the agency of a test running.
  private let agency: [any Sendable]

  init(_ client: Client, of agency: [any Sendable] = []) throws {
    self.client = client
    self.agency = agency
    agent = try client.provision()
    mailbox = try client.createMailbox(agent)
  }

  private init(_ client: Client, _ agent: Party, _ mailbox: Client.Mailbox) {
    (self.client, self.agent, self.mailbox, agency) = (client, agent, mailbox, [])
  }

  /// The same client at another agency with the same accounts.
  func at(_ agency: AgencyProcess) -> WaitingClient {
    WaitingClient(Client(endpoint: agency.endpoint, agency: agency.identity, keys: client.keys), agent, mailbox)
  }

  static func filter(_ wait: Int, after: String? = nil) -> WireMessageFilter {
    var filter = WireMessageFilter(statusCodes: ["MS-103"], wait: wait)
    filter.after = after
    return filter
  }

  func ask(_ wait: Int, after: String? = nil, dids: [String] = []) throws -> MessagesByConnections {
    let filter = Self.filter(wait, after: after)
    return try client.ask(GetMessagesByConnections(pairwiseDIDs: dids, filter: filter), of: agent)
  }

  /// The text for the next request, after all messages of now.
  func place(dids: [String] = []) throws -> String { try ask(0, dids: dids).end.next() }

  func deliver(_ text: String, to mailbox: Client.Mailbox? = nil) throws {
    let response = try client.post(client.forward(text, to: mailbox ?? self.mailbox))
    guard response.status == 200 else { throw Client.Unexpected(status: response.status, body: response.body) }
  }

  func texts(_ answer: MessagesByConnections) throws -> [String] {
    try client.texts(answer.connections.flatMap(\.messages), mailbox)
  }

  /// Returns when the agency's clients have taken so many places.
  func untilWaiting(_ count: Int) throws {
    let line = "\nmsdk_agency_waiting_clients \(count)\n"
    var text = ""
    for _ in 0..<6000 where !text.contains(line) {
      usleep(10_000)
      text = String(decoding: try client.http.get(client.endpoint + "/metrics").body, as: UTF8.self)
    }
    guard text.contains(line) else { throw NotWaiting() }
  }

  struct NotWaiting: Error {}
}

extension AnswerEnd {
  struct Closed: Error {}

  /// The text for the next request of a client that waits.
  func next() throws -> String {
    guard case .open(let next, _) = self else { throw Closed() }
    return next
  }

  /// The seconds that the agency waits for such a request; nil if it does not know the member.
  var wait: Int? {
    guard case .open(_, let wait) = self else { return nil }
    return wait
  }
}

/// A result that another thread makes.
final class Pending<Value: Sendable>: Sendable {
  private let result = Monitor<Result<Value, any Error>?>(nil)

  init(_ make: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [result] in
      let made = Result { try make() }
      result.withLock { $0 = made }
    }
  }

  struct Late: Error {}

  var value: Value {
    get throws {
      guard let made = result.wait(milliseconds: 60_000, for: { $0 }) else { throw Late() }
      return try made.get()
    }
  }
}
