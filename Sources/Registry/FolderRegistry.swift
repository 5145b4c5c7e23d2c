internal import JSON

/// A registry of JSON files: a file per object, in a folder per kind.
///
/// `schema/<id>.json`, `cred_def/<id>.json` and `rev_reg_def/<id>.json` hold one object each,
/// `rev_status_list/<id>.json` an array of status lists, oldest first. File names percent-encode every byte of the id
/// except letters, digits and `-._~`. The folder's owner can invent objects of any issuer: such a registry is for an
/// issuer's own objects, and for tests.
protocol FolderRegistry: Registry {
  /// The content of the file at `path`, relative to the folder; nil if the file does not exist. `limit` is in bytes.
  func read(_ path: String, limit: Int) throws(RegistryError) -> [UInt8]?
}

extension FolderRegistry {
  package func schema(_ id: String) throws(RegistryError) -> JSON { try object(.schema, id) }

  package func definition(_ id: String) throws(RegistryError) -> JSON { try object(.definition, id) }

  package func revocationRegistry(_ id: String) throws(RegistryError) -> JSON { try object(.revocationRegistry, id) }

  package func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON {
    guard !leavesFolder(id), let bytes = try read(StatusLists.path(of: id), limit: StatusLists.limit) else {
      throw .notFound
    }
    let list = try reading(id, RegistryError.invalid) { () throws(JSONError) in
      try StatusLists(bytes)?.last(inForceAt: time)
    }
    guard let list else { throw .notFound }
    return list
  }

  private func object(_ kind: ObjectKind, _ id: String) throws(RegistryError) -> JSON {
    guard !leavesFolder(id), let bytes = try read(kind.path(of: id), limit: objectLimit) else { throw .notFound }
    return try reading(id, RegistryError.invalid) { () throws(JSONError) in try JSON(parsing: bytes) }
  }

  /// The result of `read`. Throws `failure` with the reason if the file of the object is malformed.
  func reading<Value, Failure>(
    _ id: String, _ failure: (String) -> Failure, _ read: () throws(JSONError) -> Value
  ) throws(Failure) -> Value {
    do { return try read() } catch { throw failure("the file of \(id): \(error)") }
  }
}

/// The most bytes of an object that never changes.
let objectLimit = 1 << 20

/// The name of the file with the object of this id.
func fileName(_ id: String) -> String { percentEncoded(id) + ".json" }

/// Whether a server that decodes file names would look for the object outside of its folder: strangers choose the ids in
/// their presentations, and may have files of their own on the same server. The bytes decide: a slash and a mark after it are one
/// character for Swift.
private func leavesFolder(_ id: String) -> Bool {
  id.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
}

extension ObjectKind {
  /// The path of the file with the object of this id, relative to the registry.
  func path(of id: String) -> String { "\(folder)/\(fileName(id))" }

  private var folder: String {
    switch self {
    case .schema: "schema"
    case .definition: "cred_def"
    case .revocationRegistry: "rev_reg_def"
    }
  }
}

/// The text with each byte except letters, digits and `-._~` as a percent sign and two digits.
func percentEncoded(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  let bytes = text.utf8.flatMap { byte in
    isUnreserved(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// RFC 3986, 2.3.
func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "-._~".utf8.contains(byte)
  }
}
