extension ConnectionMachine {
  /// The invitation behind the connection. Nil before it is created, or if the state does not contain it.
  package var invitation: Invitation? {
    switch self {
    case .planned, .proprietary: nil
    case .invited(let invitation, _): invitation
    case .requested(let machine): machine.invitation
    case .offered(let invitation): invitation
    case .responded(let machine): machine.invitation
    case .completed(let machine): machine.invitation
    case .failed(let failed): failed.invitation
    }
  }

  /// The thread of the handshake. Before the request it is the thread that the invitation begins.
  package var thread: Thread {
    switch self {
    case .planned, .proprietary: Thread(thid: "")
    case .invited(let invitation, _), .offered(let invitation): Thread(thid: invitation.id)
    case .requested(let machine): machine.thread
    case .responded(let machine): machine.thread
    case .completed(let machine): machine.thread
    case .failed(let failed): failed.thread
    }
  }

  /// The other side, once it has introduced itself. An inviter may write to it before the invitee has confirmed the
  /// response.
  package var peer: Peer? {
    switch self {
    case .planned, .invited, .requested, .offered, .proprietary: nil
    case .responded(let machine): machine.invitee
    case .completed(let machine): machine.peer
    case .failed(let failed): failed.peer
    }
  }

  /// The other side's name for itself, which nobody has checked: the inviter's name in its invitation, the invitee's
  /// name in its request. Nil if it has given no name.
  package var peerLabel: String? {
    switch self {
    case .planned, .offered, .proprietary: nil
    case .invited(let invitation, _): invitation.label
    case .requested(let machine): machine.invitation.label
    case .responded(let machine): machine.inviteeLabel
    case .completed(let machine): machine.role == .inviter ? machine.inviteeLabel : machine.invitation?.label
    case .failed(let failed): failed.role == .invitee ? failed.invitation?.label : nil
    }
  }

  /// Whether a message with this sender counts as the other side's. Anybody may answer an invitation without a handshake.
  package func isPeer(_ sender: Sender) -> Bool {
    switch self {
    case .offered(let invitation): !invitation.offersHandshake
    case .proprietary(let connection): sender.isOne(of: [connection.theirVerkey].compactMap(\.self))
    case .planned, .invited, .requested, .responded, .completed, .failed:
      sender.isOne(of: [peer?.key].compactMap(\.self))
    }
  }

  /// The DID that this side has presented to the peer. Nil before this side has presented one, and for the unqualified
  /// pairwise DID.
  package var presentedDID: String? {
    switch self {
    case .requested(let machine): machine.request.qualifiedDID
    case .responded(let machine): machine.response.qualifiedDID
    case .completed(let machine): machine.presentedDID
    case .planned, .invited, .offered, .failed, .proprietary: nil
    }
  }

  package var role: Role {
    switch self {
    case .planned, .offered, .responded: .inviter
    case .invited, .requested: .invitee
    case .proprietary(let connection): connection.role
    case .completed(let machine): machine.role
    case .failed(let failed): failed.role
    }
  }
}
