import Foundation
import HTTPServing
import Testing

@testable import HTTP

/// Which addresses a URL that a stranger has chosen may lead to.
@Suite struct ReachTests {
  @Test(arguments: ["http://127.0.0.1", "http://localhost", "http://127.1", "http://2130706433", "http://0"])
  func loopbackIsNotReached(host: String) throws {
    let server = try HTTPServer { _ in HTTPServer.Response() }
    let url = "\(host):\(server.port)/"
    #expect(throws: HTTPError.notPublic) { try HTTPClient(timeout: 5, reach: .publicAddresses).get(url) }
    #expect(try HTTPClient().get("http://127.0.0.1:\(server.port)/").status == 200)
  }

  /// A proxy would connect to any address for the client. In a process of its own, whose environment is no other test's.
  @Test func theProxyOfTheEnvironmentIsNotUsed() async {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://127.0.0.1:9", 1)
      let unresolvable = "http://\(String(repeating: "a", count: 64)).example/"
      let client = HTTPClient(timeout: 5, reach: .publicAddresses)
      let error = #expect(throws: HTTPError.self) { try client.get(unresolvable) }
      #expect(error != .notPublic, "that would be the proxy's address")
    }
  }

  @Test(
    arguments: [
      0x0000_0001, 0x0a01_0203, 0x6440_0001, 0x647f_ffff, 0x7f00_0001, 0xa9fe_a9fe, 0xac10_0001, 0xac1f_ffff,
      0xc0a8_0001,
      0xc612_0001, 0xe000_0001, 0xffff_ffff,
    ] as [UInt32])
  func specialAddressesAreNotPublic(address: UInt32) {
    #expect(!isPublic(version4: address))
    let bytes = withUnsafeBytes(of: address.bigEndian) { Array($0) }
    #expect(!isPublic(version6: [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + bytes))
  }

  @Test(arguments: [0x0101_0101, 0x0808_0808, 0x6480_0001, 0xac20_0001, 0xc0a7_0001, 0xdfff_ffff] as [UInt32])
  func othersAre(address: UInt32) {
    #expect(isPublic(version4: address))
  }

  @Test(arguments: [
    ("::1", [UInt8](repeating: 0, count: 15) + [1]), ("::", [UInt8](repeating: 0, count: 16)),
    ("fe80::1", [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]),
    ("fd00::1", [0xfd] + [UInt8](repeating: 0, count: 14) + [1]),
    ("ff02::1", [0xff, 0x02] + [UInt8](repeating: 0, count: 13) + [1]),
    ("2001:db8::1", [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]),
    ("64:ff9b::7f00:1", [0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8) + [127, 0, 0, 1]),
  ])
  func specialAddressesOfVersionSixAreNotPublic(name: String, bytes: [UInt8]) {
    #expect(!isPublic(version6: bytes))
  }

  /// `::ffff:8.8.8.8` is the address of version 4 that it holds.
  @Test func aMappedAddressIsAsPublicAsTheOneInIt() {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    #expect(isPublic(version6: mapped + [8, 8, 8, 8]))
    #expect(!isPublic(version6: mapped + [10, 0, 0, 1]))
  }

  @Test func globalAddressesOfVersionSixAre() {
    #expect(isPublic(version6: [0x2a, 0x00, 0x14, 0x50] + [UInt8](repeating: 0, count: 12)))
  }
}
