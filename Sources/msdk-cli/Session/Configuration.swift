internal import Files
internal import JSON
internal import MSDK
internal import Platform
internal import ProgramArguments

/// The configuration file of the program, which `provision` makes: the JSON of `vcx_init_with_config`.
struct Configuration {
  let path: String
  /// The members, with the wallet's key, which the user may keep elsewhere.
  let members: JSONObject

  private static let longest = 1 << 20

  /// Reads the file. If it does not contain the wallet's key, another source has the key; with `asking` this may be the
  /// user.
  init(_ arguments: Arguments, asking: Bool = true) throws {
    path = try Self.path(arguments)
    var members = try Self.read(path)
    if members["wallet_key"] == nil, asking {
      let source = KeySource(
        purpose: "the key of the wallet", file: arguments[.keyFile], variable: "MSDK_WALLET_KEY")
      members["wallet_key"] = .string(try source.key())
    }
    self.members = members
  }

  var text: String { JSON.object(members).text }

  /// Sentences about unknown members: a mistyped name would otherwise look like an absent member.
  func doubts() throws -> [String] {
    let (unknown, known) = try Settings.unknownMembers(in: text)
    return unknown.map { name in
      "The configuration's member \(quoted(name)) means nothing.\(Request.suggestion(name, known))"
    }
  }

  /// The file that the option or the environment names, or the usual file.
  static func path(_ arguments: Arguments) throws(Failure) -> String {
    if let path = arguments[.config] ?? Terminal.variable("MSDK_CONFIG") { return path }
    guard let home = Terminal.variable("HOME") else { throw Failure("There is no home: name a file with --config.") }
    return (Terminal.variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/msdk/config.json"
  }

  private static func read(_ path: String) throws(Failure) -> JSONObject {
    do {
      return try JSON(parsing: Files.contents(of: path, limit: longest)).requireObject()
    } catch let error as FileError where error.isMissing {
      throw Failure("There is no configuration \(quoted(path)): `msdk provision` makes it.")
    } catch {
      throw Failure("The configuration \(quoted(path)) cannot be used: \(error).")
    }
  }

  /// Whether other users of the machine can read the file.
  var isReadableByOthers: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
  }
}

/// A file that only its owner can read, and that is complete or absent.
struct PrivateFile {
  let path: String

  var exists: Bool { !Files.isFree(path) }

  /// The JSON object in the file; nil if the file has none.
  var object: JSONObject? { (try? Files.contents(of: path, limit: 1 << 20)).flatMap { try? JSON(parsing: $0).object } }

  /// Writes the file, and leaves no draft behind, which would hold the same secrets.
  func write(_ json: JSON) throws(FileError) { try Files.replace(path, with: bytes(of: json)) }

  /// The same, unless there is such a file: then it throws an error that `isOccupied`.
  func create(_ json: JSON) throws(FileError) { try Files.create(path, with: bytes(of: json)) }

  /// Makes the folder of the file.
  private func bytes(of json: JSON) throws(FileError) -> [UInt8] {
    if let directory = Files.parent(of: path) { try Files.makeDirectory(directory) }
    return Array((json.text + "\n").utf8)
  }
}
