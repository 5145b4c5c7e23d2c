internal import HTTP
internal import JSON
internal import Registry
internal import Sodium
internal import WebVH

/// The places of public objects, besides ledgers: the member `anoncreds_registries` of a configuration.
struct RegistrySettings: Sendable {
  private let places: [Place]
  /// The first registry with `"write": true`, which takes this program's own objects.
  let publisher: (any Publisher)?
  /// The server that takes this program's tails files: `tails_server_url`.
  let tailsServer: TailsServer?

  private static let form = """
    an array of {"type": "file", "path"}, {"type": "http", "url"} with https URLs and {"type": "webvh"}, \
    where "match" is a regular expression, "write" is true or false, and "bearer_token" has no spaces
    """

  private enum Place: Sendable {
    case registry(any Registry & Publisher)
    /// The servers of issuers whose DIDs are of the method webvh. Nothing is published there.
    case webvh(IDPattern)
  }

  init(_ config: SettingsReader) throws(SettingsError) {
    let list = try config.array("anoncreds_registries") ?? []
    let authorities = try config.authorities()
    var places: [Place] = []
    var publisher: (any Publisher)?
    for json in list {
      guard let place = Self.place(json, authorities), let writes = (json["write"] ?? false).bool else {
        throw .invalidValue("anoncreds_registries", Self.form)
      }
      places.append(place)
      guard writes else { continue }
      guard case .registry(let registry) = place else { throw .invalidValue("anoncreds_registries", Self.form) }
      publisher = publisher ?? registry
    }
    self.places = places
    self.publisher = publisher
    tailsServer = try Self.tailsServer(config)
  }

  /// The registries, in the order of the configuration.
  func registries(with resolver: WebResolver) -> [any Registry] {
    places.map { place in
      switch place {
      case .registry(let registry): registry
      case .webvh(let match): WebVHRegistry(resolver, match: match)
      }
    }
  }

  private static func tailsServer(_ config: SettingsReader) throws(SettingsError) -> TailsServer? {
    guard let base = try config.string("tails_server_url") else { return nil }
    guard let server = TailsServer(base: base, authorities: try config.authorities()) else {
      if let reason = HTTPClient.absence { throw .invalidValue("tails_server_url", "usable: \(reason)") }
      throw .invalidURL("tails_server_url")
    }
    return server
  }

  private static func place(_ json: JSON, _ authorities: String?) -> Place? {
    let texts = ["match", "tails_base_url", "bearer_token"]
    guard texts.allSatisfy({ json[$0].map { $0.string != nil } ?? true }) else { return nil }
    return switch json["type"]?.string {
    case "file":
      json["path"]?.string.map { .registry(FileRegistry(folder: $0, tailsBase: json["tails_base_url"]?.string)) }
    case "http":
      json["url"]?.string.flatMap {
        HTTPRegistry(
          base: $0, match: json["match"]?.string, authorities: authorities,
          token: json["bearer_token"]?.string.map { SecretBytes(copying: Array($0.utf8)) })
      }.map(Place.registry)
    case "webvh": IDPattern(json["match"]?.string).map(Place.webvh)
    default: nil
    }
  }
}
