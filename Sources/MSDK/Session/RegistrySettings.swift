internal import HTTP
internal import JSON
internal import Registry
internal import Sodium
internal import Time
internal import WebVH

/// The places of public objects, besides ledgers: the member `anoncreds_registries` of a configuration.
struct RegistrySettings: Sendable {
  private let places: [Place]
  /// The registries with `"write": true`. The first one that takes an id publishes this program's own objects.
  private let writing: [Place]
  /// The server that takes this program's tails files: `tails_server_url`.
  let tailsServer: TailsServer?

  private static let form = """
    an array of {"type": "file", "path"}, {"type": "http", "url"} with https URLs and {"type": "webvh"}, \
    where "match" is a regular expression, "write" is true or false, also for "webvh" with "path" or "url", and \
    "bearer_token" has no spaces
    """

  private enum Place: Sendable {
    case registry(any Registry & Publisher)
    /// The servers of issuers whose DIDs are of the method webvh. The files are the root of the own server; nil if the
    /// program only reads.
    case webvh(IDPattern, (any ConditionalFiles)?)

    var isWritable: Bool { if case .webvh(_, nil) = self { false } else { true } }
  }

  init(_ config: SettingsReader) throws(SettingsError) {
    let list = try config.array("anoncreds_registries") ?? []
    let authorities = try config.authorities()
    var (places, writing): ([Place], [Place]) = ([], [])
    for json in list {
      guard let place = Self.place(json, authorities), let writes = (json["write"] ?? false).bool else {
        throw .invalidValue("anoncreds_registries", Self.form)
      }
      places.append(place)
      guard writes else { continue }
      guard place.isWritable else { throw .invalidValue("anoncreds_registries", Self.form) }
      writing.append(place)
    }
    self.places = places
    self.writing = writing
    tailsServer = try Self.tailsServer(config)
  }

  /// The registries, in the order of the configuration.
  func registries(with resolver: WebResolver) -> [any Registry] {
    places.map { place in
      switch place {
      case .registry(let registry): registry
      case .webvh(let match, _): WebVHRegistry(resolver, match: match)
      }
    }
  }

  /// The registries that take this program's own objects, in the order of the configuration. `keys` are those of its DIDs.
  func publishers(keys: any ControllerKeys, with resolver: WebResolver) -> [any Publisher] {
    writing.compactMap { place in
      switch place {
      case .registry(let registry): registry
      case .webvh(_, let files): files.map { WebVHPublisher($0, keys: keys, resolver: resolver, now: systemClock) }
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
    case "file": folder(json).map(Place.registry)
    case "http": server(json, authorities).map(Place.registry)
    case "webvh": webvh(json, authorities)
    default: nil
    }
  }

  private static func folder(_ json: JSON) -> FileRegistry? {
    json["path"]?.string.map { FileRegistry(folder: $0, tailsBase: json["tails_base_url"]?.string) }
  }

  private static func server(_ json: JSON, _ authorities: String?) -> HTTPRegistry? {
    json["url"]?.string.flatMap {
      HTTPRegistry(
        base: $0, match: json["match"]?.string, authorities: authorities,
        token: json["bearer_token"]?.string.map { SecretBytes(copying: Array($0.utf8)) })
    }
  }

  private static func webvh(_ json: JSON, _ authorities: String?) -> Place? {
    guard let pattern = IDPattern(json["match"]?.string) else { return nil }
    switch (json["path"], json["url"]) {
    case (nil, nil): return .webvh(pattern, nil)
    case (_?, nil): return folder(json).map { .webvh(pattern, $0) }
    case (nil, _?): return server(json, authorities).map { .webvh(pattern, $0) }
    default: return nil
    }
  }
}
