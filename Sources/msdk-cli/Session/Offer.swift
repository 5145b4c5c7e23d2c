internal import JSON
internal import MSDK
internal import ProgramArguments

/// An invitation that the user got, as a URL, as JSON or as a public DID.
///
/// The library reads it. So the shown inviter is the one that gets the request.
struct Offer {
  let text: String
  private let invited: Connection

  /// Throws for an invitation that the library cannot accept.
  init(_ given: String) throws {
    do {
      text = try Progress.showing("fetching the invitation") {
        try InvitationText(given).resolved(reach: Agent.standard.peerReach, trusting: Agent.standard.authorities)
      }
    } catch LinkError.notAURL {
      throw Failure("\"\(ContentRow.title(given))\" is no invitation: it is no URL, no JSON and no public DID.")
    }
    invited = try Connection(sourceID: nil, accepting: text)
  }

  private var inviter: InvitationSender? { invited.inviter }

  /// The inviter's name for itself, or the DID that names it. Nobody has checked the name.
  var label: String { inviter?.label ?? inviter?.publicDID ?? "peer" }

  /// The sender, for people.
  var lines: [String] {
    let isNamed = inviter?.label != nil
    return [
      "\"\(ContentRow.title(label))\" invites you\(isNamed ? " (nobody has checked this name)" : "").",
      inviter?.goal.map { "goal      \(ContentRow.title($0, longest: 400))" },
      inviter?.publicDID.map { "DID       \(Self.shown($0)), which leads to the endpoint and the key" } ?? endpoint,
      inviter?.key.map { "key       \($0)" },
    ].compactMap { $0 }
  }

  private var endpoint: String {
    "endpoint  \(inviter?.endpoint.map(Self.shown) ?? "none that takes messages of this program")"
  }

  /// An address, which would hide the lines above it if it were longer than the terminal.
  private static func shown(_ address: String) -> String { ContentRow.title(address, longest: 200) }

  /// The id of the invitation and the inviter's key, which are the same in each spelling; the text of an invitation without an
  /// id. Another inviter may have copied the id.
  var id: String {
    let id = (try? JSON(parsing: invited.invitationText))?["@id"]?.string
    return id.map { "\($0) \(inviter?.key ?? "")" } ?? invited.invitationText
  }

  func isInvitation(of connection: Connection) -> Bool {
    (try? JSON(parsing: connection.invitationText)) == (try? JSON(parsing: invited.invitationText))
  }

  func connection() throws -> Connection { try Connection(sourceID: OpenSession.label, accepting: text) }
}
