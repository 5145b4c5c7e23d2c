internal import Aries
internal import CloudAgent
internal import JSON
internal import Wallet

/// A message that a subscription tells of.
package struct AnnouncedMessage: Sendable {
  /// The text for the subscriber.
  package let text: String
  private let json: JSON
  private let message: Message?

  package init(_ text: String) {
    self.text = text
    json = (try? JSON(parsing: text)) ?? .null
    let payload = json["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
    message = payload?["@msg"]?.string.flatMap { try? Message(JSON(parsing: $0)) }
  }

  /// The kept objects to which the message may belong, the likeliest first: the exchanges on its thread, and then the
  /// connection over which it came.
  package func recipients(in session: Session) throws -> [KeptObjects.Found] {
    guard message != nil, let place else { return [] }
    let objects = session.keptObjects
    let exchanges = try json["thread"]?.string.map { try objects.exchanges(on: $0, over: place.pairwiseDID) }
    return try (exchanges ?? []) + [objects.connection(place.pairwiseDID)].compactMap(\.self)
  }

  /// Whether the message may concern the object.
  package func concerns(_ object: some MessageDriven) -> Bool {
    guard let message, let place else { return false }
    return object.mayApply(message, over: place.pairwiseDID)
  }

  /// The place of the message at the Cloud Agent; nil for a text without one.
  var place: Inbox.Place? {
    guard let did = json["pairwiseDID"]?.string, let uid = json["uid"]?.string else { return nil }
    return Inbox.Place(pairwiseDID: did, uid: uid)
  }

  /// The status that the session has given to the message, as far as it remembers.
  func mark(in session: Session) -> MessageStatus? { place.flatMap(session.messageMemory.mark) }

  /// The text, with the object as it is after the message: its id, its type and its state; and with the message's status.
  package func text(appliedTo object: some MessageDriven, with session: Session) -> String {
    var json = json
    if let status = mark(in: session) { json["statusCode"] = .string(status.code) }
    json["object"] = [
      "id": JSON(object.keeping.id), "type": .string(type(of: object).keptKind.rawValue),
      "state": .integer(Int64(object.keptFacts.state)),
    ]
    return json.text
  }
}
