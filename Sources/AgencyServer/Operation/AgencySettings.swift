internal import DIDComm
internal import Files
package import HTTPServing
package import JSON
internal import PostgreSQL
internal import Sodium

/// The operator's choices, from a JSON file. Every member has a default. An unknown member is an error, since a
/// misspelt limit would be no limit.
package struct AgencySettings: Sendable {
  package var address = "127.0.0.1"
  package var port: UInt16 = 8080
  package var dataFolder: String?

  /// The URI of a PostgreSQL database; nil keeps everything in `dataFolder`.
  package private(set) var database: String?

  /// The files that the settings were read from, and the files with secrets that they name.
  package private(set) var files: [SettingsFile] = []

  package var rules = Agency.Rules()
  package var limits = HTTPServer.Limits()

  package init() {}

  /// Relative names of files start in `folder`, the folder of the settings.
  package init(_ json: JSON, folder: String = ".") throws(AgencySettingsError) {
    var members = try Members(json, of: "")
    dataFolder = try members.take("data", \.string)
    if let database = try members.take("database", \.string) { try use(database: database) }
    if let address: String = try members.take("address", \.string) { self.address = address }
    if let port = try members.take("port", \.integer) {
      guard let port = UInt16(exactly: port) else { throw .wrongValue("port") }
      self.port = port
    }
    if let endpoint: String = try members.take("public_endpoint", \.string) {
      guard let endpoint = PublicEndpoint(endpoint) else { throw .wrongValue("public_endpoint") }
      rules.publicEndpoint = endpoint
    }
    try readAdmission(&members, folder)
    rules.push = try members.takePush(folder, &files)
    rules.callsPrivateWebhooks = try members.take("private_webhooks", \.bool) ?? false
    rules.showsMetrics = try members.take("metrics", \.bool) ?? false
    rules.trustedProxy = try members.takeAddress("trusted_proxy")
    if let limits = try members.take("limits", { $0 }) { try readLimits(limits) }
    try members.finish()
  }

  /// Reads the settings in the file at `path`.
  package init(_ json: JSON, file path: String) throws(AgencySettingsError) {
    try self.init(json, folder: Files.parent(of: path) ?? ".")
    files.append(SettingsFile(path: path, isSecret: hasSecrets))
  }

  /// Whether a secret is in the settings themselves.
  private var hasSecrets: Bool {
    let target = database.flatMap { try? ConnectionTarget($0) }
    return target?.hasPassword == true || rules.admission.hasSecrets
  }

  /// Keeps accounts and messages in the PostgreSQL database with this URI. Throws if the URI is malformed.
  package mutating func use(database uri: String) throws(AgencySettingsError) {
    do throws(PostgreSQLError) { _ = try ConnectionTarget(uri) } catch { throw .database(error.message) }
    database = uri
  }

  /// The rules. The limit of bodies is also the limit of messages.
  var messageRules: Agency.Rules {
    var rules = rules
    rules.messageBytes = limits.body
    return rules
  }

  /// The limits, with room for the body of one backup: three layers make it 3.2 times as long as the exported wallet.
  var roomyLimits: HTTPServer.Limits {
    var limits = limits
    limits.body = max(limits.body, rules.backupBytes / 10 * 33 + 64 << 10)
    limits.bodies = max(limits.bodies, limits.body)
    return limits
  }

  /// The open files and sockets that an agency needs besides its connections: for the store, and for notifications.
  private static let otherFiles = 1024

  /// The files and sockets that an agency with these settings may open.
  package var neededFiles: Int { max(8192, limits.connections + Self.otherFiles) + limits.waiting }

  /// Lowers the number of waiting clients if the process may open fewer files and sockets than an agency needs.
  package mutating func fit(intoFiles count: Int) {
    limits.waiting = min(limits.waiting, max(0, count - limits.connections - Self.otherFiles))
    rules.waiting.all = limits.waiting
  }

  private mutating func readAdmission(_ members: inout Members, _ folder: String) throws(AgencySettingsError) {
    let text = try members.take("provisioning", \.string) ?? "open"
    guard let mode = Admission.Mode(rawValue: text) else { throw .wrongValue("provisioning") }
    let window = try members.take("token_window_s", \.integer) ?? 600
    guard window > 0, window <= Admission.longestWindow else { throw .wrongValue("token_window_s") }
    var sponsors: [Sponsor] = []
    for element in try members.take("sponsors", \.array) ?? [] { sponsors.append(try Sponsor(element, folder, &files)) }
    do {
      rules.admission = try Admission(mode: mode, window: window, sponsors: sponsors)
    } catch {
      throw .sponsors(error)
    }
  }

  private mutating func readLimits(_ json: JSON) throws(AgencySettingsError) {
    var members = try Members(json, of: "limits")
    try members.takeLimit("body_bytes", &limits.body)
    try members.takeLimit("bodies_bytes", &limits.bodies)
    try members.takeLimit("connections", &limits.connections)
    try members.takeLimit("connections_per_address", &limits.connectionsPerClient)
    try members.takeLimit("header_s", &limits.headerSeconds)
    try members.takeLimit("body_s", &limits.bodySeconds)
    try members.takeLimit("idle_s", &limits.idleSeconds)
    try members.takeLimit("waiting", &limits.waiting)
    rules.waiting.all = limits.waiting
    try members.takeLimit("waiting_per_account", &rules.waiting.perAccount)
    try members.takeLimit("waiting_per_address", &rules.waiting.perAddress)
    try members.takeLimit("wait_s", &rules.waiting.seconds)
    try members.takeLimit("mailbox_messages", &rules.quota.messages)
    try members.takeLimit("mailbox_bytes", &rules.quota.bytes)
    try members.takeLimit("mailboxes", &rules.mailboxesPerAgent)
    try members.takeLimit("com_methods", &rules.comMethodsPerAgent)
    try members.takeLimit("answer_bytes", &rules.answerBytes)
    try members.takeLimit("backup_bytes", &rules.backupBytes)
    try members.takeLimit("requests_per_s", &rules.rate.requests)
    try members.takeLimit("requests_burst", &rules.rate.burst)
    try members.takeLimit("provisionings_per_min", &rules.provisioningsPerMinute)
    try members.takeLimit("keep_read_h", &rules.retention.readHours)
    try members.takeLimit("keep_unread_d", &rules.retention.unreadDays)
    try members.finish()
    // An accepted message must fit an empty mailbox.
    guard rules.quota.bytes >= limits.body else { throw .wrongValue("limits.mailbox_bytes") }
    guard limits.bodies / HTTPServer.Limits.clientsShare >= limits.body else {
      throw .wrongValue("limits.bodies_bytes")
    }
  }
}

extension Sponsor {
  fileprivate init(_ json: JSON, _ folder: String, _ files: inout [SettingsFile]) throws(AgencySettingsError) {
    var members = try Members(json, of: "sponsors")
    guard let id = try members.take("id", \.string) else { throw .missing("sponsors.id") }
    self.init(id: id)
    isActive = try members.take("active", \.bool) ?? true
    for element in try members.take("verkeys", \.array) ?? [] {
      guard let text = element.string, let key = try? VerKey(text) else { throw .wrongValue("sponsors.verkeys") }
      keys.append(key)
    }
    endpoint = try members.takeURL("endpoint")
    push = try members.takePush(folder, &files)
    pushRelay = try members.takeURL("push_relay")
    tokenEndpoint = try members.takeURL("token_endpoint")
    if let secret = try members.take("webhook_secret", \.string) {
      guard !secret.isEmpty, !Self.examples.contains(secret) else { throw .wrongValue("sponsors.webhook_secret") }
      webhookSecret = SecretBytes(copying: secret.utf8)
    }
    try members.finish()
  }

  /// Secrets from examples of settings, which everybody knows.
  private static let examples = [
    "a long random text", "replace this by a long random text, and the verkey by the sponsor's",
  ]
}

/// The members of an object, removed one by one, so that the remaining ones are unknown.
private struct Members {
  private var left: JSONObject
  private let path: String

  init(_ json: JSON, of name: String) throws(AgencySettingsError) {
    guard let object = json.object else { throw .wrongValue(name.isEmpty ? "the file" : name) }
    left = object
    path = name.isEmpty ? "" : name + "."
  }

  mutating func take<Value>(_ key: String, _ read: (JSON) -> Value?) throws(AgencySettingsError) -> Value? {
    guard let member = left[key] else { return nil }
    left[key] = nil
    guard let value = read(member) else { throw .wrongValue(path + key) }
    return value
  }

  mutating func takeURL(_ key: String) throws(AgencySettingsError) -> String? {
    guard let url = try take(key, \.string) else { return nil }
    guard WebhookURL(url) != nil else { throw .wrongValue(path + key) }
    return url
  }

  /// Reads the account for push messages. Its secret is in a file of its own, which is added to `files`.
  mutating func takePush(_ folder: String, _ files: inout [SettingsFile]) throws(AgencySettingsError) -> Firebase? {
    guard let json = try take("push", { $0 }) else { return nil }
    var members = try Members(json, of: path + "push")
    guard let file = try members.take("service_account", \.string) else {
      throw .missing(members.path + "service_account")
    }
    let endpoint = try members.take("endpoint", \.string) ?? Firebase.production
    guard PublicEndpoint(endpoint) != nil, isSecureURL(endpoint) else { throw .wrongValue(members.path + "endpoint") }
    try members.finish()
    do {
      let path = file.hasPrefix("/") ? file : "\(folder)/\(file)"
      let contents = try Files.contents(ofRegularFile: path, limit: 64 << 10)
      files.append(SettingsFile(path: path, isSecret: true))
      return Firebase(try ServiceAccount(JSON(parsing: contents)), endpoint: endpoint)
    } catch {
      throw .file(members.path + "service_account", reason: "\(error)")
    }
  }

  /// Another spelling of an address would match no client's address.
  mutating func takeAddress(_ key: String) throws(AgencySettingsError) -> String? {
    guard let text = try take(key, \.string) else { return nil }
    guard let address = numericAddress(text) else { throw .wrongValue(path + key) }
    return address
  }

  mutating func takeLimit(_ key: String, _ limit: inout Int) throws(AgencySettingsError) {
    guard let value = try take(key, \.integer) else { return }
    guard value > 0, value <= Int32.max else { throw .wrongValue(path + key) }
    limit = Int(value)
  }

  func finish() throws(AgencySettingsError) {
    if let key = left.keys.first { throw .unknown(path + key) }
  }
}

/// The faults in a file of settings. They name members, never values.
package enum AgencySettingsError: Error, Equatable, Sendable {
  case unknown(String)
  case missing(String)
  case wrongValue(String)
  case sponsors(AdmissionError)
  /// The URI of the database is malformed.
  case database(String)
  /// The file that the setting names.
  case file(String, reason: String)
}

extension AgencySettingsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let name): "unknown setting: \(name)"
    case .missing(let name): "missing setting: \(name)"
    case .wrongValue(let name): "setting with a wrong value: \(name)"
    case .sponsors(let error): error.description
    case .database(let reason): reason
    case .file(let name, let reason): "the file that \(name) names: \(reason)"
    }
  }
}
