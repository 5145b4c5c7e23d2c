import HTTPServing
import Testing

@Suite struct ClientNetworkTests {
  @Test(arguments: [
    ("1.2.3.4", "1.2.3.4"), ("::ffff:1.2.3.4", "1.2.3.4"), ("2001:db8::1", "2001:db8:0:0::/64"),
    ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"), ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
    ("unknown", "unknown"), ("", ""),
  ])
  func addressesOfOneClientAreOne(address: String, network: String) {
    #expect(clientNetwork(of: address) == network)
  }

  @Test(
    arguments: [
      ("1.2.3.4", "1.2.3.4"), ("::ffff:1.2.3.4", "1.2.3.4"), ("::FFFF:102:304", "1.2.3.4"),
      ("::ffff:0:1:2", "::ffff:0:1:2"), ("2001:DB8:0::1", "2001:db8::1"), ("x", nil), ("", nil),
    ] as [(String, String?)])
  func anAddressIsWrittenAsTheServerWritesIt(text: String, address: String?) {
    #expect(numericAddress(text) == address)
  }
}
