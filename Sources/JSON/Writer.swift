internal import CJansson

extension JSON {
  /// Compact JSON text in UTF-8; characters beyond ASCII stand as they are. A number that is not finite is written
  /// as null, since JSON has no word for it.
  package var bytes: [UInt8] { dump(JSON_COMPACT) }

  /// Compact JSON text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Compact JSON text with the members of every object in alphabetical order.
  package var sortedText: String { String(decoding: dump(JSON_COMPACT | JSON_SORT_KEYS), as: UTF8.self) }

  private func dump(_ style: Int32) -> [UInt8] {
    let root = makeValue()
    defer { json_decref(root) }
    let flags = size_t(style) | size_t(JSON_ENCODE_ANY)
    var size = expectedSize
    while true {
      let capacity = size
      let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        buffer.withMemoryRebound(to: CChar.self) { size = json_dumpb(root, $0.baseAddress, capacity, flags) }
        count = min(size, capacity)
      }
      precondition(size > 0, "a value made of checked parts can be written")
      if size <= capacity { return output }
    }
  }

  /// How long the text will be when nothing in it needs an escape, and some more.
  private var expectedSize: Int {
    switch self {
    case .null, .bool: 8
    case .integer, .real: 24
    case .string(let value): value.utf8.count + 8
    case .array(let elements): elements.reduce(8) { $0 + $1.expectedSize + 1 }
    case .object(let object): object.members.reduce(8) { $0 + $1.key.utf8.count + $1.value.expectedSize + 8 }
    }
  }

  /// The caller owns the result.
  fileprivate func makeValue() -> UnsafeMutablePointer<json_t>? {
    switch self {
    case .null: json_null()
    case .bool(let value): value ? json_true() : json_false()
    case .integer(let value): json_integer(json_int_t(value))
    case .real(let value): value.isFinite ? json_real(value) : json_null()
    case .string(let value): value.makeValue()
    case .array(let elements): elements.makeValue()
    case .object(let object): object.makeValue()
    }
  }
}

extension String {
  // A Swift string is always valid Unicode, so Jansson need not check again.
  fileprivate func makeValue() -> UnsafeMutablePointer<json_t>? {
    withBytes { json_stringn_nocheck($0, $1) }
  }

  fileprivate func withBytes<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    withCString { body($0, utf8.count) }
  }
}

extension [JSON] {
  fileprivate func makeValue() -> UnsafeMutablePointer<json_t>? {
    let array = json_array()
    for element in self { json_array_append_new(array, element.makeValue()) }
    return array
  }
}

extension JSONObject {
  fileprivate func makeValue() -> UnsafeMutablePointer<json_t>? {
    let object = json_object()
    for (key, value) in members {
      _ = key.withBytes { json_object_setn_new_nocheck(object, $0, $1, value.makeValue()) }
    }
    return object
  }
}
