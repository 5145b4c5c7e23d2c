import Aries
import DIDComm
import JSON
import Sodium

/// The other side of a handshake, as a test plays it.
struct Inviter {
  let invitationKey = KeyPair()
  let pairwiseKey = KeyPair()
  let endpoint = "http://inviter.example"

  var invitationJSON: JSON {
    [
      "@type": "https://didcomm.org/connections/1.0/invitation", "@id": "invitation-1", "label": "Acme",
      "recipientKeys": [.string(invitationKey.verkey.text)], "serviceEndpoint": .string(endpoint),
    ]
  }

  func invitation() throws -> Invitation { .connection(try ConnectionInvitation(invitationJSON)) }

  var document: DIDDocument {
    let service = Service(recipientKeys: [pairwiseKey.verkey], endpoint: endpoint + "/pairwise")
    return DIDDocument(id: pairwiseKey.verkey.did.text, key: pairwiseKey.verkey, service: service)
  }

  /// The response to a request; signed by the invitation key unless another is given.
  func response(
    thread: String, signedBy signer: KeyPair? = nil, document: JSON? = nil, asksForAck: Bool = false
  ) -> ConnectionResponse {
    let connection: JSON = [
      "DID": .string(pairwiseKey.verkey.did.text), "DIDDoc": document ?? self.document.json.value,
    ]
    return ConnectionResponse(
      id: "response-1", thread: Thread(thid: thread, pthid: "invitation-1"),
      signature: SignatureDecorator(signing: connection, with: signer ?? invitationKey, time: 1_700_000_000),
      asksForAck: asksForAck)
  }
}
