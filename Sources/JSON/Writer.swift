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
    var output: [UInt8] = []
    withUnsafeMutablePointer(to: &output) { output in
      let status = json_dump_callback(
        root,
        { bytes, count, output in
          let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
          output?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: bytes)
          return 0
        }, output, size_t(style) | size_t(JSON_ENCODE_ANY))
      precondition(status == 0, "a value made of checked parts can be written")
    }
    return output
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
