internal import ProgramArguments

/// The commands of `msdk wallet`.
enum Command: String, CaseIterable {
  case info, list, get, search, export, `import`, rekey, verify

  /// The operands after the wallet's name, in this order; the last one is optional if `lastIsOptional`.
  var operands: [String] {
    switch self {
    case .info, .rekey, .verify: []
    case .list: ["TYPE"]
    case .get: ["TYPE", "ID"]
    case .search: ["TYPE", "QUERY"]
    case .export, .import: ["FILE"]
    }
  }

  var lastIsOptional: Bool { self == .list || self == .search }

  /// The options beside the common ones.
  var options: [Option] {
    switch self {
    case .info, .get, .verify: []
    case .list, .search: [.limit]
    case .export, .import: [.backupKeyFile]
    case .rekey: [.newKeyFile, .newDerivation]
    }
  }

  var summary: String {
    switch self {
    case .info: "what the wallet is: its file, its size, how many records of how many types"
    case .list: "the types of the records and how many there are of each; of one TYPE the ids"
    case .get: "one record"
    case .search: "the records of a type that satisfy a query, such as '{\"colour\":\"red\"}'; without one, all"
    case .export: "write all records, those of the library too, to an encrypted file"
    case .import: "make a new wallet from an exported file"
    case .rekey: "give the wallet another key; the old one opens it no more"
    case .verify: "look at every row of the wallet's file; ends with 3 when something is wrong"
    }
  }
}

/// The options. All take a value but `--json`.
enum Option: String, CaseIterable, ProgramOption {
  case home = "--home"
  case keyFile = "--key-file"
  case derivation = "--derivation"
  case json = "--json"
  case backupKeyFile = "--backup-key-file"
  case newKeyFile = "--new-key-file"
  case newDerivation = "--new-derivation"
  case limit = "--limit"

  /// The options of every command.
  static let common: [Option] = [.home, .keyFile, .derivation, .json]

  /// The placeholder of the option's value; nil for an option without one.
  var value: String? {
    switch self {
    case .home: "DIR"
    case .keyFile, .backupKeyFile, .newKeyFile: "FILE"
    case .derivation, .newDerivation: "METHOD"
    case .limit: "N"
    case .json: nil
    }
  }

  var summary: String {
    switch self {
    case .home: "the directory that holds the wallet's directory (default ~/.indy_client/wallet)"
    case .keyFile: "a file that holds the wallet's key; one line break at its end does not count"
    case .derivation: "ARGON2I_MOD (default), ARGON2I_INT or RAW: how the file's key is made from the wallet's"
    case .json: "results as JSON: one value, or one line for each record"
    case .backupKeyFile: "a file that holds the key of the exported file"
    case .newKeyFile: "a file that holds the new key"
    case .newDerivation: "how the file's key is made from the new key (default ARGON2I_MOD)"
    case .limit: "stop after N of them"
    }
  }
}
