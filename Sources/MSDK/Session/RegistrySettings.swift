internal import HTTP
internal import JSON
internal import Registry

/// The places of public objects, besides ledgers: the member `anoncreds_registries` of a configuration.
struct RegistrySettings: Sendable {
  let registries: [any Registry]

  /// The time limit for a file of a registry, in seconds.
  private static let timeout = 10

  init(_ config: SettingsReader) throws(SettingsError) {
    let list = try config.array("anoncreds_registries") ?? []
    let client = HTTPClient(timeout: Self.timeout, authorities: try config.authorities())
    var registries: [any Registry] = []
    for json in list {
      guard let registry = Self.registry(json, client) else {
        throw .invalidValue(
          "anoncreds_registries",
          "an array of {\"type\": \"file\", \"path\"} and {\"type\": \"http\", \"url\", \"match\"}, with https URLs")
      }
      registries.append(registry)
    }
    self.registries = registries
  }

  private static func registry(_ json: JSON, _ client: HTTPClient) -> (any Registry)? {
    switch json["type"]?.string {
    case "file": json["path"]?.string.map(FileRegistry.init(folder:))
    case "http":
      json["match"].map { $0.string != nil } ?? true
        ? json["url"]?.string.flatMap { HTTPRegistry(base: $0, match: json["match"]?.string, client: client) } : nil
    default: nil
    }
  }
}
