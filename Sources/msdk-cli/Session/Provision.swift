internal import CloudAgent
internal import Files
internal import HTTP
internal import JSON
internal import MSDK
internal import Platform
internal import ProgramArguments
internal import Sodium
internal import Wallet

/// The command `provision`: makes a wallet, registers at an agency or a mediator, and writes the configuration.
///
/// Until it succeeds, the request is kept beside the configuration, with the wallet's key: a repetition finds the
/// wallet of an earlier attempt.
struct Provision {
  private let arguments: Arguments
  private let configuration, request: PrivateFile

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    let path = try Configuration.path(arguments)
    configuration = PrivateFile(path: path)
    request = PrivateFile(path: path + ".request")
    guard !path.hasSuffix("/") else { throw Failure("\(quoted(path)) is the name of a folder: name a file.") }
    guard !configuration.exists else {
      throw Failure("There is a configuration \(quoted(path)) already. Name another file with --config.")
    }
  }

  func run() throws -> Program.Ending {
    let token = try arguments[.token].map { path in
      try SponsorToken(parsing: String(decoding: Files.contents(of: path, limit: 1 << 16), as: UTF8.self))
    }
    let wanted = try newRequest()
    try requireKnownKey(wanted)
    try keep(wanted)
    var result = try Progress.showing("provisioning") {
      try JSON(parsing: Provisioning(parsing: JSON.object(wanted).text).run(with: token)).requireObject()
    }
    if arguments.has(.askKey) { result["wallet_key"] = nil }
    try create(result)
    try Files.remove(request.path)
    try show(result)
    return .done
  }

  /// Writes the configuration, unless another command has made one in the meantime.
  private func create(_ result: JSONObject) throws {
    do throws(FileError) { try configuration.create(.object(result)) } catch {
      guard error.isOccupied else { throw error }
      throw Failure("Another command has made the configuration \(quoted(configuration.path)) meanwhile, which stays.")
    }
  }

  /// Throws if the new request would take the place of the only text that has the key of a wallet which an earlier attempt has
  /// made.
  private func requireKnownKey(_ wanted: JSONObject) throws {
    guard let earlier, let key = earlier["wallet_key"], let name = earlier["wallet_name"]?.string,
      !(isSameWallet(earlier, wanted) && wanted["wallet_key"] == key),
      try isPlaceUnknown || Wallet.exists(WalletLocation(id: name, home: earlier["storage_config"]?["path"]?.string))
    else { return }
    let home = earlier["storage_config"]?["path"]?.string.map { ", with --home \(printable($0))" } ?? ""
    throw Failure(
      "\(quoted(request.path)) has the key of the wallet \(quoted(name)), which an earlier attempt has made. Repeat the command "
        + "without another wallet or key\(home), or name another file with --config.")
  }

  /// Keeps the request for a repetition, without a key that the user does not want in a file.
  private func keep(_ wanted: JSONObject) throws {
    var kept = wanted
    if arguments.has(.askKey) { kept["wallet_key"] = nil }
    try request.write(.object(kept))
  }

  private func newRequest() throws -> JSONObject {
    var members = try cloudAgent()
    members["wallet_name"] = .string(try walletName())
    members["protocol_type"] = "4.0"
    if let home { members["storage_config"] = ["path": .string(home)] }
    if let name = arguments[.name] { members["institution_name"] = .string(name) }
    if let place = arguments[.registry] { members["anoncreds_registries"] = [Self.registry(at: place)] }
    try addKey(to: &members)
    return members
  }

  /// The user's folder for the wallet. The configuration serves in each folder.
  private var home: String? { arguments[.home].map(Files.absolutePath(of:)) }

  /// The place of public objects, as a configuration names it.
  private static func registry(at place: String) -> JSON {
    if isAbsoluteURL(place) { return ["type": "http", "url": .string(place)] }
    return ["type": "file", "path": .string(Files.absolutePath(of: place))]
  }

  /// The name that the user gives, or the name of an earlier attempt. Without both, the first free name of `msdk`,
  /// `msdk-2`, …, because each configuration of a user gets a wallet of its own.
  private func walletName() throws -> String {
    let usual = "msdk"
    if let name = arguments[.wallet] { return name }
    if let earlier, earlier["storage_config"]?["path"]?.string == home,
      let name = earlier["wallet_name"]?.string
    {
      return name
    }
    var (name, number) = (usual, 2)
    while try Wallet.exists(WalletLocation(id: name, home: home)) {
      name = "\(usual)-\(number)"
      number += 1
    }
    return name
  }

  /// Whether the user gives the wallet's key.
  private var hasOwnKey: Bool {
    arguments.has(.askKey) || arguments.has(.keyFile) || Terminal.variable("MSDK_WALLET_KEY") != nil
  }

  /// The user's key, the key of an earlier attempt with the same wallet, or a random key, which needs no slow
  /// derivation.
  private func addKey(to members: inout JSONObject) throws {
    if hasOwnKey {
      let source = KeySource(
        purpose: "the key of the wallet", file: arguments[.keyFile], variable: "MSDK_WALLET_KEY", isNew: true)
      members["wallet_key"] = .string(try source.key())
    } else if let earlier, isSameWallet(earlier, members) {
      guard earlier["wallet_key"] != nil else {
        throw Failure("The earlier attempt took the wallet's key from you, and did not keep it: give --ask-key again.")
      }
      for name in ["wallet_key", "wallet_key_derivation"] { members[name] = earlier[name] }
    } else {
      members["wallet_key"] = .string(Base58.encode(randomBytes(32)))
      members["wallet_key_derivation"] = "RAW"
    }
  }

  /// The request of an earlier attempt. Older versions kept a relative path.
  private var earlier: JSONObject? {
    var members = request.object
    if let home = members?["storage_config"]?["path"]?.string {
      members?["storage_config"] = ["path": .string(Files.absolutePath(of: home))]
    }
    return members
  }

  /// Whether the request of an earlier attempt names a folder that only the shell of that time knows.
  private var isPlaceUnknown: Bool {
    request.object?["storage_config"]?["path"]?.string.map { !$0.hasPrefix("/") } ?? false
  }

  private func isSameWallet(_ first: JSONObject, _ second: JSONObject) -> Bool {
    ["wallet_name", "storage_config"].allSatisfy { first[$0] == second[$0] }
  }

  /// The members that name the mediator, or the agency.
  private func cloudAgent() throws -> JSONObject {
    switch (arguments.operands.first, arguments[.mediator]) {
    case (nil, let invitation?): return ["mediator_invitation": .string(invitation)]
    case (let address?, nil):
      let agency = try agency(at: address)
      return [
        "agency_endpoint": .string(agency.endpoint), "agency_did": .string(agency.did),
        "agency_verkey": .string(agency.verkey),
      ]
    case (nil, nil): throw UsageError("AGENCY is missing, or --mediator.", of: arguments.command)
    case (_?, _?): throw UsageError("AGENCY and --mediator exclude each other.", of: arguments.command)
    }
  }

  /// The agency's identity: from the options, or as the agency itself tells it.
  private func agency(at address: String) throws -> (endpoint: String, did: String, verkey: String) {
    let endpoint = address.hasSuffix("/") ? String(address.dropLast()) : address
    guard isAbsoluteURL(endpoint) else {
      throw UsageError("\(quoted(address)) is no URL: it begins with http:// or https://.")
    }
    if let did = arguments[.agencyDID], let verkey = arguments[.agencyVerkey] { return (endpoint, did, verkey) }
    do {
      let identity = try Progress.showing("asking \(printable(endpoint))") { try patientIdentity(at: endpoint) }
      return (endpoint, identity.did, identity.verkey)
    } catch CloudAgentError.refused, CloudAgentError.invalidAnswer {
      throw Failure("\(quoted(endpoint)) does not tell its DID: give --agency-did and --agency-verkey.")
    }
  }

  /// The agency's identity. Asks again for some seconds if nobody answers: the agency may have been started just now.
  private func patientIdentity(at endpoint: String) throws -> AgencyIdentity {
    let end = MonotonicTime.now.after(milliseconds: Self.patience)
    while true {
      do { return try AgencyIdentity(at: endpoint, over: HTTPClient()) } catch {
        guard Self.meansNobodyAnswers(error) else { throw error }
        guard end.millisecondsLeft > 0 else { throw Failure(asSentence("\(error)") + " Does an agency run there?") }
      }
      Terminal.sleep(milliseconds: 200)
    }
  }

  private static func meansNobodyAnswers(_ error: any Error) -> Bool {
    if case CloudAgentError.unreachable = error { true } else { false }
  }

  /// The milliseconds for which an agency that nobody reaches is asked again.
  private static let patience = 3000

  private func show(_ result: JSONObject) throws {
    let place = quoted(configuration.path)
    let key = arguments.has(.askKey) ? "without the wallet's key" : "with the wallet's key: keep it secret"
    try arguments.show(
      [
        "config": .string(configuration.path), "wallet": result["wallet_name"] ?? .null,
        "did": result["sdk_to_remote_did"] ?? .null, "agency": result["agency_endpoint"] ?? .null,
        "mediator": result["mediator_service"]?["serviceEndpoint"] ?? .null,
      ],
      ["The configuration is in \(place), \(key)."])
  }
}
