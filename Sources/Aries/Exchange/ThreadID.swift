extension VerifierMachine {
  /// The id of the exchange's thread. Nil before there is a message.
  package var threadID: String? { thread?.thid }
}
