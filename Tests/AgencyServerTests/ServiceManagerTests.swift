import AgencyWire
import Foundation
import HTTP
import JSON
import Sodium
import TestSupport
import Testing

/// The program under a service manager such as systemd, and the signals that end it.
@Suite struct ServiceManagerTests {
  /// The socket of the service manager.
  private final class ManagerSocket {
    private let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    /// A path, or after `@` a name in Linux' abstract namespace.
    init(_ name: String) throws {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let start = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
      let bytes = Array(name.utf8).map { $0 == UInt8(ascii: "@") ? 0 : $0 }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, socklen_t(start + bytes.count)) }
      }
      try #require(status == 0)
      var timeout = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    func next() -> String? {
      var buffer = [UInt8](repeating: 0, count: 100)
      let count = recv(file, &buffer, buffer.count, 0)
      return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
  }

  @Test(arguments: [false, true]) func theManagerLearnsOfTheStartAndTheEnd(isAbstract: Bool) throws {
    let folder = try TemporaryFolder()
    let name = isAbstract ? "@msdk-\(String.randomUUID())" : folder.path + "/notify"
    let manager = try ManagerSocket(name)
    let process = try AgencyProcess(dataFolder: folder.path + "/data", environment: ["NOTIFY_SOCKET": name])
    #expect(manager.next() == "READY=1")
    #expect(process.end() == 0)
    #expect(manager.next() == "STOPPING=1")
  }

  /// Without its socket, or with a malformed name of one, the program serves all the same.
  @Test(arguments: ["", "relative", "/nowhere/notify", "/" + String(repeating: "x", count: 200)])
  func aManagerThatIsNotThereStopsNothing(name: String) throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path, environment: ["NOTIFY_SOCKET": name])
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsItCleanly(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path)
    #expect(process.end(by: signal) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["agency.db", "master.key"])
  }
}

extension ProgramTests {
  @Test func theOptionGivesTheAddress() throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path, options: ["--address", "127.0.0.2"])
    #expect(process.endpoint.hasPrefix("http://127.0.0.2:"))
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

  @Test(arguments: [("token", 403), ("both", 200), ("open", 200)]) func theOptionGivesTheConditionForAnAccount(
    mode: String, status: Int
  ) throws {
    let folder = try TemporaryFolder()
    let config = folder.url.appending(path: "agency.json")
    try Data(#"{"provisioning": "\#(mode == "token" ? "open" : "token")"}"#.utf8).write(to: config)
    let options = ["--config", config.path(percentEncoded: false), "--provisioning", mode]
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: options)
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
    #expect(try client.send(connect, to: client.agency).status == status)
    #expect(process.end() == 0)
  }

  /// The settings may be read from any working directory.
  @Test func filesOfTheSettingsLieBesideThem() throws {
    let folder = try TemporaryFolder()
    try Data(Google().accountFile.bytes).write(to: folder.url.appending(path: "account.json"))
    #expect(chmod(folder.path + "/account.json", 0o600) == 0)
    let settings: JSON = ["data": "x", "push": ["service_account": "account.json"]]
    try Data(settings.bytes).write(to: folder.url.appending(path: "agency.json"))
    let result = try run(["check-settings", "--config", folder.path + "/agency.json"])
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  @Test func theDatabaseOfAnOptionReplacesTheDatabaseOfTheSettings() throws {
    let folder = try TemporaryFolder()
    let config = folder.url.appending(path: "agency.json")
    try Data("{}".utf8).write(to: config)
    let options = ["--config", config.path(percentEncoded: false), "--database", "postgresql://127.0.0.1:1/x"]
    #expect(throws: AgencyProcess.NotStarted.self) { try AgencyProcess(dataFolder: folder.path, options: options) }
  }
}
