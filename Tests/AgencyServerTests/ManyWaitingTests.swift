import AgencyWire
import DIDComm
import Foundation
import HTTP
import JSON
import TestSupport
import Testing

/// Many clients that wait at the real program. `MSDK_TEST_WAITING` is their number.
@Suite struct ManyWaitingTests {
  private let count = ProcessInfo.processInfo.environment["MSDK_TEST_WAITING"].flatMap { Int($0) } ?? 400

  /// The bytes of the agency's memory for each waiting client: libmicrohttpd's buffer, of which the request uses a part, and
  /// the state of the wait.
  private static let bytesPerClient = 32 << 10

  @Test(.withoutSanitizer) func manyClientsWaitInLittleMemoryAndHinderNobody() throws {
    let folder = try TemporaryFolder()
    let settings = folder.path + "/agency.json"
    let json: JSON = ["metrics": true, "limits": ["waiting_per_account": 20_000, "wait_s": 600]]
    try Data(json.bytes).write(to: URL(filePath: settings))
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: ["--config", settings])
    let alice = try WaitingClient(Client(endpoint: process.endpoint, agency: process.identity))
    let request = try alice.rawRequest(600)
    let before = try process.memory("VmRSS")
    var connections: [RawConnection] = []
    while connections.count < count {
      // A client that does not wait yet counts as one of `connections`.
      for _ in 0..<min(200, count - connections.count) {
        let connection = try RawConnection(port: alice.client.port)
        connection.send(request)
        connections.append(connection)
      }
      try alice.untilWaiting(connections.count)
    }
    let each = (try process.memory("VmRSS") - before) / count
    #expect(each < Self.bytesPerClient, "\(each) bytes for each client")
    #expect(try process.threads() < 100)
    try alice.deliver("hello")
    for connection in connections {
      let answer = connection.read(seconds: 60)
      #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
    }
    try alice.untilWaiting(0)
    #expect(process.end() == 0)
  }
}
