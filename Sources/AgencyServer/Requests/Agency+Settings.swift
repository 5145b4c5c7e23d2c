internal import AgencyWire
internal import DIDComm
internal import Sodium

extension Agency {
  func updateComMethod(
    _ request: UpdateComMethod, _ agent: Account, _ envelope: Envelope
  ) throws(RequestError) -> any AgencyMessage {
    let method = request.method
    guard Self.isShort(method.id, 256), Self.isShort(method.value, 4096) else { throw .invalid("comMethod") }
    if !method.value.isEmpty { try check(method, agent) }
    try refuseReplay(envelope)
    let isSet = try stored { () throws(StorageError) in
      try storage.setComMethod(method, of: agent, limit: rules.comMethodsPerAgent)
    }
    guard isSet else { throw .tooMany("com methods") }
    return ComMethodUpdated(id: method.id)
  }

  /// Refuses a com method that the agency could never use.
  private func check(_ method: WireComMethod, _ account: Account) throws(RequestError) {
    if let flaw = flaw(in: method) { throw .invalid(flaw) }
    guard rules.receiver(of: method, sponsorID: account.sponsorID) == nil else { return }
    let push = method.kind == .sponsor ? "" : "this agency sends no push messages itself, and "
    let sponsor =
      account.sponsorID == nil ? "the agent has no sponsor" : "the agent's sponsor takes no such notifications"
    throw .invalid(push + sponsor)
  }

  private func flaw(in method: WireComMethod) -> String? {
    switch method.kind {
    case .webhook:
      guard let url = WebhookURL(method.value), !url.namesUser else {
        return "a webhook is an http or https URL without a user name"
      }
      return url.isPrivate && !rules.callsPrivateWebhooks ? "this agency calls no webhooks at private addresses" : nil
    case .push where !method.value.hasPrefix(WireComMethod.firebasePrefix): return "a push token begins with FCM:"
    case .push, .sponsorPush: return method.deviceToken == nil ? "there is no push token behind FCM:" : nil
    case .sponsor: return nil
    }
  }

  func updateConfigs(_ request: UpdateConfigs, _ agent: Account, _ envelope: Envelope) throws(RequestError)
    -> any AgencyMessage
  {
    guard request.configs.allSatisfy({ Self.isShort($0.name, 256) && Self.isShort($0.value, 4096) }) else {
      throw .invalid("configs")
    }
    try refuseReplay(envelope)
    let isSet = try stored { () throws(StorageError) in
      try storage.setConfigs(request.configs, of: agent, limit: rules.configsPerAgent)
    }
    guard isSet else { throw .tooMany("configs") }
    return ConfigsUpdated()
  }

  private static func isShort(_ text: String, _ limit: Int) -> Bool { text.utf8.count <= limit }

  /// The seconds within which a client may repeat a request whose answer it has not seen.
  private static let repetition: Int64 = 60

  /// Requests carry neither time nor number, so anybody who has recorded one could restore an old setting with it. The
  /// header of the authenticated envelope identifies a request: it holds fresh keys, and no other spelling of it opens.
  func refuseReplay(_ envelope: Envelope) throws(RequestError) {
    let digest = sha256(envelope.protected)
    let seen = try stored { () throws(StorageError) in try storage.firstSight(of: digest) }
    guard clock() - seen <= Self.repetition else { throw .replayed }
  }
}
