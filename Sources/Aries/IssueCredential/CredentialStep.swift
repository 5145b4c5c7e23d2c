/// The messages of issue-credential 1.0 (RFC 0036) and 2.0 (RFC 0453) that carry content.
package enum CredentialStep: String, ExchangeStep {
  case propose = "propose-credential"
  case offer = "offer-credential"
  case request = "request-credential"
  case issue = "issue-credential"

  package static let family = "issue-credential"

  package var attachments: AttachmentForm {
    switch self {
    case .propose:
      AttachmentForm(
        member: "filters~attach", idInVersion1: nil, indy: "hlindy/cred-filter@v2.0",
        anonCreds: ["anoncreds/credential-filter@v1.0"])
    case .offer:
      AttachmentForm(
        member: "offers~attach", idInVersion1: "libindy-cred-offer-0", indy: "hlindy/cred-abstract@v2.0",
        anonCreds: ["anoncreds/credential-offer@v1.0"])
    case .request:
      AttachmentForm(
        member: "requests~attach", idInVersion1: "libindy-cred-request-0", indy: "hlindy/cred-req@v2.0",
        anonCreds: ["anoncreds/credential-request@v1.0"])
    case .issue:
      AttachmentForm(
        member: "credentials~attach", idInVersion1: "libindy-cred-0", indy: "hlindy/cred@v2.0",
        anonCreds: ["anoncreds/credential@v1.0"])
    }
  }
}

package typealias IssueCredentialMessage = ExchangeMessage<CredentialStep>
