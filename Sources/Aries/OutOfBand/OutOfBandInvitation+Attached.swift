package import JSON

extension OutOfBandInvitation {
  /// Returns an attached message as one that can be answered without the invitation: it names the invitation as the
  /// thread that it came out of, and, if no connection is offered, the service that answers go to (RFC 0434). Members
  /// that the message has already stay as they are.
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
