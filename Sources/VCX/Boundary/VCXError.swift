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

/// An error of a layer below with its number in the C API.
protocol NumberedError: Error, CustomStringConvertible {
  var code: ErrorCode { get }
  /// The text for a developer: the description, or the name of the function to use instead.
  var detail: String { get }
}

extension NumberedError {
  var detail: String { description }
}

extension VCXError {
  /// Converts the error that ended an operation. An error without a number is 1001, and its text names its type.
  init(_ error: any Error) {
    self =
      switch error {
      case let error as VCXError: error
      case let error as any NumberedError: VCXError(error.code, error.detail)
      default: VCXError(.unknownError, "an error without a code: \(type(of: error))")
      }
  }
}
