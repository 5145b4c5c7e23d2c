internal import Files
internal import Platform

/// Finds the libraries that credentials and ledgers need, in the folders where users have them.
///
/// The library itself looks beside the program and in the system's places. This program also looks in the folders of
/// PyPI's packages: beside the wheel's package, and in a folder of the user.
enum Engines {
  /// A library, the variable that names it, and the package of PyPI that has it.
  struct Engine {
    let file, variable, folder, package: String
  }

  static let anonCreds = Engine(
    file: "libanoncreds.so", variable: "MSDK_ANONCREDS_LIB", folder: "anoncreds", package: "anoncreds==0.2.3")
  static let indyVDR = Engine(
    file: "libindy_vdr.so", variable: "MSDK_INDY_VDR_LIB", folder: "indy_vdr", package: "indy-vdr==0.4.2")

  /// Names the libraries in the environment of this process. The user's path in the environment comes first, then the
  /// file beside the program.
  static func name() {
    for engine in [anonCreds, indyVDR] where Terminal.variable(engine.variable) == nil {
      guard let path = places(of: engine).first(where: { !Files.isFree($0) }) else { continue }
      // The library finds the file beside the program by itself.
      unsafe setenv(engine.variable, path, 0)
    }
  }

  /// The line that installs a library where `name` finds it. It needs no rights, and changes no environment of Python.
  static func remedy(_ engine: Engine) -> String {
    let folder = Terminal.variable("XDG_DATA_HOME").map { $0 + "/msdk" } ?? "~/.local/share/msdk"
    return "python3 -m pip install --target \(folder) \(engine.package)"
  }

  private static func places(of engine: Engine) -> [String] {
    let beside = ownFolder.map {
      ["\($0)/\(engine.file)", "\($0)/../lib/\(engine.file)", "\($0)/../../\(engine.folder)/\(engine.file)"]
    }
    return (beside ?? []) + (userFolder.map { ["\($0)/\(engine.folder)/\(engine.file)"] } ?? [])
  }

  /// The folder of this program, as the system knows it: the caller chooses `argv[0]`.
  private static var ownFolder: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &path, path.count)
    guard length > 0 else { return nil }
    return Files.parent(of: String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  private static var userFolder: String? {
    let data = Terminal.variable("XDG_DATA_HOME") ?? Terminal.variable("HOME").map { $0 + "/.local/share" }
    return data.flatMap { $0.hasPrefix("/") ? $0 + "/msdk" : nil }
  }
}
