internal import DIDComm
internal import JSON

extension JSON {
  /// The type of a message without its prefix, for the log.
  var kind: String { (self["@type"]?.string).flatMap(MessageType.init).kind }
}

extension MessageType? {
  /// The type without its prefix, for the log.
  var kind: String { self?.path ?? "a message without a type" }
}
