// Only for JSON: the part of Foundation without a runtime of its own, where there is one.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import CMSDK
internal import CMSDKCalls

/// JSON text, as the library takes and gives it.
enum JSONText {
  /// The text of a value. The types of this module have no value that JSON lacks.
  static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Reads a text of the library. Throws 1016, "malformed JSON", for a text of another shape.
  static func read<Value: Decodable>(_ type: Value.Type, _ text: String?) throws(MSDKError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data((text ?? "null").utf8))
    } catch {
      throw MSDKError(code: VCX_INVALID_JSON.rawValue, details: "\(error)")
    }
  }
}
