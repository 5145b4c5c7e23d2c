import Testing

@testable import WebVH

/// The places on the web that DIDs name.
@Suite struct LocationTests {
  private static let scid = "QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6"

  /// The first four are the examples of the specification, "The DID to HTTPS Transformation".
  @Test(arguments: [
    ("example.com", "https://example.com/.well-known/did.jsonl"),
    ("issuer.example.com", "https://issuer.example.com/.well-known/did.jsonl"),
    ("example.com:dids:issuer", "https://example.com/dids/issuer/did.jsonl"),
    ("example.com%3A3000:dids:issuer", "https://example.com:3000/dids/issuer/did.jsonl"),
    (
      "xn--jp-cd2fp15c.xn--fsq.jp:%E7%94%A8%E6%88%B7", "https://xn--jp-cd2fp15c.xn--fsq.jp/%E7%94%A8%E6%88%B7/did.jsonl"
    ),
    ("Example.COM%3a8443", "https://example.com:8443/.well-known/did.jsonl"),
    ("localhost%3A8080:a", "http://localhost:8080/a/did.jsonl"),
    ("a.localhost", "http://a.localhost/.well-known/did.jsonl"),
  ])
  func aDIDNamesTheURLOfItsLog(place: String, url: String) {
    let did = WebVHDID("did:webvh:\(Self.scid):\(place)")
    #expect(did?.logURL == url)
    #expect(did?.witnessURL == url.replacing("did.jsonl", with: "did-witness.json"))
    #expect(WebDID("did:web:\(place)")?.documentURL == url.replacing("did.jsonl", with: "did.json"))
  }

  @Test(arguments: [
    "", "example", "127.0.0.1", "127%2E0%2E0%2E1", "1.2.3.4%3a80", "[::1]", "example.com%3A0", "example.com%3A65536",
    "example.com%3A080", "example.com%3A", "example.com%3Ax", "example.com%3A+1", "example.com%40evil.com",
    "user@example.com", "example.com:..:x", "example.com:.", "example.com:%2e%2e:x", "example.com:%2E%2E",
    "example.com:a%2Fb", "example.com:a%5cb", "example.com:a%00", "example.com:a%", "example.com:a%2",
    "example.com:a%+1", "example.com::a", "example.com:", "example.com:a/b", "example.com:a#b", "example.com#x",
    "example.com?x", "example.com:a b", "example..com", "-a.com", "a-.com", "exämple.com", "example.com:ü", "a.1",
    "\u{212A}ing.localhost", "\u{212A}.example.com",
  ])
  func otherPlacesAreRefused(place: String) {
    #expect(WebVHDID("did:webvh:\(Self.scid):\(place)") == nil)
    #expect(WebDID("did:web:\(place)") == nil)
  }

  @Test(arguments: [
    "did:webvh:QmRRaLXw:example.com", "did:webvh:\(scid)", "did:webvh::example.com", "did:web:\(scid):example.com",
    "did:webvh:\(scid.dropLast())0:example.com", "DID:webvh:\(scid):example.com",
    "did:webvh:{SCID}:example.com", "did:webvh:\(scid):\(String(repeating: "a.", count: 512))com",
  ])
  func otherDIDsAreRefused(did: String) { #expect(WebVHDID(did) == nil) }

  @Test func aResourceLiesBelowItsDID() {
    let digest = "z\(Self.scid)"
    let did = "did:webvh:\(Self.scid):example.com%3A3000:a"
    let id = ResourceID("\(did)/resources/\(digest)")
    #expect(id?.did.text == did && id?.digest == digest)
    #expect(id?.url(in: [:], of: [did]) == "https://example.com:3000/a/resources/\(digest)")
    #expect(
      ResourceID("did:webvh:\(Self.scid):example.com/\(digest)")?.url(in: [:], of: [])
        == "https://example.com/\(digest)")
    for path in ["", "/", "/x", "//\(digest)", "/../\(digest)", "/a/%2e/\(digest)", "/\(digest)?x", "/\(digest)#x"] {
      #expect(ResourceID(did + path) == nil)
    }
  }

  @Test func theDocumentMayNameAnotherFolder() {
    let did = "did:webvh:\(Self.scid):example.com"
    let id = ResourceID("\(did)/r/z\(Self.scid)")
    for name in ["#files", "\(did)#files"] {
      for (endpoint, url) in [
        ("https://cdn.example.com/x/", "https://cdn.example.com/x/r/z\(Self.scid)"),
        ("https://cdn.example.com/x", "https://cdn.example.com/x/r/z\(Self.scid)"),
        ("http://localhost:1/", "http://localhost:1/r/z\(Self.scid)"), ("http://cdn.example.com/", nil),
        ("ftp://cdn.example.com/", nil), ("https://a@cdn.example.com/", nil), ("https://cdn.example.com/?x", nil),
      ] as [(String, String?)] {
        let service: [String: String] = ["id": name, "serviceEndpoint": endpoint]
        #expect(
          id?.url(in: ["service": [.object(.init(service.map { ($0.key, .string($0.value)) }))]], of: [did]) == url)
      }
    }
    #expect(id?.url(in: ["service": [["id": "#files"]]], of: [did]) == nil)
  }
}
