package import Aries
package import DIDComm
package import JSON
internal import Logging
internal import Sodium

/// The way from a mediator's invitation to its grant: a handshake, and one request for mediation.
///
/// Each step is on the disk before the next one, so that a repetition goes on where an attempt ended. A second request for
/// mediation would spoil the connection at some mediators. If the grant is lost, the repetition connects anew.
package struct MediatorEnrolment {
  private let invitation: Invitation
  private let label: String
  private let keys: any KeyRing
  private let transport: any MediatorTransport
  private let makeKey: (_ isFirst: Bool) throws -> VerKey
  private let save: (State) throws -> Void
  private let keep: ([JSON]) throws -> Void

  /// `invitation` names the mediator's service. `makeKey` adds a key to `keys`. Only the first attempt may get a key
  /// that the program has chosen, because the mediator knows the key of an earlier attempt. `save` puts the state on
  /// the disk, and `keep` the envelopes of peers that a mediator gives to a known client.
  package init(
    invitation: Invitation, label: String, keys: any KeyRing, over transport: any MediatorTransport,
    makeKey: @escaping (_ isFirst: Bool) throws -> VerKey, save: @escaping (State) throws -> Void,
    keep: @escaping ([JSON]) throws -> Void
  ) {
    self.invitation = invitation
    self.label = label
    self.keys = keys
    self.transport = transport
    self.makeKey = makeKey
    self.save = save
    self.keep = keep
  }

  /// Returns the address and the keys after the grant. `earlier` is the state of the last attempt with this invitation.
  package func run(from earlier: State?) throws -> Enrolled {
    var state = try earlier ?? begin(isFirst: true)
    if let enrolled = state.enrolled {
      if try isKnown(state) { return enrolled }
      Log.info("the mediator has forgotten this client: connecting anew")
      state = try begin()
    }
    try connect(&state)
    if state.hasAsked {
      if let enrolled = try search(&state) { return enrolled }
      Log.info("the mediator's grant is lost: connecting anew")
      state = try begin()
      try connect(&state)
    }
    return try ask(&state)
  }

  private func begin(isFirst: Bool = false) throws -> State {
    let state = State(own: try makeKey(isFirst))
    try save(state)
    return state
  }

  private func dialogue(_ state: State) -> MediatorDialogue {
    let mediator = state.mediator ?? invitation.service ?? Service(recipientKeys: [], endpoint: "")
    return MediatorDialogue(
      channel: MediatorChannel(to: mediator, as: state.own, keys: keys, over: transport), keep: keep)
  }
}

// MARK: - Mediation

extension MediatorEnrolment {
  /// The number of requests by which the client looks for a grant that did not come at once.
  private static let patience = 3

  private func ask(_ state: inout State) throws -> Enrolled {
    state.hasAsked = true
    try save(state)
    let answers = try dialogue(state).exchange(MediationRequest(id: .randomUUID()).json)
    if let enrolled = try apply(answers, &state) ?? search(&state) { return enrolled }
    throw CloudAgentError.invalidAnswer("it has not granted mediation yet: repeat the call")
  }

  /// Looks for the grant among the messages that wait, by implicit pickup and by version 2.0.
  private func search(_ state: inout State) throws -> Enrolled? {
    let dialogue = dialogue(state)
    for _ in 0..<Self.patience {
      let answers = try dialogue.exchange(TrustPing(id: .randomUUID(), responseRequested: false).json)
      if let enrolled = try apply(answers, &state) { return enrolled }
      if answers.isEmpty { break }
    }
    return try apply(dialogue.exchange(PickupRequest.delivery(limit: 10).json(id: .randomUUID())), &state)
  }

  /// Takes the grant. After a refusal the next attempt connects anew.
  private func apply(_ answers: [PickupRun.Answer], _ state: inout State) throws -> Enrolled? {
    for case .message(let message) in answers {
      switch message {
      case .grant(let grant):
        state.grant = grant
        try save(state)
        return state.enrolled
      case .denial:
        try refuse("it denies mediation")
      case .other(.problemReport(let report)) where report.isAboutMediation: try refuse(report.reason)
      case .keylist, .status, .delivery, .other: break
      }
    }
    return nil
  }

  private func refuse(_ reason: String) throws -> Never {
    _ = try begin()
    throw CloudAgentError.denied(reason)
  }

  /// Whether the mediator answers the client.
  private func isKnown(_ state: State) throws -> Bool {
    do {
      return try dialogue(state).ask(TrustPing(id: .randomUUID(), responseRequested: true).json) { message -> Bool? in
        if case .other(.pingResponse) = message { true } else { nil }
      }
    } catch CloudAgentError.invalidAnswer { return false }
  }
}

// MARK: - The handshake

extension MediatorEnrolment {
  /// The endpoint of a client that fetches its messages. Mediators keep messages only for clients whose document has
  /// this endpoint.
  private static let ownEndpoint = "didcomm:transport/queue"

  private func connect(_ state: inout State) throws {
    guard state.mediator == nil else { return }
    guard let pair = try keys.keyPair(for: state.own) else { throw CloudAgentError.missingKey(state.own) }
    let own = OwnSide(key: pair, service: Service(recipientKeys: [state.own], endpoint: Self.ownEndpoint))
    var machine = try ConnectionMachine(invitation: invitation)
    let request = machine.connect(
      label: label, as: own, requestID: .uuid(derivedFrom: state.own.text + invitation.id))
    guard let response = state.response else {
      try perform(request, &machine, own, &state)
      return try finish(&machine, own, &state)
    }
    do {
      try receive(response.json, from: response.sender, &machine, own, &state)
      try finish(&machine, own, &state)
    } catch CloudAgentError.invalidAnswer(let reason) {
      // If the key of a stored response answers no ping, perhaps nobody holds the key. The next attempt connects anew.
      _ = try begin()
      throw CloudAgentError.invalidAnswer(reason)
    }
  }

  /// Fetches the messages that the handshake still needs. Answers may come late.
  private func finish(_ machine: inout ConnectionMachine, _ own: OwnSide, _ state: inout State) throws {
    for _ in 0..<Self.patience {
      switch machine {
      case .completed(let connection):
        state.mediator = connection.peer.service
        let (document, invited) = (connection.peer.document.json.value, invitation.json.value)
        state.socket = Service.socket(in: document) ?? Service.socket(in: invited)
        state.response = nil
        return try save(state)
      case .failed(let failure):
        throw CloudAgentError.denied(failure.report?.reason ?? "it has ended the handshake")
      default:
        guard let service = machine.peer?.service ?? invitation.service else { break }
        let ping = TrustPing(id: .randomUUID(), responseRequested: false).json
        try perform(.send(ping, to: service), &machine, own, &state)
      }
    }
    if case .completed = machine { return try finish(&machine, own, &state) }
    throw CloudAgentError.invalidAnswer("there is none to the request for a connection: is the invitation still valid?")
  }

  /// Sends the messages of an action, and applies the messages that come back.
  private func perform(
    _ action: Action, _ machine: inout ConnectionMachine, _ own: OwnSide, _ state: inout State
  ) throws {
    let (messages, service): ([JSON], Service)
    switch action {
    case .send(let message, let to), .notify(let message, let to), .sendAndLeave(let message, let to):
      (messages, service) = ([message], to)
    case .sendAll(let all, let to): (messages, service) = (all, to)
    case .refuse(let error, let report, let to):
      state.response = nil
      try save(state)
      _ = try dialogue(state).channel.exchange(report, at: to)
      throw error
    case .nothing, .leave: return
    }
    for message in messages {
      for incoming in try dialogue(state).channel.exchange(message, at: service) {
        switch incoming {
        case .message(let json, let sender, _): try receive(json, from: sender, &machine, own, &state)
        case .envelope(let envelope): try keep([envelope])
        case .unusable: break
        }
      }
    }
  }

  private func receive(
    _ json: JSON, from sender: VerKey?, _ machine: inout ConnectionMachine, _ own: OwnSide, _ state: inout State
  ) throws {
    let message = try Message(json)
    if message.response != nil, state.response == nil {
      state.response = State.Response(json: json, sender: sender)
      try save(state)
    }
    let action: Action
    do {
      action = try machine.receive(message, from: .envelope(sender), reply: Reply(id: .randomUUID(), as: own))
    } catch {
      guard message.response != nil else { return Log.warning("a message of the mediator is not used: \(error)") }
      state.response = nil
      try save(state)
      throw error
    }
    try perform(action, &machine, own, &state)
  }
}

extension ProblemReport {
  fileprivate var isAboutMediation: Bool {
    let family = json["@type"]?.string.flatMap { MessageType($0) }?.family
    return family == MediationRequest.type.family || family == "notification" || family == "report-problem"
  }
}
