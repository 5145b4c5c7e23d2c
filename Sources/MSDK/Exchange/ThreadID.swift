internal import Aries

// The ids of the threads (RFC 0008) to which the messages of an object belong, for programs that sort messages.

extension Connection {
  /// The thread of the handshake. Before the request it is the id of the invitation. Throws without a handshake.
  package func threadID() throws(ConnectionError) -> String {
    if isProprietary { throw .proprietary("telling a thread") }
    guard !machine.thread.thid.isEmpty else { throw .notReady }
    return machine.thread.thid
  }
}

extension Credential {
  package var threadID: String { machine.thread.thid }
}

extension DisclosedProof {
  package var threadID: String { machine.thread.thid }
}

extension IssuerCredential {
  package var threadID: String { machine.thread.thid }
}

extension RequestedProof {
  /// Throws before there is a message.
  package func threadID() throws(ExchangeError) -> String {
    guard let id = machine.threadID else { throw .notReady }
    return id
  }
}
