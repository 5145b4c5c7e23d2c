internal import Aries
internal import DIDComm
internal import JSON

extension InviteeMachine.State {
  /// `{"<name of the state>": {…}}`.
  var json: JSON {
    switch self {
    case .invited(let invitation):
      ["Invited": ["invitation": invitation.tagged]]
    case .requested(let request, let invitation):
      [
        "Requested": [
          "did_doc": invitation.document.json, "invitation": invitation.tagged, "request": request.json,
          "thread": request.thread.json,
        ]
      ]
    case .completed(let peer, let thread, let invitation):
      [
        "Completed": [
          "did_doc": peer.document.json, "invitation": invitation?.tagged ?? .null, "protocols": nil,
          "thread": thread.json,
        ]
      ]
    case .failed(let report, let thread, let invitation):
      ["Failed": ["error": report?.json ?? .null, "invitation": invitation?.tagged ?? .null, "thread": thread.json]]
    }
  }

  init(stored json: JSON) throws {
    guard let (name, value) = try json.requireObject().members.first.map({ ($0.key, $0.value) }) else {
      throw ConnectionError.malformedState("no state")
    }
    let fields = try value.requireObject()
    switch name {
    case "Invited":
      self = .invited(try fields.requireInvitation())
    case "Requested":
      self = .requested(try ConnectionRequest(fields.object("request")), of: try fields.requireInvitation())
    case "Completed":
      let peer = Peer(document: try DIDDocument(.object(fields.object("did_doc"))))
      self = .completed(peer, thread: try fields.thread(), invitation: try fields.invitation())
    case "Failed":
      let report = try fields.optionalObject("error").map(ProblemReport.init)
      self = .failed(report, thread: try fields.thread(), invitation: try fields.invitation())
    default:
      throw ConnectionError.malformedState("state \(name)")
    }
  }
}

extension JSONObject {
  fileprivate func requireInvitation() throws -> Invitation {
    guard let invitation = try invitation() else { throw JSONError.missing(key: "invitation") }
    return invitation
  }

  fileprivate func invitation() throws -> Invitation? {
    guard let tagged = try optionalObject("invitation"), let (tag, json) = tagged.members.first else { return nil }
    switch tag {
    case "ConnectionInvitation": return .connection(try ConnectionInvitation(json))
    case "OutofbandInvitation": return .outOfBand(try OutOfBandInvitation(json))
    default: throw ConnectionError.malformedState("invitation \(tag)")
    }
  }

  fileprivate func thread() throws(JSONError) -> Thread {
    guard let json = self["thread"], !json.isNull else { return Thread(thid: "") }
    return try Thread(json)
  }
}

extension Invitation {
  fileprivate var tagged: JSON {
    switch self {
    case .connection(let invitation): ["ConnectionInvitation": invitation.json]
    case .outOfBand(let invitation): ["OutofbandInvitation": invitation.json]
    }
  }

  /// The inviter as a document, which Evernym's library keeps until it knows the real one.
  fileprivate var document: DIDDocument {
    DIDDocument(id: id, key: service.recipientKeys[0], service: service)
  }
}
