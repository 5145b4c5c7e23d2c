import JSON
import MSDK
import Sodium
import Testing

@Suite struct MessageLinkTests {
  /// A text whose base64 holds `+` and `/` in the standard alphabet.
  static let message = #"{"@id":"1","label":"ü>?~~~ÿÿ"}"#
  static let bytes = Array(message.utf8)

  @Test(arguments: ["c_i", "d_m", "m", "oob", "o_i"]) func everyParameterIsRead(name: String) throws {
    let value = Base64.encode(Self.bytes, .url)
    #expect(try MessageLink("https://a.example/x?y=1&\(name)=\(value)#top").resolve() == Self.message)
  }

  @Test(arguments: [
    Base64.encode(bytes, .standard), Base64.encode(bytes, .standard, padded: false), Base64.encode(bytes, .url),
    Base64.encode(bytes, .url, padded: false), Base64.encode(bytes, .standard).replacing("=", with: "%3D"),
    Base64.encode(bytes, .standard).replacing("+", with: "%2b").replacing("/", with: "%2F"),
    Base64.encode(bytes, .standard).replacing("+", with: " ").replacing(" ", with: "%20"),
  ])
  func everyFormOfBase64IsRead(value: String) throws {
    #expect(try MessageLink("didcomm://invite?oob=\(value)").resolve() == Self.message)
  }

  @Test func theFirstParameterInOrderCounts() throws {
    let other = Base64.encode(Array(#"{"other":1}"#.utf8), .url)
    let value = Base64.encode(Self.bytes, .url)
    #expect(try MessageLink("http://a.example?oob=\(other)&c_i=\(value)").resolve() == Self.message)
  }

  @Test(arguments: ["", "hello", "a.example?c_i=e30", "http:", "http://", "://x", "1http://x", "http://a b"])
  func whatIsNoAbsoluteURLIsRefused(url: String) {
    #expect(throws: LinkError.notAURL) { try MessageLink(url) }
  }

  @Test(arguments: [
    "didcomm://invite", "didcomm://invite?oob=!", "didcomm://invite?c_i=aGVsbG8", "didcomm://i?c_i=%zz",
  ])
  func aLinkWithoutAMessageIsNotFetchedUnlessItIsOfTheWeb(url: String) {
    #expect(throws: LinkError.noMessage) { try MessageLink(url).resolve() }
  }

  @Test func aServerThatIsNotThereIsNamedAsSuch() {
    do {
      _ = try MessageLink("http://127.0.0.1:1/short").resolve()
      Issue.record("resolved")
    } catch {
      guard case .unreachable = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
