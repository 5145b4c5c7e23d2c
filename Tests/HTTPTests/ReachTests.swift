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
      0xc612_0001, 0xe000_0001, 0xffff_ffff, 0x00ff_ffff, 0x0a00_0000, 0x0aff_ffff, 0x7fff_ffff, 0xa9fe_0000,
      0xa9fe_ffff, 0xc000_0000, 0xc000_00ff, 0xc000_0200, 0xc000_02ff, 0xc0a8_ffff, 0xc612_0000, 0xc613_ffff,
      0xc633_6400, 0xc633_64ff, 0xcb00_7100, 0xcb00_71ff, 0xc01f_c400, 0xc01f_c4ff, 0xc034_c100, 0xc034_c1ff,
      0xc058_6300, 0xc058_63ff, 0xc0af_3000, 0xc0af_30ff,
    ] as [UInt32])
  func specialAddressesAreNotPublic(address: UInt32) {
    #expect(!isPublic(version4: address))
    let bytes = withUnsafeBytes(of: address.bigEndian) { Array($0) }
    #expect(!isPublic(version6: [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + bytes))
  }

  @Test(
    arguments: [
      0x0101_0101, 0x0808_0808, 0x6480_0001, 0xac20_0001, 0xc0a7_0001, 0xdfff_ffff, 0x0100_0000, 0x09ff_ffff,
      0x0b00_0000, 0x643f_ffff, 0x7eff_ffff, 0x8000_0000, 0xa9fd_ffff, 0xa9ff_0000, 0xac0f_ffff, 0xc000_0100,
      0xc000_01ff, 0xc000_0300, 0xc0a9_0000, 0xc611_ffff, 0xc614_0000, 0xc633_63ff, 0xc633_6500, 0xcb00_70ff,
      0xcb00_7200, 0xc01f_c3ff, 0xc01f_c500, 0xc034_c0ff, 0xc034_c200, 0xc058_62ff, 0xc058_6400, 0xc0af_2fff,
      0xc0af_3100,
    ] as [UInt32])
  func othersAre(address: UInt32) {
    #expect(isPublic(version4: address))
  }

  @Test(
    arguments: [
      ("8.8.8.8", true), ("10.0.0.1", false), ("::ffff:8.8.8.8", true), ("::ffff:10.0.0.1", false), ("2a00::1", true),
      ("fd00::1", false), ("example.com", nil), ("localhost", nil), ("", nil), ("8.8.8", nil), ("[2a00::1]", nil),
    ] as [(String, Bool?)])
  func aNumericAddressIsPublicOrNot(text: String, isReachable: Bool?) { #expect(isPublic(text) == isReachable) }

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

  /// The first and the last address of each block of the registry that lies within the global unicast addresses, and the
  /// neighbours of these blocks.
  @Test(
    arguments: [
      ("2001::", false), ("2001:0:53aa:64c::1", false), ("2001:1::1", false), ("2001:2::1", false),
      ("2001:3::1", false), ("2001:4:112::1", false), ("2001:10::1", false), ("2001:20::1", false),
      ("2001:2f:ffff::", false), ("2001:30::1", false), ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", false),
      ("2001:200::", true), ("2000:ffff::", true), ("2001:db7:ffff::", true), ("2001:db8::", false),
      ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", false), ("2001:db9::", true), ("2002::", false),
      ("2002:7f00:1::", false), ("2002:808:808::1", false), ("2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
      ("2003::", true), ("2001:ffff::", true), ("2620:4f:7fff:ffff::", true), ("2620:4f:8000::", false),
      ("2620:4f:8000:ffff:ffff:ffff:ffff:ffff", false), ("2620:4f:8001::", true), ("3ffe:ffff::", true),
      ("3fff::", false), ("3fff:fff:ffff::", false), ("3fff:1000::", true), ("3fff:ffff::", true), ("4000::", false),
      ("5f00::1", false), ("1fff:ffff::", false), ("100::1", false), ("100:0:0:1::1", false),
      ("64:ff9b:1::808:808", false),
      ("64:ff9b::808:808", true), ("fec0::1", false),
    ] as [(String, Bool)])
  func blocksOfVersionSixAreSpecialUpToTheirLastAddress(text: String, isReachable: Bool) {
    #expect(isPublic(text) == isReachable)
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
