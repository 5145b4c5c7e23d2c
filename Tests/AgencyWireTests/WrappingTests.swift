import AgencyWire
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// Requests and replies with every layer in the clear: `pack-agency-levels.json`.
@Suite struct WrappingTests {
  let vectors: JSON

  init() throws { vectors = try Fixtures.json("didcomm/pack-agency-levels.json") }

  func pair(_ name: String) throws -> KeyPair {
    let seed = try #require(vectors["keys"]?[name]?["seed_hex"]?.string)
    return try KeyPair(seed: SecretBytes(copying: [UInt8](hex: seed)))
  }

  func party(_ name: String) throws -> Party {
    let verkey = try pair(name).verkey
    return Party(did: verkey.did.text, verkey: verkey)
  }

  func exchange(_ name: String) throws -> JSON {
    try #require((vectors["messages"]?.array ?? []).first { $0["name"]?.string == name })
  }

  /// The fixed values of all layers, in the order in which packing asks for them.
  func randomness(of exchange: JSON) -> @Sendable (Int) -> [UInt8] {
    let names = ["cek_hex", "iv_hex", "cek_nonce_hex", "eph_sender_hex", "eph_cek_hex"]
    let values = (exchange["layers_inside_out"]?.array ?? []).flatMap { layer in
      names.compactMap { layer["fixed_randomness"]?[$0]?.string }.map { [UInt8](hex: $0) }
    }
    let queue = Locked(values[...])
    return { _ in queue.withLock { $0.popFirst() } ?? [] }
  }

  @Test func anAgencyLevelRequestIsExact() throws {
    let exchange = try exchange("agency level: CONNECT")
    let (me, agency) = (try pair("sdk_to_remote"), try party("agency"))
    let message = Connect(fromDID: me.verkey.did.text, fromDIDVerKey: me.verkey.text)
    let bytes = try Wrapping(
      message.json(type: Connect.type), from: me, to: agency,
      random: randomness(of: exchange)
    ).carried(by: agency).bytes
    #expect(String(decoding: bytes, as: UTF8.self) == exchange["http_body"]?.string)
  }

  @Test func anAgentLevelRequestIsExact() throws {
    let exchange = try exchange("agent level: CREATE_KEY")
    let pairwise = try pair("user pairwise").verkey
    let message = CreateKey(forDID: pairwise.did.text, forDIDVerKey: pairwise.text)
    let bytes = try Wrapping(
      message.json(type: CreateKey.type), from: pair("sdk_to_remote"),
      to: party("remote_to_sdk (user agent)"), random: randomness(of: exchange)
    ).carried(by: party("agency")).bytes
    #expect(String(decoding: bytes, as: UTF8.self) == exchange["http_body"]?.string)
  }

  @Test func aPairwiseLevelRequestIsExact() throws {
    let exchange = try exchange("pairwise level: GET_MSGS")
    let message = GetMessages(filter: WireMessageFilter(statusCodes: ["MS-103"]))
    let bytes = try Wrapping(
      message.json(type: GetMessages.type), from: pair("user pairwise"),
      to: party("pairwise agent"), random: randomness(of: exchange)
    )
    .carried(by: party("remote_to_sdk (user agent)"), from: pair("sdk_to_remote"))
    .carried(by: party("agency")).bytes
    #expect(String(decoding: bytes, as: UTF8.self) == exchange["http_body"]?.string)
  }

  @Test(arguments: [
    "pairwise level reply: MSGS (object payload)",
    "pairwise level reply: MSGS (signed byte array payload, as Verity sends)",
  ])
  func everyFormOfPayloadIsTheSameEnvelope(name: String) throws {
    let exchange = try exchange(name)
    let plaintext = try #require(exchange["layers_inside_out"]?.array?.first?["plaintext"]?.string)
    let messages = try Messages(JSON(parsing: plaintext).requireObject()).messages
    let envelope = try #require(messages.first?.envelope)
    let opened = try Envelope(envelope).open(with: pair("user pairwise"))
    #expect(try JSON(parsing: opened.message)["@type"]?.string == "https://didcomm.org/trust_ping/1.0/ping")
  }
}

@Suite struct MessageTests {
  /// Writes a message and reads it back.
  func roundTrip<Message: AgencyMessage>(_ message: Message) throws -> Message {
    try Message(JSON(parsing: message.json(type: "x/1.0/y").bytes).requireObject())
  }

  @Test func messagesAreReadAsTheyAreWritten() throws {
    let party = Party(did: "D", verkey: KeyPair().verkey)
    let stored = WireMessage(uid: "u", statusCode: "MS-103", payload: ["protected": "x"], refMsgID: "r")
    let filter = WireMessageFilter(uids: ["u"], statusCodes: ["MS-103"], excludesPayload: true, afterUID: "t")
    let uids = WireConnectionUIDs(pairwiseDID: "P", uids: ["u"])
    func check<Message: AgencyMessage>(_ message: Message) throws { #expect(try roundTrip(message) == message) }
    try check(Connect(fromDID: "D", fromDIDVerKey: "V"))
    try check(Connected(agent: party))
    try check(SignUp())
    try check(SignedUp())
    try check(CreateAgent())
    try check(AgentCreated(agent: party))
    try check(CreateKey(forDID: "D", forDIDVerKey: "V"))
    try check(KeyCreated(agent: party))
    try check(GetMessages(filter: filter))
    try check(Messages(messages: [stored]))
    try check(GetMessagesByConnections(pairwiseDIDs: ["P"], filter: filter))
    try check(MessagesByConnections(connections: [WireConnectionMessages(pairwiseDID: "P", messages: [stored])]))
    try check(UpdateMessageStatus(statusCode: "MS-106", connections: [uids]))
    try check(
      MessageStatusUpdated(
        updated: [uids], failed: [.init(pairwiseDID: "P", statusCode: "GNR-115", statusMessage: "no")]))
    try check(UpdateConnectionStatus(statusCode: "CS-103"))
    try check(ConnectionStatusUpdated(statusCode: "CS-103"))
  }

  @Test func everyMessageHasItsFamily() {
    let families: [(names: [String], family: String)] = [
      (["FWD"], "routing/1.0"), (["CONNECT", "SIGNUP", "CREATE_AGENT"], "agent-provisioning/0.5"),
      (["UPDATE_CONFIGS", "UPDATE_COM_METHOD"], "configs/1.0"), (["CREATE_KEY"], "connecting/0.6"),
      (["WALLET_INIT_BACKUP", "WALLET_BACKUP", "WALLET_BACKUP_RESTORE"], "wallet-backup/0.1.0"),
      (["DEAD_DROP_RETRIEVE"], "dead-drop/0.1.0"), (["GET_MSGS", "UPDATE_CONN_STATUS"], "pairwise/0.6"),
    ]
    for (names, family) in families {
      for name in names { #expect(WireType.of(name) == "\(WireType.prefix)\(family)/\(name)") }
    }
    #expect(WireType.of("MSGS", answering: "GET_MSGS") == WireType.prefix + "MSGS")
  }

  @Test func answersStandInTheFamilyOfTheRequest() {
    #expect(
      WireType.of(KeyCreated.name, answering: "did:sov:123456789abcdefghi1234;spec/pairwise/1.0/CREATE_KEY")
        == "did:sov:123456789abcdefghi1234;spec/pairwise/1.0/KEY_CREATED")
  }

  @Test(arguments: [JSON.array([256]), ["x"], [-129], 1, true]) func otherPayloadsAreNoEnvelopes(payload: JSON) {
    #expect(WireMessage(uid: "u", statusCode: "MS-103", payload: payload).envelope == nil)
  }

  @Test func bytesMayBeSignedOrNot() {
    let text = Array(#"{"a":"ü"}"#.utf8)
    let signed = JSON.array(text.map { .integer(Int64(Int8(bitPattern: $0))) })
    let unsigned = JSON.array(text.map { .integer(Int64($0)) })
    for payload in [signed, unsigned, JSON.string(#"{"a":"ü"}"#)] {
      #expect(WireMessage(uid: "u", statusCode: "MS-103", payload: payload).envelope == ["a": "ü"])
    }
  }

  /// The answers that a client reads, with each of their members taken away or of another type.
  @Test(
    arguments: [
      (Connected.self, #"{"withPairwiseDID":"D","withPairwiseDIDVerKey":"\#(verkey)"}"#),
      (KeyCreated.self, #"{"withPairwiseDID":"D","withPairwiseDIDVerKey":"\#(verkey)"}"#),
      (SponsoredAgentCreated.self, #"{"selfDID":"D","agentVerKey":"\#(verkey)"}"#),
      (ComMethodUpdated.self, #"{"id":"1"}"#), (ConnectionStatusUpdated.self, #"{"statusCode":"CS-103"}"#),
      (Messages.self, #"{"msgs":[]}"#), (MessagesByConnections.self, #"{"msgsByConns":[]}"#),
      (MessageStatusUpdated.self, #"{"updatedUidsByConns":[]}"#),
    ] as [(any AgencyMessage.Type, String)])
  func anAnswerNeedsItsMembers(message: any AgencyMessage.Type, text: String) throws {
    let object = try JSON(parsing: text).requireObject()
    #expect(throws: Never.self) { try message.init(object) }
    for (name, _) in object.members {
      for other in [nil, 1] as [JSON?] {
        var changed = object
        changed[name] = other
        #expect(throws: JSONError.self, "\(name)") { try message.init(changed) }
      }
    }
  }

  static let verkey = "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"

  @Test(arguments: [#"{"selfDID":"D","agentVerKey":"x"}"#, #"{"selfDID":"D","agentVerKey":"\#(verkey)","~thread":1}"#])
  func anAgentHasAVerkeyAndAThreadIsAnObject(text: String) {
    #expect(throws: JSONError.self) { try SponsoredAgentCreated(JSON(parsing: text).requireObject()) }
  }

  @Test(arguments: [
    #"{"statusCode":"MS-103"}"#, #"{"uid":"u"}"#, #"{"uid":1,"statusCode":"MS-103"}"#, "1",
    #"{"uid":"u","statusCode":"MS-103","senderDID":1}"#, #"{"uid":"u","statusCode":"MS-103","refMsgId":1}"#,
  ])
  func aStoredMessageHasAnIDAndAStatus(text: String) throws {
    let message = try JSON(parsing: text)
    #expect(throws: JSONError.self) { try Messages(["msgs": [message]]) }
    #expect(throws: JSONError.self) {
      try MessagesByConnections(["msgsByConns": [["pairwiseDID": "D", "msgs": [message]]]])
    }
  }

  @Test(arguments: [#"{"msgs":[]}"#, #"{"pairwiseDID":"D"}"#, "[]"]) func messagesHaveAConnection(text: String) throws {
    let entry = try JSON(parsing: text)
    #expect(throws: JSONError.self) { try MessagesByConnections(["msgsByConns": [entry]]) }
  }

  @Test(arguments: [#"{"pairwiseDID":"D"}"#, #"{"uids":[]}"#, #"{"pairwiseDID":"D","uids":[1]}"#])
  func idsHaveAConnection(text: String) throws {
    let entry = try JSON(parsing: text)
    #expect(throws: JSONError.self) { try MessageStatusUpdated(["updatedUidsByConns": [entry]]) }
  }

  @Test func aNullPayloadCountsAsAbsent() throws {
    for text in [#"{"uid":"u","statusCode":"MS-103"}"#, #"{"uid":"u","statusCode":"MS-103","payload":null}"#] {
      #expect(try WireMessage(JSON(parsing: text)).payload == nil)
    }
  }

  @Test func refusalsAreReadFromBodies() {
    let refusal = WireRefusal(statusCode: "GNR-115", statusMessage: "bad value")
    #expect(WireRefusal(body: refusal.body) == refusal)
    let long: JSON = [
      "statusCode": "GNR\n\u{7f}", "statusMsg": .string("a\u{7}b" + String(repeating: "x", count: 10_000)),
    ]
    let read = WireRefusal(body: long.bytes)
    #expect(read?.statusCode == "GNR" && read?.statusMessage == "ab" + String(repeating: "x", count: 253))
    #expect(WireRefusal(body: Array("<html>".utf8)) == nil)
    #expect(WireRefusal(body: Array("[]".utf8)) == nil)
  }

  /// Evernym's agency names an error only by a trace in its log.
  @Test func aRefusalMayHaveOnlyATrace() {
    let refusal = WireRefusal(body: Array(#"{"errorTraceId":"7e1f"}"#.utf8))
    #expect(refusal?.traceID == "7e1f" && refusal?.statusCode.isEmpty == true)
    #expect(WireRefusal(body: Array(#"{"statusMsg":"x"}"#.utf8)) == nil)
  }

  @Test(arguments: [("Y", true), ("N", false), ("", false), ("y", false)])
  func onlyYExcludesThePayload(text: String, excludes: Bool) throws {
    #expect(try GetMessages(["excludePayload": .string(text)]).filter.excludesPayload == excludes)
    #expect(try !GetMessages([:]).filter.excludesPayload)
  }

  @Test(
    arguments: [
      ("1", .push), ("2", .webhook), ("3", .sponsor), ("4", .sponsorPush), (#""1""#, .push), (#""4""#, .sponsorPush),
    ] as [(String, WireComMethod.Kind)])
  func theTypeOfAComMethodIsANumberOrText(type: String, kind: WireComMethod.Kind) throws {
    let object = try JSON(parsing: #"{"comMethod":{"id":"1","value":"v","type":\#(type)}}"#).requireObject()
    #expect(try UpdateComMethod(object).method == WireComMethod(id: "1", kind: kind, value: "v"))
  }

  @Test(arguments: ["0", "5", "-1", "1.0", #""5""#, #""x""#, #""""#, "null", "true"])
  func otherTypesOfComMethodsAreRefused(type: String) throws {
    let object = try JSON(parsing: #"{"comMethod":{"id":"1","value":"v","type":\#(type)}}"#).requireObject()
    #expect(throws: JSONError.self) { try UpdateComMethod(object) }
  }

  @Test func anAnswerSaysWhetherItIsWhole() throws {
    let ends: [(AnswerEnd, next: JSON?, wait: JSON?)] = [
      (.unsaid, nil, nil), (.complete, .null, nil), (.cut(next: "p"), "p", nil), (.open(next: "p", wait: 0), "p", 0),
    ]
    for (end, next, wait) in ends {
      let messages = Messages(messages: [], end: end)
      #expect(messages.members["next"] == next && messages.members["wait"] == wait)
      #expect(try roundTrip(messages) == messages)
      let byConnections = MessagesByConnections(connections: [], end: end)
      #expect(try roundTrip(byConnections) == byConnections)
    }
    #expect(throws: JSONError.self) { try Messages(["msgs": [], "next": 1]) }
    #expect(throws: JSONError.self) { try Messages(["msgs": [], "next": "p", "wait": "60"]) }
    #expect(try Messages(["msgs": [], "next": nil, "wait": 60]).end == .complete)
  }

  @Test(arguments: [("60", 60), ("0", 0), ("-5", 0), ("9223372036854775807", Int.max)])
  func aRequestWaitsForSecondsFromZeroOn(text: String, seconds: Int) throws {
    let request = try JSON(parsing: #"{"wait":\#(text)}"#).requireObject()
    #expect(try GetMessages(request).filter.wait == seconds)
    #expect(throws: JSONError.self) { try GetMessages(["wait": "60"]) }
  }

  @Test func anEmptyFilterHasNoMembers() {
    #expect(GetMessages(filter: WireMessageFilter()).members.isEmpty)
    #expect(GetMessagesByConnections(filter: WireMessageFilter()).members.isEmpty)
    let filter = WireMessageFilter(uids: ["u"], statusCodes: ["MS-103"], excludesPayload: true)
    #expect(Set(GetMessages(filter: filter).members.keys) == ["uids", "statusCodes", "excludePayload"])
  }
}
