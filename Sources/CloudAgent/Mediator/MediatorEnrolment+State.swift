package import Aries
package import DIDComm
package import JSON

/// A client's place at a mediator.
package struct Enrolled: Equatable, Sendable {
  package let mediator: Service
  /// The client's key towards the mediator.
  package let own: VerKey
  package let grant: MediationGrant
  /// The URL of the mediator's WebSocket; nil if it names none.
  package let socket: String?
}

extension MediatorEnrolment {
  /// The progress of an attempt.
  package struct State: Equatable, Sendable {
    /// The mediator's response of the handshake.
    struct Response: Equatable, Sendable {
      let json: JSON
      let sender: VerKey?
    }

    let own: VerKey
    /// Nil before the response, and after its confirmation.
    var response: Response?
    /// Nil before the end of the handshake.
    var mediator: Service?
    /// Whether the request for mediation may have been sent.
    var hasAsked = false
    var grant: MediationGrant?
    /// The URL of the mediator's WebSocket.
    var socket: String?

    init(own: VerKey) { self.own = own }

    var enrolled: Enrolled? {
      guard let mediator, let grant else { return nil }
      return Enrolled(mediator: mediator, own: own, grant: grant, socket: socket)
    }
  }
}

extension MediatorEnrolment.State {
  /// The form for the wallet.
  package var json: JSONObject {
    [
      "own": .string(own.text), "response": response?.json ?? .null, "sender": JSON(response?.sender?.text),
      "mediator": mediator?.decorator ?? .null, "asked": .bool(hasAsked),
      "grant": grant.map { .object($0.stored) } ?? .null, "socket": JSON(socket),
    ]
  }

  package init(_ object: JSONObject) throws {
    self.init(own: try object.verkey("own"))
    if let json = object["response"], !json.isNull {
      response = Response(json: json, sender: try object.optionalString("sender").map { try VerKey($0) })
    }
    mediator = try object.optionalObject("mediator").map { try Service(decorator: $0) }
    hasAsked = try object.optionalBool("asked") ?? false
    grant = try object.optionalObject("grant").map { try MediationGrant($0) }
    socket = try object.optionalString("socket")
  }
}
