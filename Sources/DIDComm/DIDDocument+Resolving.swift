extension DIDDocument {
  /// Returns the document of a DID that contains it: `did:peer:2`, or `did:peer:4` in its long form. Throws for other
  /// DIDs: a ledger or another party has their documents.
  package init(resolving did: String) throws(DIDDocumentError) {
    guard did.utf8.count <= DID.maximumLength else { throw .malformed("a DID that is too long") }
    let method = did.split(separator: ":", maxSplits: 2).prefix(2).joined(separator: ":")
    switch method {
    case "did:peer" where did.hasPrefix(PeerDID4.prefix): self = try PeerDID4(did).resolved()
    case "did:peer" where did.hasPrefix(PeerDID2.prefix): self = try PeerDID2.document(of: did)
    case "did:key": throw .unresolvable("a did:key, which names a key and no endpoint")
    case "did:sov", "did:indy", "did:webvh", "did:web": throw .needsLedger(did)
    case _ where DID.isUnqualified(did): throw .needsLedger(did)
    default: throw .unresolvable("a DID of a kind that msdk cannot resolve\(isName(method) ? " (\(method))" : "")")
    }
  }
}

/// Whether a text from a stranger has the form of a method's name, and may be logged.
private func isName(_ text: String) -> Bool {
  text.utf8.count <= 32 && text.utf8.allSatisfy { (0x30...0x3a).contains($0) || (0x61...0x7a).contains($0) }
}
