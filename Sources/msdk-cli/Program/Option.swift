internal import ProgramArguments

/// The options of all commands.
enum Option: String, CaseIterable, ProgramOption {
  case config = "--config"
  case wallet = "--wallet"
  case name = "--name"
  case askKey = "--ask-key"
  case mediator = "--mediator"
  case registry = "--registry"
  case token = "--token"
  case agencyDID = "--agency-did"
  case agencyVerkey = "--agency-verkey"
  case alias = "--as"
  case yes = "--yes"
  case noWait = "--no-wait"
  case timeout = "--timeout"
  case goal = "--goal"
  case qr = "--qr"
  case png = "--png"
  case svg = "--svg"
  case follow = "--follow"
  case keep = "--keep"
  case reason = "--reason"
  case with = "--with"
  case attest = "--attest"
  case home = "--home"
  case keyFile = "--key-file"
  case derivation = "--derivation"
  case backupKeyFile = "--backup-key-file"
  case newKeyFile = "--new-key-file"
  case newDerivation = "--new-derivation"
  case tags = "--tags"
  case url = "--url"
  case from = "--from"
  case limit = "--limit"
  case skip = "--skip"
  case json = "--json"

  /// The options of every command on a wallet.
  static let ofWallets: [Option] = [.home, .keyFile, .derivation, .json]

  /// The placeholder of the option's value; nil for an option without one.
  var value: String? {
    switch self {
    case .config, .token, .png, .keyFile, .backupKeyFile, .newKeyFile: "FILE"
    case .home: "DIR"
    case .registry: "DIR|URL"
    case .wallet, .name, .alias, .from: "NAME"
    case .mediator: "INVITATION"
    case .agencyDID: "DID"
    case .agencyVerkey: "VERKEY"
    case .goal, .reason: "TEXT"
    case .with: "ID"
    case .timeout: "SECONDS"
    case .url: "URL"
    case .derivation, .newDerivation: "METHOD"
    case .tags, .attest: "JSON"
    case .limit, .skip: "N"
    case .askKey, .yes, .noWait, .qr, .svg, .follow, .keep, .json: nil
    }
  }

  var summary: String {
    switch self {
    case .config: "the configuration file (default $MSDK_CONFIG, or ~/.config/msdk/config.json)"
    case .wallet: "the name of the new wallet (default msdk, or the next free one, such as msdk-2)"
    case .name: "your name, as peers see it (default msdk)"
    case .askKey: "ask for the wallet's key at every start; by default a random one is in the configuration"
    case .mediator: "the invitation of a mediator, a URL or JSON, in place of an agency"
    case .registry: "the directory or the URL at which issuers publish the definitions of their credentials"
    case .token: "a file that holds a sponsor's token, as JSON"
    case .agencyDID: "the agency's DID, if its address does not tell it"
    case .agencyVerkey: "the agency's verkey, likewise"
    case .alias: "your name for the connection"
    case .yes: "agree without asking"
    case .noWait: "do not wait for the other side: a later command goes on"
    case .timeout: "wait so long for the other side (default 60; `offers` and `proofs`: 0)"
    case .goal: "the purpose of the invitation, for people"
    case .qr: "show the invitation as a QR code, if the terminal has room"
    case .png: "write the QR code into a new file, as a picture"
    case .svg: "print the QR code as a picture in SVG"
    case .follow: "wait for more messages, until Ctrl-C"
    case .keep: "leave the messages unread"
    case .reason: "the reason, for the other side"
    case .with: "the credential to prefer, by its id or by the beginning of it"
    case .attest: "values that you state without a credential, as a JSON object by attribute"
    case .home: "the directory that holds the wallet's directory (default ~/.indy_client/wallet)"
    case .keyFile: "a file that holds the wallet's key; one line break at its end does not count"
    case .derivation: "ARGON2I_MOD (default), ARGON2I_INT or RAW: how the file's key is made from the wallet's"
    case .backupKeyFile: "a file that holds the key of the exported file"
    case .newKeyFile: "a file that holds the new key"
    case .newDerivation: "how the file's key is made from the new key (default ARGON2I_MOD)"
    case .tags: "the tags, as a JSON object"
    case .url: "the URL at which a web server has the directory, for the places of tails files"
    case .from: "only credentials that this connection has brought"
    case .limit: "stop after N of them"
    case .skip: "leave out the first N of them"
    case .json: "results as JSON: one value, or one line for each"
    }
  }
}
