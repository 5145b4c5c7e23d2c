import Glibc

/// An entrance for the bytes of strangers, as one function: libFuzzer calls it with inputs of its own making, and the
/// test suites with those of `Tests/Fuzz/Corpus`.
package struct FuzzTarget: Sendable {
  /// The name of the corpus too.
  package let name: String

  /// Throws when the input breaks a property that holds for all inputs. To refuse an input breaks none.
  private let check: @Sendable ([UInt8]) throws -> Void

  package init(_ name: String, check: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.check = check
  }

  package static let all = [
    json, encodings, links, envelopes, documents, signatures, invitations, messages, connections, queries, exports,
    requests, answers, settings, exchanges, credentials,
    presentations, webSocket, logs, resources,
  ]

  /// Most seconds of a processor for one input. A sanitizer and a debug build cost a factor of ten.
  private static let maximumSeconds = 5.0

  /// Checks the properties of this target, and the time that the input takes.
  package func run(_ input: [UInt8]) throws {
    let start = Self.processorSeconds
    try check(input)
    let seconds = Self.processorSeconds - start
    try expect(seconds < Self.maximumSeconds, "\(input.count) bytes take \(seconds) seconds")
  }

  /// The time of this thread alone, which a busy machine does not lengthen.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension FuzzTarget: CustomStringConvertible {
  package var description: String { name }
}

/// A property that an input breaks.
package struct Finding: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

func expect(_ condition: Bool, _ property: @autoclosure () -> String) throws {
  guard condition else { throw Finding(description: property()) }
}
