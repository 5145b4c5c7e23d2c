import JSON
import Sodium

@testable import AgencyServer
@testable import HTTPServing
@testable import MSDK

extension FuzzTarget {
  /// URLs and what they carry, and notifications.
  static let links = FuzzTarget("links") { input in
    let text = String(decoding: input, as: UTF8.self)
    _ = try? MessageLink(text)
    _ = PublicEndpoint(text)
    // Only what needs no network: an address on which nobody listens.
    _ = try? MessageLink("http://127.0.0.1:1/?\(text.filter { $0 != "#" })&c_i=eyJhIjoxfQ").resolve()
    if let message = (try? JSON(parsing: input))?.object, !message.isEmpty {
      let carried = try? MessageLink("http://127.0.0.1:1/?c_i=" + Base64.encode(input, .url)).resolve()
      try expect(carried.map { Array($0.utf8) } == input, "a message in a link comes out otherwise")
    }
    _ = InvitationLink([(name: "oob", value: text)])
    _ = InvitationLink([(name: "oob", value: Base64.encode(input, .url))])
    _ = try? PushNotification(parsing: text).call
  }
}
