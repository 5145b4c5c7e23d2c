public import CMSDK

/// A call to the library failed.
public struct MSDKError: Error, Equatable, Sendable {
  /// One of `vcx_error_code`, as a number.
  public let code: vcx_error_t
  /// The library's details of the error, as JSON text: `error`, `cause`, `message`.
  public let details: String

  public init(code: vcx_error_t, details: String) {
    self.code = code
    self.details = details
  }

  /// The error that the calling thread has just been told.
  init(current code: vcx_error_t) {
    self.code = code
    var json: UnsafePointer<CChar>?
    vcx_get_current_error(&json)
    details = json.map { String(cString: $0) } ?? "{}"
  }
}

extension MSDKError: CustomStringConvertible {
  public var description: String { "\(code) \(details)" }
}
