import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import HTTP
import Threading

/// Measures the capacity of an agency, with real envelopes over HTTP. `Options.usage` shows the command line.
struct Measurement {
  let options: Options
  let load: Load
  let peer: String
  let http = HTTPClient()

  init(_ options: Options) throws {
    self.options = options
    load = Load(threads: try options.number("--threads", default: 16))
    peer = options["--peer"] ?? "msdk-agency"
  }

  func run() throws {
    if let endpoint = options["--mediator"] {
      let service = Service(
        recipientKeys: [try options.verkey("--recipient")], routingKeys: [try options.verkey("--routing-key")],
        endpoint: endpoint)
      try forward(to: [service], of: Usage(process: Int32(options.number("--process", default: 1))))
    } else {
      try driveAgency()
    }
  }

  private func driveAgency() throws {
    let (folder, database) = (try options.text("--data"), options["--database"])
    let accounts = try fill(folder, database)
    let agency = try AgencyProcess(program: options.text("--agency"), dataFolder: folder, database: database)
    defer { agency.end() }
    let clients = accounts.map { account in
      LoadClient(endpoint: agency.endpoint, agency: agency.identity, http: http, account: account)
    }
    report("agency.memory.started", agency.usage.residentMemory, "MiB")
    let newcomers = 200
    let seconds = try load.run(count: newcomers) { [http, endpoint = agency.endpoint, identity = agency.identity] _ in
      _ = try LoadClient(endpoint: endpoint, agency: identity, http: http)
    }
    report("agency.accounts_made", Double(newcomers) / seconds, "op/s", newcomers)
    try forward(to: clients.map(\.service), of: agency.usage)
    try download(clients)
    report("agency.memory.loaded", agency.usage.residentMemory, "MiB")
    try wait(clients, at: agency)
  }

  /// Returns some of the accounts, enough of them that no mailbox gets full.
  private func fill(_ folder: String, _ database: String?) throws -> [Filling.AccountSummary] {
    let filling = try Filling(dataFolder: folder, database: database, load: Load(threads: 32))
    let (accounts, targets) = try filling.makeAccounts(options.number("--accounts", default: 1000), keeping: 1000)
    try filling.queueMessages(options.number("--messages", default: 10000), of: text(0), for: targets)
    return accounts
  }

  private func text(_ number: Int) throws -> [UInt8] {
    let text = "message \(number) "
    return Array(text.utf8)
      + [UInt8](repeating: UInt8(ascii: "x"), count: try options.number("--payload", default: 1000))
  }

  /// The envelopes are packed before the clock runs: the figure is the receiver's, not this program's.
  private func forward(to services: [Service], of usage: Usage) throws {
    let count = try options.number("--forwards", default: 5000)
    let bodies = Locked([[UInt8]](repeating: [], count: count))
    let texts = try (0..<count).map(text)
    _ = try load.run(count: count) { number in
      let body = try services[number % services.count].pack(texts[number], from: nil)
      bodies.withLock { $0[number] = body }
    }
    let packed = bodies.withLock { $0 }
    let processorSeconds = usage.processorSeconds
    let seconds = try load.run(count: count) { [http] number in
      let endpoint = services[number % services.count].endpoint
      let response = try http.post(packed[number], to: endpoint, contentType: "application/ssi-agent-wire")
      guard response.isSuccess else { throw LoadClient.Failure(status: response.status) }
    }
    report("agency.forward", Double(count) / seconds, "op/s", count)
    report("agency.forward.cpu", (usage.processorSeconds - processorSeconds) / Double(count) * 1000, "ms/op", count)
  }

  /// Each client fetches until nothing is unread: the figure has the client's own work in it.
  private func download(_ clients: [LoadClient]) throws {
    let fetched = Locked(0)
    let seconds = try load.run(count: clients.count) { number in
      var count = try clients[number].fetch()
      while count > 0 {
        let batch = count
        fetched.withLock { $0 += batch }
        count = try clients[number].fetch()
      }
    }
    let count = fetched.withLock { $0 }
    report("agency.download", Double(count) / seconds, "messages/s", count)
  }

  /// The memory for each client that waits for messages, and the time of a request beside them.
  private func wait(_ clients: [LoadClient], at agency: AgencyProcess) throws {
    let count = try options.number("--waiting", default: 1000)
    let port = UInt16(agency.endpoint.split(separator: ":").last ?? "") ?? 0
    let before = agency.usage.residentMemory
    let waiting = WaitingClients()
    for number in 1...count {
      try waiting.add(clients[number % clients.count].waitingRequest(), port: port)
      // A client that does not wait yet counts as one of the agency's other connections.
      guard number % 200 == 0 || number == count else { continue }
      while try !metrics(of: agency).contains("\nmsdk_agency_waiting_clients \(number)\n") { usleep(10_000) }
    }
    report("agency.memory.waiting", (agency.usage.residentMemory - before) / Double(count) * 1024, "KiB/client", count)
    let start = agency.usage.processorSeconds
    sleep(10)
    report("agency.waiting.cpu", (agency.usage.processorSeconds - start) * 6000, "ms/min", count)
    let seconds = try load.run(count: 1000) { [http, endpoint = agency.endpoint] _ in
      _ = try http.get(endpoint + "/agency")
    }
    report("agency.waiting.requests", 1000 / seconds, "op/s", 1000)
    withExtendedLifetime(waiting) {}
  }

  private func metrics(of agency: AgencyProcess) throws -> String {
    String(decoding: try http.get(agency.endpoint + "/metrics").body, as: UTF8.self)
  }

  private func report(_ metric: String, _ value: Double, _ unit: String, _ count: Int? = nil) {
    Figure(metric: metric, peer: peer, value: value, unit: unit, count: count).print()
  }
}

do {
  try Measurement(Options(CommandLine.arguments.dropFirst())).run()
} catch let wrong as Options.Wrong {
  FileHandle.standardError.write(Data("agency-load: \(wrong.text)\n\n\(Options.usage)\n".utf8))
  exit(2)
} catch {
  FileHandle.standardError.write(Data("agency-load: \(error)\n".utf8))
  exit(1)
}
