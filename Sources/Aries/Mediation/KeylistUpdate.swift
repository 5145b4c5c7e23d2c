package import DIDComm
package import JSON

/// `coordinate-mediation/1.0/keylist-update` (RFC 0211): tells a mediator which keys are the client's.
package struct KeylistUpdate: Equatable, Sendable {
  package static let type = MessageType("coordinate-mediation", 1, 0, "keylist-update")

  package enum Action: String, Sendable { case add, remove }

  package let id: String
  package let action: Action
  package let keys: [VerKey]

  package init(id: String, _ action: Action, _ keys: [VerKey]) {
    self.id = id
    self.action = action
    self.keys = keys
  }

  /// Keys are in base58: each mediator takes that form, and some refuse a `did:key` with a fragment.
  package var json: JSON {
    let updates = keys.map { key -> JSON in
      ["recipient_key": .string(key.text), "action": .string(action.rawValue)]
    }
    return ["@type": .string(Self.type.text), "@id": .string(id), "updates": .array(updates)]
  }
}

/// `coordinate-mediation/1.0/keylist-update-response`.
package struct KeylistAnswer: Equatable, Sendable {
  /// The effect on one key.
  package struct Result: Equatable, Sendable {
    package let key: VerKey
    package let action: KeylistUpdate.Action
    /// `success`, `no_change`, `client_error` or `server_error`.
    package let result: String

    /// Whether the mediator's list is now as the update asks.
    package var isDone: Bool { ["success", "no_change"].contains(result) }
    /// Whether the update has changed the mediator's list.
    package var isChange: Bool { result == "success" }
  }

  package let results: [Result]

  /// Leaves out entries that name no key or no known action.
  package init(_ object: JSONObject) throws(JSONError) {
    results = try object.array("updated").compactMap { entry in
      guard let key = entry["recipient_key"]?.string.flatMap({ try? VerKey(anyForm: $0) }),
        let action = entry["action"]?.string.flatMap(KeylistUpdate.Action.init)
      else { return nil }
      return Result(key: key, action: action, result: entry["result"]?.string ?? "")
    }
  }

  /// The results of an update, in the order of its keys. A mediator may leave out some. Nil if the answer has none of the
  /// keys, so that it belongs to another update.
  package func results(of update: KeylistUpdate) -> [Result]? {
    let found = update.keys.compactMap { key in results.first { $0.key == key && $0.action == update.action } }
    return found.isEmpty ? nil : found
  }
}
