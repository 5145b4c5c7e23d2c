package import JSON

extension JSON {
  /// The message with the wish that answers, and all messages that wait for its sender, come in the response to the request
  /// that carries it (RFC 0092).
  package var askingForReturn: JSON {
    var message = self
    message["~transport"] = ["return_route": "all"]
    return message
  }
}
