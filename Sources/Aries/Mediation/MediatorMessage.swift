internal import DIDComm
package import JSON

/// A message from a mediator to its client.
package enum MediatorMessage: Equatable, Sendable {
  case grant(MediationGrant)
  /// `mediate-deny`.
  case denial
  case keylist(KeylistAnswer)
  case status(PickupStatus)
  /// `delivery` of version 2.0, or `batch` of version 1.0.
  case delivery(Delivery)
  /// A message that peers send too.
  case other(Message)

  /// Reads a message. Its type may have any prefix, and any minor version of a known major one.
  package init(_ json: JSON) throws(MessageError) {
    do throws(JSONError) {
      if let message = try Self.pickedUp(json) {
        self = message
        return
      }
    } catch {
      throw .malformed(error)
    }
    let type = json["@type"]?.string.flatMap(MessageType.init)
    guard let type, type.matches(MediationGrant.type), let object = json.object else {
      self = .other(try Message(json))
      return
    }
    self = .grant(try MediationGrant(object))
  }

  /// The messages about keys and waiting messages. Nil for all others.
  private static func pickedUp(_ json: JSON) throws(JSONError) -> MediatorMessage? {
    guard let type = json["@type"]?.string.flatMap(MessageType.init), let object = json.object else { return nil }
    return switch (type.family, type.major, type.name) {
    case ("coordinate-mediation", 1, "mediate-deny"): .denial
    case ("coordinate-mediation", 1, "keylist-update-response"): .keylist(try KeylistAnswer(object))
    case ("messagepickup", 1...2, "status"): .status(PickupStatus(object))
    case ("messagepickup", 2, "delivery"): .delivery(try Delivery(object))
    case ("messagepickup", 1, "batch"): .delivery(try Delivery(batch: object))
    default: nil
    }
  }
}
