/// The command line.
struct Arguments {
  var address = "127.0.0.1"
  var port: UInt16 = 8080
  var dataFolder: String?
  var wantsHelp = false

  static let usage = """
    usage: msdk-agency --data DIR [--port N] [--address IP] [--provisioning open]
           msdk-agency --help

    Runs an agency: Cloud Agents with their mailboxes.

      --data DIR           folder for accounts, messages and keys; made if necessary.
                           Back it up: whoever loses master.key or agency.db loses every account.
      --port N             port to listen on (default 8080); 0 takes a free one
      --address IP         numeric address to listen on (default 127.0.0.1)
      --provisioning open  who may have an agent: anybody (the default)

    When it is ready, it prints one line of JSON: endpoint, DID and verkey. It logs to standard error,
    and ends cleanly on SIGTERM and SIGINT.

    """

  /// Fails with what to tell the user.
  init(_ arguments: some Collection<String>) throws(UsageError) {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      if option == "--help" || option == "-h" {
        wantsHelp = true
        return
      }
      guard Self.options.contains(option) else { throw UsageError("unknown option \(option)") }
      guard let value = rest.next() else { throw UsageError("\(option) needs a value") }
      try set(option, value)
    }
    guard dataFolder != nil else { throw UsageError("--data is required") }
  }

  private static let options = ["--data", "--port", "--address", "--provisioning"]

  private mutating func set(_ option: String, _ value: String) throws(UsageError) {
    switch option {
    case "--data": dataFolder = value
    case "--address": address = value
    case "--port":
      guard let number = UInt16(value) else { throw UsageError("--port is not a number from 0 to 65535") }
      port = number
    default:
      guard value == "open" else { throw UsageError("--provisioning knows only: open") }
    }
  }
}

struct UsageError: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
