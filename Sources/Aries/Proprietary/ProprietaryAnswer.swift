package import DIDComm
package import JSON
package import Sodium

/// The answer to a proprietary invitation, in the members that Evernym's library sent to its agency.
package struct ProprietaryAnswer: Equatable, Sendable {
  package let id: String
  /// The id of the invitation.
  package let invitation: String
  package let content: Content

  package enum Content: Equatable, Sendable {
    /// `ACCEPT_CONN_REQ`: the invitee accepts, with a DID made for this connection.
    case acceptance(ProprietaryParty)
    /// `REDIRECT_CONN_REQ`: the invitee is connected already.
    case redirection(Redirection)
  }

  static let family = "connecting"
  static let acceptance = "ACCEPT_CONN_REQ"
  static let redirection = "REDIRECT_CONN_REQ"

  init(id: String, to invitation: String, _ content: Content) {
    self.id = id
    self.invitation = invitation
    self.content = content
  }

  init(accepting object: JSONObject) throws(MessageError) {
    try self.init(object) { object in .acceptance(try ProprietaryParty(object)) }
  }

  init(redirecting object: JSONObject) throws(MessageError) {
    try self.init(object) { object in .redirection(try Redirection(object.object("redirectDetail"))) }
  }

  private init(_ object: JSONObject, content: (JSONObject) throws -> Content) throws(MessageError) {
    do {
      id = try object.string("@id")
      invitation = try object.string("replyToMsgId")
      self.content = try content(object)
    } catch let error as JSONError {
      throw .malformed(error)
    } catch {
      throw .malformed(.wrongType(key: nil, expected: "an answer to an invitation"))
    }
  }

  package var json: JSON {
    let (name, status, members) =
      switch content {
      case .acceptance(let party): (Self.acceptance, "MS-104", party.json)
      case .redirection(let redirection): (Self.redirection, "MS-107", ["redirectDetail": .object(redirection.json)])
      }
    let type = MessageType(Self.family, 0, 6, name)
    let common: [(String, JSON)] = [
      ("@type", .string(type.proprietaryText)), ("@id", .string(id)), ("answerStatusCode", .string(status)),
      ("replyToMsgId", .string(invitation)),
    ]
    return .object(JSONObject(common + members.members.map { ($0.key, $0.value) }))
  }
}

/// The connection that an invitee wants to use in place of a new one, with the keys of both sides. In a message, each
/// side calls itself `their`.
package struct Redirection: Equatable, Sendable {
  package let json: JSONObject
  /// The key of the redirected side, which must be the inviter's own.
  package let verkey: VerKey
  /// The key of the redirecting side.
  package let theirVerkey: VerKey
  private let isSigned: Bool

  init(_ object: JSONObject) throws {
    _ = try object.string("DID")
    verkey = try VerKey(object.string("verKey"))
    let theirDID = try object.string("theirDID")
    theirVerkey = try VerKey(object.string("theirVerKey"))
    for member in ["publicDID", "theirPublicDID"] { _ = try object.optionalString(member) }
    let signed = ProprietaryParty.signedText(theirDID, theirVerkey.text)
    isSigned =
      try theirDID == theirVerkey.did.text
      && theirVerkey.publicKey.verifies(Base64.decode(object.string("signature"), .standard), of: signed)
    json = object
  }

  /// Redirects an inviter to the connection that the own key `own` already has with it. `did`, `verkey` and `publicDID`
  /// are the inviter's in that connection.
  package init(did: String, verkey: VerKey, publicDID: String?, to own: KeyPair, ownPublicDID: String?) {
    let ownDID = own.verkey.did.text
    let signature = own.sign(ProprietaryParty.signedText(ownDID, own.verkey.text))
    var json: JSONObject = ["DID": .string(did), "verKey": .string(verkey.text)]
    json["publicDID"] = publicDID.map(JSON.string)
    json["theirDID"] = .string(ownDID)
    json["theirVerKey"] = .string(own.verkey.text)
    json["theirPublicDID"] = ownPublicDID.map(JSON.string)
    json["signature"] = .string(Base64.encode(signature, .standard))
    self.json = json
    self.verkey = verkey
    theirVerkey = own.verkey
    isSigned = true
  }

  /// Throws unless the redirecting key has signed for itself and has written the message, and the DID of the other
  /// connection is derived from its key.
  func check(sender: Sender) throws(ProtocolError) {
    guard isSigned else { throw .wrongSigner }
    guard json["DID"]?.string == verkey.did.text else {
      throw .malformed(.malformed(.wrongType(key: "DID", expected: "the DID of \"verKey\"")))
    }
    try sender.require(oneOf: [theirVerkey])
  }
}

extension MessageType {
  /// The type as Evernym's own protocols write it.
  var proprietaryText: String { Self.proprietaryPrefix + path }

  package static let proprietaryPrefix = "did:sov:123456789abcdefghi1234;spec/"
}
