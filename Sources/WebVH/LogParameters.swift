internal import DIDComm
internal import JSON

/// The settings of a DID that are in force with an entry of its log (did:webvh 1.0, "DID Method Parameters").
struct LogParameters: Equatable, Sendable {
  private(set) var scid = ""
  private(set) var updateKeys: [String] = []
  /// The hashes of the keys of the next entry; empty if any keys may follow.
  private(set) var nextKeyHashes: [String] = []
  private(set) var witness: WitnessRule?
  private(set) var isPortable = false
  private(set) var isDeactivated = false
  /// The seconds for which the DID may be remembered.
  private(set) var ttl: Int64 = 3600

  static let method = "did:webvh:1.0"
  private static let mostKeys = 64

  /// The parameters of the first entry.
  init(first object: JSONObject) throws(ParameterError) {
    guard object["method"] != nil else { throw ParameterError("method") }
    guard let scid = object["scid"]?.string else { throw ParameterError("scid") }
    guard object["updateKeys"] != nil else { throw ParameterError("updateKeys") }
    self.scid = scid
    // Only the first entry may make the DID portable.
    isPortable = true
    var others = object
    others["scid"] = nil
    if others["portable"] == nil { others["portable"] = false }
    self = try applying(others)
  }

  private init(_ other: LogParameters) { self = other }

  /// The parameters with the changes of another entry. Throws if a change is not permitted.
  func applying(_ object: JSONObject) throws(ParameterError) -> LogParameters {
    var changed = self
    for (name, value) in object.members { try changed.set(name, to: value) }
    if !nextKeyHashes.isEmpty { try changed.checkRotation(object, from: self) }
    return changed
  }

  /// With pre-rotation, each entry names its keys, to which the entry before it has committed, and new hashes.
  private func checkRotation(_ object: JSONObject, from before: LogParameters) throws(ParameterError) {
    guard object["updateKeys"] != nil, object["nextKeyHashes"] != nil else {
      throw ParameterError("updateKeys and nextKeyHashes are missing")
    }
    let committed = Set(before.nextKeyHashes)
    guard updateKeys.allSatisfy({ committed.contains(Multihash.text(of: Array($0.utf8))) }) else {
      throw ParameterError("updateKeys has a key without a hash in the entry before it")
    }
  }

  /// A null of early implementations counts as the default.
  private mutating func set(_ name: String, to value: JSON) throws(ParameterError) {
    switch name {
    case "method":
      guard value == .string(Self.method) else { throw ParameterError("method is not \(Self.method)") }
    case "updateKeys": updateKeys = try Self.texts(value, name)
    case "nextKeyHashes": nextKeyHashes = try Self.texts(value, name)
    case "watchers": _ = try Self.texts(value, name)
    case "witness": witness = value.isNull ? nil : try WitnessRule.reading(value)
    case "portable":
      guard let flag = value.bool, !flag || isPortable else { throw ParameterError(name) }
      isPortable = flag
    case "deactivated":
      guard let flag = value.bool else { throw ParameterError(name) }
      isDeactivated = flag
    case "ttl":
      let seconds = value.isNull ? 3600 : value.integer
      guard let seconds, (0...1 << 31).contains(seconds) else { throw ParameterError(name) }
      ttl = seconds
    default: throw ParameterError("\"\(name.prefix(32))\" is no parameter")
    }
  }

  private static func texts(_ value: JSON, _ name: String) throws(ParameterError) -> [String] {
    if value.isNull { return [] }
    let texts = value.array?.map(\.string)
    guard let texts, texts.count <= mostKeys, !texts.contains(nil) else { throw ParameterError(name) }
    return texts.compactMap(\.self)
  }
}

/// A parameter that the specification does not permit.
struct ParameterError: Error, Equatable, Sendable {
  let part: String

  init(_ part: String) { self.part = part }
}
