import Foundation
import TestSupport
import Testing

/// No error of the library's layers reaches a program without a number of its own.
@Suite struct ErrorNumberTests {
  /// The errors that a layer converts to its own where they arise.
  private static let converted: Set = [
    "AgreementError", "ControllerError", "CredentialMismatch", "DIDLogError", "DynamicLibraryError", "Ended",
    "EndpointError", "EntryError", "FetchError", "FileError", "HTTPError", "InexactNumber", "KeyFileError",
    "LedgerError", "ParameterError", "PatternError", "ProgramAnswerError", "ProofError", "PublicationError",
    "RegistryError", "ResourceError", "SQLiteError", "SignatureError", "Violation", "WebSocketError", "WireRefusal",
  ]

  /// The targets that the library does not contain, and `VCX`, whose error has the number.
  private static let elsewhere: Set = [
    "AgencyServer", "HTTPServing", "OpenSSL", "PostgreSQL", "ProgramArguments", "VCX", "msdk-agency", "msdk-cli",
  ]

  @Test func everyErrorOfTheLayersHasANumber() throws {
    let sources = Fixtures.folder.appending(path: "../../Sources").standardized
    let boundary = sources.appending(path: "VCX/Boundary")
    let numbers = try ["Layers", "Credentials"].map {
      try String(contentsOf: boundary.appending(path: "VCXError+\($0).swift"), encoding: .utf8)
    }.joined()
    let errors = try Self.errors(below: sources).subtracting(Self.converted)
    #expect(errors.isSuperset(of: ["ConnectionError", "CredentialsError", "JSONError", "PresentationFailed"]))
    for error in errors.sorted() {
      #expect(numbers.contains("extension \(error): NumberedError {"), "\(error) has no number")
    }
  }

  /// The names of the types that are declared as errors.
  private static func errors(below sources: URL) throws -> Set<String> {
    let declaration = try Regex(#"(?:enum|struct|class) (\w+): Error\b"#, as: (Substring, Substring).self)
    var names: Set<String> = []
    for case let path as String in FileManager.default.enumerator(atPath: sources.path()) ?? .init()
    where path.hasSuffix(".swift") && !elsewhere.contains(String(path.prefix { $0 != "/" })) {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      names.formUnion(text.matches(of: declaration).map { String($0.output.1) })
    }
    return names
  }
}
