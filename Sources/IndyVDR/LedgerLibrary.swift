internal import DynamicLibrary
internal import JSON
internal import Threading

/// The library libindy_vdr.so, opened at first use.
package final class LedgerLibrary: Sendable {
  let functions: LedgerFunctions

  private static let opened = OpenedOnce<LedgerLibrary, LedgerError>()

  /// The library in the file `path`. With nil, the environment variable `MSDK_INDY_VDR_LIB`, the folder of libmsdk.so
  /// and the system decide. It is opened once, and the reason of a failure is kept.
  package static func open(at path: String? = nil) throws(LedgerError) -> LedgerLibrary {
    try opened.at(path) { () throws(LedgerError) in
      do {
        let library = try DynamicLibrary("libindy_vdr.so", variable: "MSDK_INDY_VDR_LIB", path: path)
        return LedgerLibrary(functions: try LedgerFunctions(library))
      } catch {
        throw .unavailable(reason: "\(error)")
      }
    }
  }

  /// A library that has these functions.
  init(functions: LedgerFunctions) { self.functions = functions }

  /// Calls the library and throws its error.
  func check(_ call: () -> Int64) throws(LedgerError) {
    let code = call()
    guard code == 0 else { throw lastError(code) }
  }

  /// Whether the answer of a node, as text, says that it refuses the content of a write.
  private static func isRejection(_ answer: JSON?) -> Bool {
    guard let text = answer?.string, let reply = try? JSON(parsing: text) else { return false }
    return reply["op"] == "REJECT"
  }

  /// The library keeps one error for the whole process: the message may belong to another thread's call.
  func lastError(_ code: Int64) -> LedgerError {
    var text: UnsafeMutablePointer<CChar>?
    _ = functions.currentError(&text)
    defer { functions.freeText(text) }
    let json = text.flatMap { try? JSON(parsing: String(cString: $0)) }
    let reason = json?["message"]?.string ?? json?["extra"]?.string ?? "error \(code)"
    switch code {
    case 2, 6, 30, 32: return .unreachable(reason)  // connection, unavailable, no consensus, timeout
    case 31 where Self.isRejection(json?["extra"]): return .rejected(reason)
    default: return .refused(reason)
    }
  }
}
