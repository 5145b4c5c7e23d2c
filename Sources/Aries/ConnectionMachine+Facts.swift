extension ConnectionMachine {
  /// The invitation that the connection came of. Nil before it is made, and where it was not stored.
  package var invitation: Invitation? {
    switch self {
    case .planning, .proprietary: nil
    case .invitee(let machine): machine.invitation
    case .requester(let machine): machine.invitation
    case .inviting(let invitation): invitation
    case .inviter(let machine): machine.invitation
    case .responder(let machine): machine.invitation
    case .established(let machine): machine.invitation
    case .failed(let failed): failed.invitation
    }
  }

  /// The other side, once it has introduced itself. An inviter may write to it before it has said that the response has
  /// arrived.
  package var peer: Peer? {
    switch self {
    case .planning, .invitee, .requester, .inviting, .failed, .proprietary: nil
    case .inviter(let machine): machine.invitee
    case .responder(let machine): machine.invitee
    case .established(let machine): machine.peer
    }
  }

  package var role: Role {
    switch self {
    case .planning, .inviting, .inviter, .responder: .inviter
    case .invitee, .requester: .invitee
    case .proprietary(let connection): connection.state == 1 || connection.state == 2 ? .inviter : .invitee
    case .established(let machine): machine.role
    case .failed(let failed): failed.role
    }
  }
}

extension InviterMachine {
  fileprivate var invitee: Peer? { if case .responded(let responded) = state { responded.invitee } else { nil } }
}

extension ResponderMachine {
  fileprivate var invitee: Peer? { if case .responded(let responded) = state { responded.invitee } else { nil } }
}
