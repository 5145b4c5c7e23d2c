extension ConnectionMachine {
  /// The invitation that the connection came of. Nil before it is made, and where it was not stored.
  package var invitation: Invitation? {
    switch self {
    case .planning, .proprietary: nil
    case .invited(let invitation, _): invitation
    case .invitee(let machine): machine.invitation
    case .inviting(let invitation): invitation
    case .inviter(let machine): machine.invitation
    case .established(let machine): machine.invitation
    case .failed(let failed): failed.invitation
    }
  }

  /// The thread of the handshake; before the request, one that the invitation begins.
  package var thread: Thread {
    switch self {
    case .planning, .proprietary: Thread(thid: "")
    case .invited(let invitation, _), .inviting(let invitation): Thread(thid: invitation.id)
    case .invitee(let machine): machine.thread
    case .inviter(let machine): machine.thread
    case .established(let machine): machine.thread
    case .failed(let failed): failed.thread
    }
  }

  /// The other side, once it has introduced itself. An inviter may write to it before it has said that the response has
  /// arrived.
  package var peer: Peer? {
    switch self {
    case .planning, .invited, .invitee, .inviting, .failed, .proprietary: nil
    case .inviter(let machine): machine.invitee
    case .established(let machine): machine.peer
    }
  }

  /// The DID that the own side has presented to the peer. Nil before, and if it is the unqualified pairwise DID.
  package var presentedDID: String? {
    switch self {
    case .invitee(let machine): machine.request.qualifiedDID
    case .inviter(let machine): machine.response.qualifiedDID
    case .established(let machine): machine.presentedDID
    case .planning, .invited, .inviting, .failed, .proprietary: nil
    }
  }

  package var role: Role {
    switch self {
    case .planning, .inviting, .inviter: .inviter
    case .invited, .invitee: .invitee
    case .proprietary(let connection): connection.state == 1 || connection.state == 2 ? .inviter : .invitee
    case .established(let machine): machine.role
    case .failed(let failed): failed.role
    }
  }
}
