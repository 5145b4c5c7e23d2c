public import CMSDK
// Only for JSON: the part of Foundation without a runtime of its own, where there is one.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

  /// The exact cause, a sentence for developers; nil if the library gives none.
  public var cause: String? {
    try? JSONDecoder().decode(Details.self, from: Data(details.utf8)).cause
  }

  private struct Details: Decodable { let cause: String? }
}

extension MSDKError: CustomStringConvertible {
  /// The fixed text of the code, the cause, and the code.
  public var description: String {
    let text = String(cString: vcx_error_c_message(code))
    return cause.map { "\(text): \($0) (\(code))" } ?? "\(text) (\(code))"
  }
}
