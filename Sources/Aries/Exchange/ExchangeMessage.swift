package import DIDComm
package import JSON

/// The messages of a protocol that exchanges attached objects. The raw values are the names of the messages.
package protocol ExchangeStep: RawRepresentable<String>, Equatable, Sendable {
  /// The family of the protocol. msdk speaks its major versions 1 and 2.
  static var family: String { get }
  var attachments: AttachmentForm { get }
}

extension String {
  /// Requires an id or a thread id: credentials are stored under them. RFC 0008 permits ASCII only. Two other ids may look the
  /// same, and Swift takes some of them for one.
  func requireMessageID(_ key: String) throws(JSONError) {
    guard (1...256).contains(utf8.count), utf8.allSatisfy({ $0 < 0x80 }) else {
      throw .wrongType(key: key, expected: "an id of 1 to 256 characters of ASCII")
    }
  }
}

/// A message of such a protocol. Its head is read at once, its content on demand, so that a broken content can be
/// answered on the message's thread.
package struct ExchangeMessage<Step: ExchangeStep>: Equatable, Sendable {
  package let step: Step
  package let dialect: Dialect
  package let id: String
  package let thread: Thread
  /// The message as it was received or created.
  package let object: JSONObject

  /// The deepest nesting. It is below the reader's limit, because a state nests the messages that it keeps some levels
  /// deeper.
  private static var maximumDepth: Int { 80 }

  /// Reads a message by its type. Returns nil if it is of another protocol, version or name.
  init?(typed object: JSONObject) throws(JSONError) {
    let text = try object.string("@type")
    guard let type = MessageType(text), type.family == Step.family, (1...2).contains(type.major),
      let step = Step(rawValue: type.name), let dialect = Dialect(type: text)
    else { return nil }
    try self.init(step, dialect, object)
  }

  /// Reads a message that must be of this step.
  package init(_ step: Step, _ json: JSON) throws(MessageError) {
    let message: Self?
    do { message = try Self(typed: json.requireObject()) } catch { throw .malformed(error) }
    guard let message, message.step == step else { throw .otherType(expected: "\(Step.family) \(step.rawValue)") }
    self = message
  }

  /// Reads a message from a state. Older versions of Evernym's library stored messages without their type.
  init(stored json: JSON, _ step: Step) throws(MessageError) {
    do {
      var object = try json.requireObject()
      let written = object["@type"]?.string.flatMap(Dialect.init(type:))
      let dialect = written ?? Dialect(Step.family, object["formats"] == nil ? 1 : 2)
      if written == nil { object["@type"] = .string(dialect.type(step.rawValue)) }
      try self.init(step, dialect, object)
    } catch { throw .malformed(error) }
  }

  private init(_ step: Step, _ dialect: Dialect, _ object: JSONObject) throws(JSONError) {
    self.step = step
    self.dialect = dialect
    self.object = object
    id = try object.string("@id")
    thread = Thread(of: object)
    for (key, text) in [("@id", id), ("~thread", thread.thid), ("~thread", thread.pthid ?? thread.thid)] {
      try text.requireMessageID(key)
    }
    guard JSON.object(object).isNested(within: Self.maximumDepth) else { throw .tooDeep(limit: Self.maximumDepth) }
  }

  package var json: JSON { .object(object) }

  /// The attached object, in the preferred format of those in the message.
  package func content() throws(MessageError) -> AttachedContent {
    try step.attachments.content(of: object, major: dialect.major)
  }

  /// All attached objects that readers could take for the content.
  var contents: [AttachedContent] { step.attachments.contents(of: object, major: dialect.major) }

  /// The attached object of a message that all readers understand alike. Throws `ambiguous` for other messages.
  package func onlyContent() throws(MessageError) -> AttachedContent {
    guard !step.attachments.isAmbiguous(object) else { throw .ambiguous }
    return try content()
  }

  package var comment: String? { object["comment"]?.string }

  /// The service for the answer (RFC 0056), for agents without a connection. Nil if the message names no service.
  package func replyService() throws(InvitationError) -> Service? {
    guard let decorator = object["~service"], !decorator.isNull else { return nil }
    do { return try Service(invitation: decorator.requireObject(), isStored: false) } catch let error as InvitationError
    {
      throw error
    } catch {
      throw .malformed("~service: \(error)")
    }
  }
}

// MARK: - Making

extension ExchangeMessage {
  /// Makes a message in a conversation. Without content it attaches nothing.
  init(
    _ step: Step, in dialect: Dialect, id: String, thread: Thread?, content: AttachedContent? = nil,
    comment: String? = nil, members: [(String, JSON)] = []
  ) {
    var all: [(String, JSON)] = [("@type", .string(dialect.type(step.rawValue))), ("@id", .string(id))]
    if let thread { all.append(("~thread", thread.json)) }
    if let comment { all.append(("comment", .string(comment))) }
    all += members
    if let content { all += step.attachments.members(content, major: dialect.major) }
    self.step = step
    self.dialect = dialect
    self.id = id
    self.thread = thread ?? Thread(thid: id)
    object = JSONObject(all)
  }

  /// The same message on another thread, or with later orders in its own thread.
  func on(_ thread: Thread) -> Self {
    var object = object
    object["~thread"] = thread.json
    return Self(step: step, dialect: dialect, id: id, thread: thread, object: object)
  }

  /// The same message with one more member.
  func with(_ key: String, _ value: JSON) -> Self {
    var object = object
    object[key] = value
    return Self(step: step, dialect: dialect, id: id, thread: thread, object: object)
  }

  /// The same message with this attached object, and without anything that a reader could take for another one. Without
  /// content, its list of attachments is empty.
  package func attaching(only content: AttachedContent?) -> Self {
    let kept = ["@type", "@id", "~thread", "~please_ack", "~service", "~timing"]
    let form = step.attachments
    let attached = content.map { form.members($0, major: dialect.major) } ?? [(form.member, JSON.array([]))]
    let members = object.members.filter { kept.contains($0.key) }.map { ($0.key, $0.value) }
    return Self(step: step, dialect: dialect, id: id, thread: thread, object: JSONObject(members + attached))
  }

  private init(step: Step, dialect: Dialect, id: String, thread: Thread, object: JSONObject) {
    self.step = step
    self.dialect = dialect
    self.id = id
    self.thread = thread
    self.object = object
  }
}

extension JSON {
  /// Whether the nesting of containers is at most this deep.
  fileprivate func isNested(within depth: Int) -> Bool {
    switch self {
    case .array(let elements): depth > 0 && elements.allSatisfy { $0.isNested(within: depth - 1) }
    case .object(let object): depth > 0 && object.members.allSatisfy { $0.value.isNested(within: depth - 1) }
    case .null, .bool, .integer, .real, .string: true
    }
  }
}
