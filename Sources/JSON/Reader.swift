internal import CJansson

extension JSON {
  /// Reads a JSON text in UTF-8. Any value may stand at the top. Of a member name that occurs twice, the last counts.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    var error = json_error_t()
    let flags = size_t(JSON_DECODE_ANY)
    let root = bytes.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, flags, &error) }
    guard let root else { throw JSONError(error) }
    defer { json_decref(root) }
    self.init(copying: root)
  }

  package init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  fileprivate init(copying value: UnsafeMutablePointer<json_t>) {
    switch value.pointee.type {
    case JSON_OBJECT: self = .object(JSONObject(copying: value))
    case JSON_ARRAY:
      self = .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(JSON.init(copying:)) })
    case JSON_STRING: self = .string(String(copying: json_string_value(value), count: json_string_length(value)))
    case JSON_INTEGER: self = .integer(Int64(json_integer_value(value)))
    case JSON_REAL: self = .real(json_real_value(value))
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    default: self = .null
    }
  }
}

extension JSONObject {
  fileprivate init(copying object: UnsafeMutablePointer<json_t>) {
    var members: [Member] = []
    members.reserveCapacity(json_object_size(object))
    var iterator = json_object_iter(object)
    while let current = iterator {
      if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
        members.append((String(cString: key), JSON(copying: value)))
      }
      iterator = json_object_iter_next(object, current)
    }
    self.init(distinct: members)
  }
}

extension String {
  /// Jansson has checked that the bytes are UTF-8.
  fileprivate init(copying bytes: UnsafePointer<CChar>?, count: Int) {
    guard let bytes else {
      self = ""
      return
    }
    self = bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
      String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
    }
  }
}

extension JSONError {
  /// Jansson's message can end with `near '…'`, a piece of the text: that is cut off, it may be secret.
  fileprivate init(_ error: json_error_t) {
    let text = withUnsafeBytes(of: error.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self = .malformed(reason: text.beforeQuote, line: Int(error.line), column: Int(error.column))
  }
}

extension String {
  fileprivate var beforeQuote: String {
    let end = utf8.firstIndex(of: UInt8(ascii: "'")) ?? endIndex
    let words = self[..<end].split(separator: " ")
    return (words.last == "near" ? words.dropLast() : words[...]).joined(separator: " ")
  }
}
