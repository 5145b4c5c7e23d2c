internal import Logging
internal import Platform

/// A call of an exported function, for the lines about it in the log.
final class Call: Sendable {
  private let function: StaticString
  private let object: String?
  private let start = MonotonicTime.now

  /// Notes that a call begins. Returns nil, at next to no cost, when no logger wants such lines.
  ///
  /// `function` is the `#function` of the exported function, `object` the object that it works on.
  static func begin(_ function: StaticString, on object: @autoclosure () -> String? = nil) -> Call? {
    guard Log.mayTake(.info) else { return nil }
    let call = Call(function, on: object())
    Log.trace("\(call.name) begins")
    return call
  }

  private init(_ function: StaticString, on object: String?) {
    self.function = function
    self.object = object
  }

  /// Logs only numbers and booleans of results: handles and states.
  func succeed<Value>(giving value: Value) {
    Log.info("\(name) succeeded\(Self.text(value).map { " with \($0)" } ?? "") after \(milliseconds) ms")
  }

  func fail(_ error: VCXError) {
    Log.info("\(name) failed with \(error.code.rawValue) after \(milliseconds) ms: \(error.detail)")
  }

  private var name: String {
    let name = "\(function)".prefix { $0 != "(" }
    return object.map { "\(name) on \($0)" } ?? String(name)
  }

  private var milliseconds: Int { MonotonicTime.now.milliseconds(since: start) }

  private static func text<Value>(_ value: Value) -> String? {
    switch value {
    case let number as UInt32: "\(number)"
    case let number as Int32: "\(number)"
    case let pair as NumberAndText: "\(pair.number)"
    case let answer as Bool: "\(answer)"
    default: nil
    }
  }
}
