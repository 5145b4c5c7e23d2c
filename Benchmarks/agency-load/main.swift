import AgencyWire
import DIDComm
import Glibc
import HTTP
import Sodium
import Threading

/// Drives an agency with real envelopes over HTTP and prints how much it takes:
/// `agency-load ENDPOINT DID VERKEY [ACCOUNTS [MESSAGES [THREADS]]]`.
///
/// Forwards are packed before the clock runs, so that the figures are the agency's and not this program's. Fetching and
/// provisioning include the client's side.
let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst(3).map { Int($0) ?? 0 }
guard arguments.count >= 3, numbers.allSatisfy({ $0 > 0 }), let verkey = try? VerKey(Array(arguments)[2]) else {
  print("usage: agency-load ENDPOINT DID VERKEY [ACCOUNTS [MESSAGES [THREADS]]]")
  exit(2)
}
let endpoint = Array(arguments)[0]
let agency = Party(did: Array(arguments)[1], verkey: verkey)
let load = Load(threads: numbers.count > 2 ? numbers[2] : 16)
let accounts = numbers.first ?? 200
let messages = numbers.count > 1 ? numbers[1] : 5000

let http = HTTPClient()
let clients = Locked<[LoadClient]>([])
load.run("accounts made", count: accounts) { _ in
  let client = try LoadClient(endpoint: endpoint, agency: agency, http: http)
  clients.withLock { $0.append(client) }
}
let all = clients.withLock { $0 }
let bodies = Locked([[UInt8]](repeating: [], count: messages))
load.run("forwards packed", count: messages) { number in
  let body = try all[number % all.count].forward("message \(number) " + String(repeating: "x", count: 500))
  bodies.withLock { $0[number] = body }
}
let packed = bodies.withLock { $0 }
load.run("forwards accepted", count: messages) { number in _ = try all[0].post(packed[number]) }
let fetched = Locked(0)
load.run("mailboxes fetched and marked", count: accounts) { number in
  var count = try all[number].fetch()
  while count > 0 {
    fetched.withLock { $0 += count }
    count = try all[number].fetch()
  }
}
print("messages fetched: \(fetched.withLock { $0 }) of \(messages)")
