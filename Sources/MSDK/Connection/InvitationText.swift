package import Aries
package import HTTP
internal import JSON

/// An invitation as a user hands it over: its JSON text, the URL of a QR code, a short link, or an inviter's public
/// DID. Blanks, quotes and ends of lines around it are ignored.
package struct InvitationText: Sendable {
  private let text: String

  package init(_ given: String) {
    text = String(given.drop(while: Self.isAround).reversed().drop(while: Self.isAround).reversed())
  }

  private static func isAround(_ character: Character) -> Bool { character.isWhitespace || "\"'<>".contains(character) }

  /// The invitation as JSON text, or the public DID. Blocks while it fetches the message behind a link, which must be in
  /// `reach`; `authorities` is the file of certificates to trust, nil for the system's. Throws `LinkError` for a text that
  /// is neither JSON nor a DID nor a usable link.
  package func resolved(reach: HTTPClient.Reach, trusting authorities: String?) throws(LinkError) -> String {
    if text.hasPrefix("{") || text.hasPrefix("[") || Connection.isDID(text) { return text }
    return try MessageLink(text).resolve(reach: reach, trusting: authorities)
  }
}

extension Connection {
  /// Begins the invitee's side of any invitation: JSON text of RFC 0160, RFC 0434 or Evernym's own protocol, or an
  /// inviter's public DID. Without a `sourceID`, the connection gets a random name: a name that the inviter chose would
  /// be found in place of the program's own.
  package init(sourceID: String?, accepting invitation: String) throws(InvitationError) {
    let json = try? JSON(parsing: invitation)
    let sourceID = sourceID ?? String.randomUUID()
    if Self.isDID(invitation) || json.map({ InvitationForm(of: $0) == .outOfBand }) ?? false {
      try self.init(sourceID: sourceID, outOfBandInvitation: invitation)
    } else {
      try self.init(sourceID: sourceID, connectionInvitation: invitation)
    }
  }

  /// Whether an invitation is the DID of an inviter.
  fileprivate static func isDID(_ text: String) -> Bool { text.hasPrefix("did:") || PublicDID(text) != nil }
}
