internal import DynamicLibrary
internal import JSON
internal import Logging
internal import Threading

/// The AnonCreds engine: the library libanoncreds.so, opened at first use.
///
/// Objects go in and come out as JSON texts. The library does all cryptography of credentials. Calls block, for
/// milliseconds; calls that make keys block for seconds. Any number of threads may call.
package final class Engine: Sendable {
  let functions: EngineFunctions
  private let number: EngineVersion

  /// The library's own version, e.g. `0.2.3`.
  package let version: String

  private static let opened = OpenedOnce<Engine, AnonCredsError>()

  /// The engine in the file `path`. With nil, the environment variable `MSDK_ANONCREDS_LIB`, the folder of libmsdk.so
  /// and the system decide. A library is opened once, and the reason of a failure is kept.
  package static func open(at path: String? = nil) throws(AnonCredsError) -> Engine {
    try opened.at(path) { () throws(AnonCredsError) in try Engine(path: path) }
  }

  /// Checks the version before anything else: a library of another version may lack functions, or take other arguments.
  private init(path: String?) throws(AnonCredsError) {
    do {
      let library = try DynamicLibrary("libanoncreds.so", variable: "MSDK_ANONCREDS_LIB", path: path)
      version = try EngineFunctions.version(of: library)
      number = EngineVersion(version)
      try number.require(.oldestUsable)
      functions = try EngineFunctions(library)
    } catch let error as AnonCredsError {
      throw error
    } catch {
      throw .unavailable(reason: "\(error)")
    }
    if let warning = number.warning { Log.warning(warning) }
  }

  /// Checks that the library is of this version or a later one.
  func require(_ major: Int, _ minor: Int, _ patch: Int) throws(AnonCredsError) {
    try number.require(EngineVersion(major, minor, patch))
  }
}

// MARK: - Calling

extension Engine {
  /// The library keeps one error for the whole process: the error of the last failed call.
  private static let calls = SharedLock()

  /// Calls the library and throws its error. Threads call side by side. A failed call is repeated alone, because the
  /// message may belong to another thread's call.
  func check(_ call: () -> Int) throws(AnonCredsError) {
    guard Self.calls.beside(call) != 0 else { return }
    let error: AnonCredsError? = Self.calls.alone {
      let code = call()
      return code == 0 ? nil : lastError(code)
    }
    if let error { throw error }
  }

  /// Calls the library once, for calls that make keys and take seconds: no other call waits for their end. The message
  /// of an error may belong to another thread's call.
  func checkOnce(_ call: () -> Int) throws(AnonCredsError) {
    let code = call()
    guard code == 0 else { throw lastError(code) }
  }

  private func lastError(_ code: Int) -> AnonCredsError {
    var text: UnsafeMutablePointer<CChar>?
    _ = functions.currentError(&text)
    defer { functions.freeText(text) }
    let message = text.flatMap { try? JSON(parsing: String(cString: $0))["message"]?.string }
    return .failed(AnonCredsError.Code(rawValue: code) ?? .unexpected, message: message ?? "error \(code)")
  }

  /// Runs `body` with memory for its calls; all of it is freed afterwards.
  func withMemory<Result>(_ body: (CallMemory) throws(AnonCredsError) -> Result) throws(AnonCredsError) -> Result {
    let memory = CallMemory(self)
    defer { memory.free() }
    return try body(memory)
  }
}
