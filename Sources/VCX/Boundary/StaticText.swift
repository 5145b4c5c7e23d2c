internal import CRevision
internal import MSDK
internal import Platform

/// Texts that live as long as the process, for functions that return a pointer which the caller does not free.
enum StaticText {
  /// The version, at an address below 2 GiB if the system has memory there.
  nonisolated(unsafe) static let version: CString? = {
    let text = UnsafeBufferPointer(start: build_version, count: strlen(build_version))
    guard let memory = LowMemory(capacity: text.count + 1) else { return build_version }
    defer { memory.protect() }
    return memory.store(text.lazy.map(UInt8.init(bitPattern:)))
  }()

  /// The fixed text of an error code. Unknown numbers have the text of 1001.
  static func error(_ code: UInt32) -> CString? { errors[code] ?? errors[ErrorCode.unknownError.rawValue] }

  /// The name of a state; nil if objects of the type have no such state.
  static func state(_ type: String, _ number: UInt32) -> CString? {
    KeptKind(rawValue: type).flatMap { states[$0]?[number] }
  }

  // The texts are written once, before any thread reads them, and never freed. So the pointers are valid on every
  // thread.
  nonisolated(unsafe) private static let errors: [UInt32: CString] = Dictionary(
    uniqueKeysWithValues: ErrorCode.allCases.map { ($0.rawValue, copy($0.text)) })

  nonisolated(unsafe) private static let states: [KeptKind: [UInt32: CString]] = Dictionary(
    uniqueKeysWithValues: KeptKind.allCases.map { ($0, $0.stateNames.mapValues(copy)) })

  private static func copy(_ text: String) -> CString {
    let utf8 = Array(text.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count)
    memory.initialize(from: utf8, count: utf8.count)
    return UnsafePointer(memory)
  }
}
