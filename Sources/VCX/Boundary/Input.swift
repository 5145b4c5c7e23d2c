/// An argument that is not decoded yet.
///
/// Arguments are decoded on the caller's thread, in order, before any asynchronous work, because the caller lends C
/// memory only for the call. If an argument cannot be decoded, the function returns the error and never calls back.
struct Input<Value> {
  /// Decodes the argument. The function returns the thrown error; an error within the result is an error of the
  /// operation, and goes to the callback.
  let read: () throws(VCXError) -> Result<Value, any Error>

  init(_ decode: @escaping () throws(VCXError) -> Value) {
    read = { () throws(VCXError) in .success(try decode()) }
  }

  /// Another need of the operation, looked up when the function is called. If it is missing, the operation fails, not
  /// the call.
  init(needed find: @escaping () throws -> Value) {
    read = { () throws(VCXError) in Result { try find() } }
  }

  /// Decodes the argument for a function without a callback.
  func decode() throws(VCXError) -> Value {
    do { return try read().get() } catch { throw VCXError(error) }
  }

  /// Decodes the argument further on the caller's thread, for functions that check more than the bare argument.
  func map<New>(_ transform: @escaping (Value) throws -> New) -> Input<New> {
    Input<New> { () throws(VCXError) in
      let value = try decode()
      do { return try transform(value) } catch { throw VCXError(error) }
    }
  }
}

/// The required text of the argument `name`: UTF-8, and not empty unless `allowingEmpty`. NULL gives the error `null`.
func text(
  _ pointer: CString?, _ name: String, allowingEmpty: Bool = false, null: ErrorCode = .invalidOption
) -> Input<String> {
  Input { () throws(VCXError) in
    guard let pointer else { throw VCXError(null, "the argument \(name) is NULL") }
    let text = try utf8(pointer, name)
    guard allowingEmpty || !text.isEmpty else { throw VCXError(.invalidOption, "the argument \(name) is empty") }
    return text
  }
}

/// The optional text of the argument `name`. NULL and an empty text both mean that it is missing.
func optionalText(_ pointer: CString?, _ name: String) -> Input<String?> {
  Input { () throws(VCXError) in
    guard let pointer else { return nil }
    let text = try utf8(pointer, name)
    return text.isEmpty ? nil : text
  }
}

/// The bytes of the argument `name`: at least one.
func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: UInt32, _ name: String) -> Input<[UInt8]> {
  Input { () throws(VCXError) in
    guard let pointer else { throw VCXError(.invalidOption, "the argument \(name) is NULL") }
    guard count > 0 else { throw VCXError(.invalidOption, "the argument \(name) has no bytes") }
    return Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
  }
}

/// A number, a flag or another argument that needs no decoding.
func plain<Value>(_ value: Value) -> Input<Value> {
  Input { () throws(VCXError) in value }
}

/// A handle that must be known at the time of the call. Few functions return this error; the others pass it to the
/// callback.
func known<Object>(_ handle: UInt32, in table: HandleTable<Object>) -> Input<UInt32> {
  Input { () throws(VCXError) in
    guard table[handle] != nil else { throw table.missing(handle) }
    return handle
  }
}

/// A handle for functions that also refuse an object that is not ready for them. A busy object is checked when it is
/// the operation's turn.
func known<Object>(
  _ handle: UInt32, in table: HandleTable<Object>, ready isReady: @escaping (Object) -> Bool
) -> Input<UInt32> {
  Input { () throws(VCXError) in
    guard let entry = table[handle] else { throw table.missing(handle) }
    guard entry.lane.peek(isReady) ?? true else {
      throw VCXError(.notReady, "the object is not in a state that allows this")
    }
    return handle
  }
}

private func utf8(_ pointer: CString, _ name: String) throws(VCXError) -> String {
  guard let text = String(validatingCString: pointer) else {
    throw VCXError(.invalidOption, "the argument \(name) is not UTF-8")
  }
  return text
}
