import MSDK

// The steps of docs/guide about credentials and proofs.

/// Takes the credential that is offered over a connection.
func hold(_ connection: Connection) async throws -> Credential? {
  let message = try await connection.next("credential-offer")
  let credential = try await Credential.offered(message.text ?? "", name: "degree")
  try await credential.accept(over: connection)
  try await message.markRead()
  return try await credential.stored() == .stored ? credential : nil
}

/// Proves what a verifier asks for. Returns whether it accepted the proof.
func prove(_ connection: Connection) async throws -> Bool {
  let message = try await connection.next("presentation-request")
  let proof = try await Proof.requested(message.text ?? "", name: "degree")
  let found = try await proof.credentials()
  // The user states the item `attribute_1`, a phone number, without a credential.
  guard let selection = found.first(stating: ["attribute_1": "555 0100"]) else { return false }
  try await proof.generate(selection)
  try await proof.send(over: connection)
  try await message.markRead()
  return try await proof.accepted() == .accepted
}

/// Takes the credential whose offer is attached to an invitation without a handshake.
func takeAttached(_ invitation: String) async throws -> Credential? {
  let issuer = try await Connection.accept(invitation, name: "issuer")
  try await issuer.connect()  // sends nothing: makes a mailbox for the answer
  let credential = try await Credential.offered(Message.attached(to: invitation), name: "degree")
  try await credential.accept(over: issuer)
  return try await credential.stored() == .stored ? credential : nil
}

/// Publishes a schema and a definition of it. Store `serialized()` of the definition.
func define(_ folder: String) async throws -> CredentialDefinition {
  let schema = try await Schema.create(name: "diploma", version: "1.0", attributes: ["name", "age", "degree"])
  return try await CredentialDefinition.create(
    schema: schema.id, tag: "2026", revocation: .init(maxCredentials: 100, tailsFolder: folder))
}

/// Offers a credential, and issues it if the holder requests it.
func issue(_ definition: CredentialDefinition, _ connection: Connection) async throws -> IssuerCredential? {
  let credential = try await IssuerCredential.create(
    definition, values: ["name": "Bob", "age": "28", "degree": "Maths"], name: "Diploma")
  try await credential.offer(over: connection)
  guard try await credential.requested() == .requested else { return nil }
  try await credential.issue()
  return credential
}

func withdraw(_ credential: IssuerCredential) async throws {
  try await credential.revoke()
}

/// Offers a credential without a connection: returns the invitation that carries the offer, to be shown as a QR code.
func attachOffer(
  _ definition: CredentialDefinition
) async throws -> (credential: IssuerCredential, invitation: String) {
  let credential = try await IssuerCredential.create(
    definition, values: ["name": "Carol", "age": "17", "degree": "Physics"], name: "Diploma")
  let inviter = try await Connection.invite(
    name: "diploma", attaching: credential.offerMessage, goal: "Your diploma", goalCode: "issue-vc")
  let invitation = try await inviter.connect()
  try await credential.offer(over: inviter)  // sends nothing: the request arrives here
  return (credential, invitation)
}

/// Asks for a name, for a phone number without restrictions, and for proof of age. Prints the result.
func verify(_ definition: String, _ connection: Connection) async throws {
  let here = [["cred_def_id": definition]]
  let request = try await ProofRequest.create(
    name: "Age check",
    attributes: [Wanted(["name", "degree"], restrictions: here), Wanted("phone")],
    predicates: [WantedPredicate("age", .atLeast, 18, restrictions: here)])
  try await request.send(over: connection)
  let verdict = try await request.verdict()
  if verdict.verified == true {
    print("verified", try await request.revealed()["attribute_0"]?["name"] ?? "")
  } else {
    print("not verified", verdict.reasons.map(\.code))
  }
}

/// Asks for a proof without a connection: returns the invitation that carries the request, to be shown as a QR code.
func attachRequest(_ definition: String) async throws -> (request: ProofRequest, invitation: String) {
  let here = [["cred_def_id": definition]]
  let request = try await ProofRequest.create(
    name: "Age check", predicates: [WantedPredicate("age", .atLeast, 18, restrictions: here)])
  let inviter = try await Connection.invite(name: "check", attaching: request.message, goal: "Age check")
  let invitation = try await inviter.connect()
  try await request.send(over: inviter)  // sends nothing: the answer arrives here
  return (request, invitation)
}
