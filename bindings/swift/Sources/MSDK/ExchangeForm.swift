/// The version and the format in which an exchange begins. Without them, the configuration and the peer decide.
public struct ExchangeForm: Sendable, Encodable {
  public enum Version: String, Sendable, Encodable {
    case v1 = "1.0"
    case v2 = "2.0"
  }

  public enum Format: String, Sendable, Encodable {
    case indy = "hlindy"
    case anonCreds = "anoncreds"
  }

  public var version: Version?
  public var format: Format?

  public init(version: Version? = nil, format: Format? = nil) { (self.version, self.format) = (version, format) }

  /// The options of the library's functions.
  var text: String { JSONText.of(self) }
}
