internal import Aries
internal import JSON

/// A presentation in the form that version 3.0 of the API, and earlier versions, hand to applications.
enum OlderPresentation {
  static func json(of presentation: PresentProofMessage) throws -> JSON {
    [
      "version": nil, "to_did": nil, "from_did": nil, "proof_request_id": nil,
      "libindy_proof": .string(try presentation.content().text),
    ]
  }
}
