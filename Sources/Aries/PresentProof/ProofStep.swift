/// The messages of present-proof 1.0 (RFC 0037) and 2.0 (RFC 0454) that carry content.
package enum ProofStep: String, ExchangeStep {
  case propose = "propose-presentation"
  case request = "request-presentation"
  case present = "presentation"

  package static let family = "present-proof"

  package var attachments: AttachmentForm {
    switch self {
    case .propose:
      AttachmentForm(
        member: "proposals~attach", idInVersion1: nil, indy: "hlindy/proof-req@v2.0",
        anonCreds: ["anoncreds/proof-proposal@v1.0", "anoncreds/proof-request@v1.0"])
    case .request:
      AttachmentForm(
        member: "request_presentations~attach", idInVersion1: "libindy-request-presentation-0",
        indy: "hlindy/proof-req@v2.0", anonCreds: ["anoncreds/proof-request@v1.0"])
    case .present:
      AttachmentForm(
        member: "presentations~attach", idInVersion1: "libindy-presentation-0", indy: "hlindy/proof@v2.0",
        anonCreds: ["anoncreds/proof@v1.0"])
    }
  }
}

package typealias PresentProofMessage = ExchangeMessage<ProofStep>
