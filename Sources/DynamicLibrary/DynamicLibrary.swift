internal import CDynamicLibrary
internal import Glibc

/// A shared library that is opened while the program runs, so that the program also works without it.
///
/// It is never closed: libraries keep threads, and what threads clean up when they end.
package final class DynamicLibrary: @unchecked Sendable {
  // The handle is only read, and `dlsym` may be called from any thread: that is what makes the class Sendable.
  private let handle: UnsafeMutableRawPointer
  /// The file as it was opened: a path, or a bare name that the system has found.
  package let path: String

  /// Opens the library called `file`.
  ///
  /// A path that the caller gives is the only one that is tried. Next comes the path in the environment `variable`, which
  /// is then the only one, too. Otherwise the library is looked for beside the file that this code is part of, and then
  /// where the system looks.
  package convenience init(_ file: String, variable: String, path: String? = nil) throws(DynamicLibraryError) {
    if let path = path ?? getenv(variable).map({ String(cString: $0) }), !path.isEmpty {
      try self.init(firstOf: [path])
    } else {
      try self.init(firstOf: [Self.pathBeside(file), file].compactMap(\.self))
    }
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

  /// The function of this name. The caller vouches for `Function`, a C function type.
  package func function<Function>(_ name: String) throws(DynamicLibraryError) -> Function {
    guard let address = dlsym(handle, name) else { throw .noFunction(name, in: path) }
    return unsafeBitCast(address, to: Function.self)
  }

  /// Where `file` would lie if it lay beside the library or program that this code is part of.
  private static func pathBeside(_ file: String) -> String? {
    var image = msdk_image()
    guard dladdr(#dsohandle, &image) != 0, let name = image.file else { return nil }
    let path = String(cString: name)
    return path.lastIndex(of: "/").map { "\(path[...$0])\(file)" }
  }
}

/// Why a shared library cannot be used.
package enum DynamicLibraryError: Error, Equatable, Sendable {
  /// The system's reason for each path that was tried.
  case notOpened([String])
  case noFunction(String, in: String)
}

extension DynamicLibraryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notOpened(let reasons): joined(reasons)
    case .noFunction(let name, let path): "\(path) has no function \(name)"
    }
  }

  private func joined(_ reasons: [String]) -> String {
    reasons.dropFirst().reduce(reasons.first ?? "") { "\($0); \($1)" }
  }
}
