/// A command of the program: its words, its help and its work. The reader of arguments, the help, the completion of
/// shells and the manual read the same table.
struct Command: Sendable {
  /// The words after `msdk`, such as `wallet info`.
  let name: String
  /// The operands in their order; operands in brackets are optional.
  var operands: [String] = []
  var options: [Option] = []
  let summary: String
  let run: @Sendable (Arguments) throws -> Program.Ending

  static let all = session + wallet + about

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// The operands of a call, which names its wallet by a configuration or by an operand.
  func operands(withConfiguration: Bool) -> [String] {
    withConfiguration && operands.first == Self.walletOperand ? Array(operands.dropFirst()) : operands
  }

  private static let walletOperand = "WALLET"

  var usage: String { ([name] + operands).joined(separator: " ") }
}

// MARK: - The agent

extension Command {
  static let session = [
    Command(
      name: "provision", operands: ["[AGENCY]"],
      options: [
        .config, .wallet, .home, .name, .keyFile, .askKey, .mediator, .registry, .token, .agencyDID, .agencyVerkey,
        .json,
      ],
      summary: "make a wallet, a mailbox at the agency with this address or at a mediator, and the configuration file",
      run: { try Provision($0).run() }),
    session(
      "connect", ["INVITATION"], [.alias, .yes, .noWait, .timeout],
      "accept an invitation, a URL or JSON, after showing its sender; then wait for the answer"
    ) { try $0.connect() },
    session(
      "invite", [], [.alias, .goal, .qr, .png, .noWait, .timeout],
      "make an invitation and print its URL; then wait for the guest"
    ) { try $0.invite() },
    session("connections", [], [], "the connections and their states") { try $0.list() },
    session("forget", ["CONNECTION"], [], "forget a connection and close its mailbox, without a word to the other side")
    {
      try $0.forget()
    },
    session(
      "inbox", [], [.follow, .keep],
      "show the unread messages and mark the basic ones read; finish connections, answer pings"
    ) { try $0.inbox() },
    session(
      "send", ["CONNECTION", "[TEXT]"], [], "send a basic message: TEXT, or what standard input holds"
    ) { try $0.send() },
    session("offers", [], [.timeout], "the credentials that others offer; with --timeout, wait for one") {
      try $0.offers()
    },
    session(
      "accept", ["OFFER"], [.yes, .noWait, .timeout],
      "accept an offer, by its number or its id, and wait for the credential"
    ) { try $0.accept() },
    session(
      "propose", ["OFFER", "VALUES"], [.reason],
      "answer an offer with a proposal of other values, a JSON object; the next offer keeps the number"
    ) { try $0.propose() },
    session(
      "credentials", ["[QUERY]"], [.from, .limit, .skip],
      "the credentials in the wallet; with QUERY the ones that satisfy it, such as '{\"schema_name\":\"diploma\"}'"
    ) { try $0.listCredentials() },
    session("credential", ["ID"], [], "one credential, by its id or the beginning of it, with what came with its offer")
    {
      try $0.showCredential()
    },
    session(
      "proofs", [], [.timeout, .with, .attest],
      "the proofs that others ask for, and what an answer would show; with --timeout, wait for one"
    ) { try $0.proofs() },
    session(
      "present", ["REQUEST"], [.yes, .noWait, .timeout, .with, .attest],
      "give a proof, after showing what the other side will see; then wait for its answer"
    ) { try $0.present() },
    session("decline", ["NUMBER"], [.reason], "decline an offer, or a request for a proof") { try $0.decline() },
    session(
      "copy", ["DIR"], [.url],
      "copy the schemas, definitions and revocation registries of the credentials into a directory, as a registry"
    ) { try $0.copyObjects() },
    Command(
      name: "doctor", options: [.config, .keyFile, .json],
      summary: "check the versions, the configuration, the wallet, the agency or mediator, TLS and the clock",
      run: { try Doctor($0).run() }),
  ]

  private static func session(
    _ name: String, _ operands: [String], _ options: [Option], _ summary: String,
    _ work: @escaping @Sendable (OpenSession) throws -> Void
  ) -> Command {
    Command(name: name, operands: operands, options: options + [.config, .keyFile, .json], summary: summary) {
      try OpenSession.run($0, work)
    }
  }
}

// MARK: - Wallets

extension Command {
  static let wallet = [
    wallet("info", [], [], "the wallet's file, its size, how many records of how many types") { try $0.info() },
    wallet("list", ["[TYPE]"], [.limit], "the types of the records with their counts; of one TYPE the ids") {
      try $0.list()
    },
    wallet("get", ["TYPE", "ID"], [], "one record") { try $0.get() },
    wallet(
      "search", ["TYPE", "[QUERY]"], [.limit],
      "the records of a type that satisfy a query, such as '{\"colour\":\"red\"}'; without one, all"
    ) { try $0.search() },
    wallet("add", ["TYPE", "ID", "[VALUE]"], [.tags], "add a record: VALUE, or what standard input holds") {
      try $0.add()
    },
    wallet("update", ["TYPE", "ID", "[VALUE]"], [.tags], "replace the value of a record; with --tags only its tags") {
      try $0.update()
    },
    wallet("delete", ["TYPE", "ID"], [], "delete a record") { try $0.delete() },
    wallet("export", ["FILE"], [.backupKeyFile], "write all records to an encrypted file") { try $0.export() },
    wallet("import", ["FILE"], [.backupKeyFile], "make a new wallet from an exported file") { try $0.importFile() },
    Command(
      name: "wallet rekey", operands: [walletOperand], options: [.newKeyFile, .newDerivation] + Option.ofWallets,
      summary: "give the wallet another key; the old one opens it no more",
      run: { arguments in
        try WalletSession.run(arguments) {
          try $0.rekey()
          return .done
        }
      }),
    Command(
      name: "wallet verify", operands: [walletOperand], options: [.config] + Option.ofWallets,
      summary: "look at every row of the wallet's file; ends with 3 if something is wrong",
      run: { arguments in try WalletSession.run(arguments) { try $0.verify() } }),
  ]

  private static func wallet(
    _ name: String, _ operands: [String], _ options: [Option], _ summary: String,
    _ work: @escaping @Sendable (WalletSession) throws -> Void
  ) -> Command {
    Command(
      name: "wallet " + name, operands: [walletOperand] + operands, options: options + [.config] + Option.ofWallets,
      summary: summary
    ) { arguments in
      try WalletSession.run(arguments) {
        try work($0)
        return .done
      }
    }
  }
}

// MARK: - The program itself

extension Command {
  static let about = [
    Command(
      name: "qr", operands: ["[TEXT]"], options: [.svg, .png],
      summary: "draw a QR code of TEXT, or of what standard input holds",
      run: { try Picture.run($0) }),
    Command(
      name: "completion", operands: ["SHELL"], options: [.config],
      summary: "print the completion of this program for bash or zsh; for `connections`, their names",
      run: { try Completion.print($0) }),
    Command(
      name: "manual", summary: "print the source of the manual page: msdk manual | man -l -",
      run: { _ in
        try Terminal.writeResult(Manual.page)
        return .done
      }),
  ]
}
