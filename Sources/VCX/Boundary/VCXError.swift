/// An error as the C API tells it: a code, and what exactly was wrong.
struct VCXError: Error, Equatable {
  let code: ErrorCode
  /// One line for a developer. Names what was wrong, never a secret and never user data.
  let detail: String

  init(_ code: ErrorCode, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The one place where errors of the layers below get their numbers.
  init(_ error: any Error) {
    if let error = error as? VCXError {
      self = error
    } else {
      self.init(.unknownError, "an error without a code: \(type(of: error))")
    }
  }
}
