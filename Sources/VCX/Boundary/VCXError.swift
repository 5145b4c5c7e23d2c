/// An error as the C API tells it: a code, and what exactly was wrong.
struct VCXError: Error, Equatable {
  let code: ErrorCode
  /// One line for a developer. Names what was wrong, never a secret and never user data.
  let detail: String

  init(_ code: ErrorCode, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}
