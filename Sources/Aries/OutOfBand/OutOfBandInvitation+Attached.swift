package import JSON

extension OutOfBandInvitation {
  /// Returns an attached message with the members that an answer needs: the invitation as the parent of its thread,
  /// and, if the invitation offers no connection, the service for the answer (RFC 0434). Members that the message
  /// already has stay unchanged.
  package func answerable(_ message: JSONObject) -> JSONObject {
    var message = message
    var thread = message["~thread"]?.object ?? [:]
    if thread["pthid"] == nil {
      thread["pthid"] = .string(id)
      message["~thread"] = .object(thread)
    }
    if !offersHandshake, message["~service"] == nil, case .service(let service) = address {
      message["~service"] = service.decorator
    }
    return message
  }
}
