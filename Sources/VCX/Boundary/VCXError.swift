/// An error of the C API: a code and the exact cause.
struct VCXError: Error, Equatable {
  let code: ErrorCode
  /// One line for a developer. It names the cause and contains neither secrets nor user data.
  let detail: String

  init(_ code: ErrorCode, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}
