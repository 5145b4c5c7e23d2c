internal import JSON
internal import MSDK
internal import ProgramArguments

/// An invitation that the user got, as a URL or as JSON.
struct Offer {
  private let text: String
  private let json: JSON

  init(_ given: String) throws {
    text = try Progress.showing("fetching the invitation") {
      try InvitationText(given).resolved(reach: Agent.standard.peerReach, trusting: Agent.standard.authorities)
    }
    json = (try? JSON(parsing: text)) ?? ["label": .string(text)]
  }

  /// The inviter's name for itself. Nobody has checked it.
  var label: String { json["label"]?.string ?? json["s"]?["n"]?.string ?? "peer" }

  private var endpoint: String? {
    let service = json["services"]?.array?.first
    return json["serviceEndpoint"]?.string ?? service?["serviceEndpoint"]?.string ?? service?.string
  }

  private var key: String? {
    (json["recipientKeys"] ?? json["services"]?.array?.first?["recipientKeys"])?.array?.first?.string
  }

  /// The sender, for people.
  var lines: [String] {
    [
      "\(quoted(label)) invites you (nobody has checked this name).",
      json["goal"]?.string.map { "goal      \(printable($0))" }, endpoint.map { "endpoint  \(printable($0))" },
      key.map { "key       \(printable($0))" },
    ].compactMap { $0 }
  }

  func isInvitation(of connection: Connection) -> Bool { (try? JSON(parsing: connection.invitationText)) == json }

  func connection(named name: String) throws -> Connection {
    try Connection(sourceID: name, accepting: text)
  }
}
