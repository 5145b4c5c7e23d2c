internal import JSON
internal import Platform

/// Makes `error` the current error of this thread and returns its code.
func record(_ error: VCXError) -> vcx_error_t {
  CurrentError.set(error)
  return error.code.rawValue
}

/// The last error of each thread, as JSON text in memory of the library. Success does not change it.
enum CurrentError {
  /// The text, or nil before the first error. Valid until the thread's next error.
  static var pointer: CString? {
    pthread_getspecific(key).map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
  }

  static func set(_ error: VCXError) {
    let previous = pthread_getspecific(key)
    pthread_setspecific(key, strdup(json(error)))
    free(previous)
  }

  /// The system frees the key's value when the thread ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { free($0) }
    precondition(result == 0, "the process has no thread-specific keys left")
    return key
  }()

  /// Programs read all four members, including `backtrace`, which is always null.
  private static func json(_ error: VCXError) -> String {
    let (text, cause) = (error.code.text, CurrentAgent.value.naming(error.detail))
    let json: JSON = [
      "backtrace": nil, "cause": .string(cause), "error": .string(text),
      "message": "Error: \(text)\n  Caused by: \(cause)\n",
    ]
    return json.text
  }
}
