internal import CDynamicLibrary
internal import Platform

/// A shared library that the program opens while it runs, so that it also works without it.
///
/// It is never closed, because libraries keep threads and their clean-up functions.
package final class DynamicLibrary: @unchecked Sendable {
  // The handle is only read, and any thread may call `dlsym`, so the class is Sendable.
  private let handle: UnsafeMutableRawPointer
  /// The path of the opened file, or a bare name that the system has found.
  package let path: String

  /// Opens the library called `file`.
  ///
  /// A path from the caller is the only one tried. Otherwise the path in the environment `variable` is the only one
  /// tried. Without both, it tries the file beside the one that contains this code, and then the system's places.
  ///
  /// A program that runs with other rights than its caller (setuid, file capabilities) ignores the variable. A relative
  /// path in the variable is refused: it would lead elsewhere once the program has changed its directory.
  package convenience init(_ file: String, variable: String, path: String? = nil) throws(DynamicLibraryError) {
    let path = if let path { path } else { try Self.path(in: variable) }
    try self.init(firstOf: path.isEmpty ? [Self.pathBeside(file), file].compactMap(\.self) : [path])
  }

  /// The path in a variable of the environment; empty if the variable holds no path.
  private static func path(in variable: String) throws(DynamicLibraryError) -> String {
    let path = secure_getenv(variable).map { String(cString: $0) } ?? ""
    guard !path.contains("/") || path.hasPrefix("/") else { throw .relativePath(path, in: variable) }
    return path
  }

  private init(firstOf paths: [String]) throws(DynamicLibraryError) {
    var reasons: [String] = []
    for path in paths {
      if let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) {
        self.handle = handle
        self.path = path
        return
      }
      reasons.append(dlerror().map { String(cString: $0) } ?? path)
    }
    throw .notOpened(reasons)
  }

  /// The function with this name. The caller guarantees that `Function` is its C function type.
  package func function<Function>(_ name: String) throws(DynamicLibraryError) -> Function {
    guard let address = dlsym(handle, name) else { throw .noFunction(name, in: path) }
    return unsafeBitCast(address, to: Function.self)
  }

  /// The path of `file` beside the library or program that contains this code.
  private static func pathBeside(_ file: String) -> String? {
    pathOfThisCode().flatMap { path in path.lastIndex(of: "/").map { "\(path[...$0])\(file)" } }
  }
}

/// The reasons why a shared library cannot be used.
package enum DynamicLibraryError: Error, Equatable, Sendable {
  /// The system's reason for each tried path.
  case notOpened([String])
  /// The environment's variable `in` holds a path that does not begin with a slash.
  case relativePath(String, in: String)
  case noFunction(String, in: String)
  /// The library at this path refused to start.
  case notStarted(String)
}

extension DynamicLibraryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notOpened(let reasons): joined(reasons)
    case .relativePath(let path, let variable): "\(variable) must hold an absolute path, not \(path)"
    case .noFunction(let name, let path): "\(path) has no function \(name)"
    case .notStarted(let path): "\(path) does not start"
    }
  }

  private func joined(_ reasons: [String]) -> String {
    reasons.dropFirst().reduce(reasons.first ?? "") { "\($0); \($1)" }
  }
}
