internal import Aries
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

  /// The kept object to which the message may belong: an exchange on its thread over its connection, or else the
  /// connection. Nil if the wallet keeps none of them.
  package func recipient(in session: Session) throws -> KeptObjects.Found? {
    guard message != nil, let did = json["pairwiseDID"]?.string else { return nil }
    let objects = session.keptObjects
    if let thread = json["thread"]?.string, let exchange = try objects.exchange(on: thread, over: did) {
      return exchange
    }
    return try objects.connection(did)
  }

  /// Whether the message may concern the object. All others are for the program.
  package func concerns(_ object: some MessageDriven) -> Bool { message.map(object.mayApply) ?? false }

  /// The text, with the object as it is after the message: its id, its type and its state.
  package func text(applyingTo object: some MessageDriven) -> String {
    var json = json
    json["object"] = [
      "id": JSON(object.keeping.id), "type": .string(type(of: object).keptKind.rawValue),
      "state": .integer(Int64(object.keptFacts.state)),
    ]
    return json.text
  }
}
