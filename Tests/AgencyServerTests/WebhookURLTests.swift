import AgencyWire
import Testing

@testable import AgencyServer

/// Where webhooks may lead, and what leads to the same place.
@Suite struct WebhookURLTests {
  @Test(arguments: [
    ("https://bank.example/notify?x=1", "https://bank.example:443"),
    ("HTTP://Bank.example:81", "http://bank.example:81"),
    ("https://bank.example", "https://bank.example:443"), ("https://bank.example?x", "https://bank.example:443"),
    ("https://bank.example#x@y", "https://bank.example:443"), ("https://bank.example:443/", "https://bank.example:443"),
    ("https://bank.example:00443/", "https://bank.example:443"),
    ("https://bank.example.:/", "https://bank.example:443"),
    ("http://127.0.0.1:8080/@x", "http://127.0.0.1:8080"), ("http://[::1]/", "http://[::1]:80"),
    ("http://[0:0::0001]:80/", "http://[::1]:80"), ("http://[2001:DB8::1]", "http://[2001:db8::1]:80"),
    ("http://localhost:1", "http://localhost:1"), ("http://a_b-1.example", "http://a_b-1.example:80"),
    ("https://xn--bnk-qla.example", "https://xn--bnk-qla.example:443"),
  ])
  func urlsOfOneHostHaveOneTarget(url: String, target: String) {
    #expect(WebhookURL(url)?.target == target)
    #expect(WebhookURL(url)?.namesUser == false)
  }

  @Test(arguments: [
    ("https://Bank.example./x", "bank.example"), ("http://bank.example:81", "bank.example"),
    ("http://[0:0::0001]:80/", "[::1]"), ("http://127.0.0.1:8080", "127.0.0.1"),
  ])
  func urlsOfOneMachineHaveOneHost(url: String, host: String) { #expect(WebhookURL(url)?.host == host) }

  /// Other spellings of one address.
  @Test(arguments: [
    "http://2130706433", "http://0x7f000001", "http://0177.0.0.1", "http://127.1", "http://127.0.0.01",
  ])
  func anAddressHasOneTargetHoweverItIsSpelt(url: String) {
    #expect(WebhookURL(url)?.target == "http://127.0.0.1:80")
    #expect(WebhookURL(url)?.isPrivate == true)
  }

  @Test(arguments: [
    "http://u@bank.example/", "http://u:p@bank.example", "http://@bank.example", "http://u1@bank.example",
  ])
  func aUserNameChangesNoTarget(url: String) {
    #expect(WebhookURL(url)?.target == "http://bank.example:80")
    #expect(WebhookURL(url)?.namesUser == true)
    // Not even if an older agency has stored it.
    let method = WireComMethod(id: "1", kind: .webhook, value: url)
    #expect(Agency.Rules().receiver(of: method, sponsorID: nil) == nil)
  }

  @Test(arguments: [
    "", "bank.example", "ftp://bank.example", "file:///etc/passwd", "http://", "http:///path", "http://:80",
    "http:/bank.example", "http:bank.example", "http://a@b@bank.example", "http://bank.example:x",
    "http://bank.example:0",
    "http://bank.example:65536", "http://bank.example:+80", "http://bank..example", "http://.", "http://bänk.example",
    "http://bank%2f.example", "http://bank.example\\@evil.example", "http://bank example/", "http://bank.example/\n",
    "http://[::1", "http://[::1]x", "http://[]", "http://[127.0.0.1:80", "http://[fe80::1%25eth0]",
    "http://1.2.3.256", "http://bank.example/a b", "http://bank.example/ä", "http://a!b.example", "http://a~b.example",
    "http://a*b.example",
    "http://a.0x1",
  ])
  func otherURLsAreRefused(url: String) { #expect(WebhookURL(url) == nil) }
}
