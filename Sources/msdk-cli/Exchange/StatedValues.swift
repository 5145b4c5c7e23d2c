internal import Credentials
internal import JSON
internal import ProgramArguments

/// The values that the user states without a credential, by the names of attributes.
struct StatedValues {
  private let values: [AttributeName: (spelling: String, value: String)]

  /// Reads the value of `--attest`. Throws unless it is a JSON object of texts that names each attribute once: in a
  /// request, the case and the blanks of a name do not count.
  init(_ arguments: Arguments) throws(UsageError) {
    var values: [AttributeName: (spelling: String, value: String)] = [:]
    for (spelling, value) in try Self.members(arguments) {
      guard let value = value.string else { throw Self.refusal(arguments, "\(quoted(spelling)) has another value.") }
      guard values.updateValue((spelling, value), forKey: AttributeName(spelling)) == nil else {
        throw Self.refusal(arguments, "It names \(quoted(spelling)) twice.")
      }
    }
    self.values = values
  }

  private static func members(_ arguments: Arguments) throws(UsageError) -> [(key: String, value: JSON)] {
    guard let text = arguments[.attest] else { return [] }
    do {
      let members = try JSON(parsing: Array(text.utf8), repeatedNames: .refused).requireObject().members
      return members.map { ($0.key, $0.value) }
    } catch { throw refusal(arguments, asSentence("\(error)")) }
  }

  private static func refusal(_ arguments: Arguments, _ reason: String) -> UsageError {
    UsageError("--attest is a JSON object of texts. \(reason)", of: arguments.command)
  }

  /// The stated value of an attribute in any spelling; nil if the user states none.
  subscript(name: String) -> String? { values[AttributeName(name)]?.value }

  /// The attributes, with the user's spelling of their names.
  var attributes: [(name: AttributeName, spelling: String)] { values.map { ($0.key, $0.value.spelling) } }
}
