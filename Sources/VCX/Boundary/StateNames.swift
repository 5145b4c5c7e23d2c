internal import MSDK

extension KeptKind {
  /// The names of the states that objects of this type can have, by their numbers.
  var stateNames: [UInt32: String] {
    switch self {
    case .connection:
      [
        0: "failed", 1: "initialized", 2: "invited", 3: "requested", 4: "completed", 8: "redirected", 9: "rejected",
      ]
    case .credential:
      [0: "failed", 1: "created", 2: "requested", 3: "offered", 4: "stored", 9: "rejected", 10: "proposed"]
    case .disclosedProof: [0: "failed", 1: "proposed", 2: "sent", 3: "requested", 4: "accepted", 9: "rejected"]
    case .issuerCredential:
      [0: "failed", 1: "created", 2: "offered", 3: "requested", 4: "issued", 9: "rejected", 10: "proposed"]
    case .proof: [0: "not verified", 1: "created", 2: "sent", 3: "proposed", 4: "verified", 9: "rejected"]
    case .schema, .credentialDefinition: [0: "built", 1: "published"]
    }
  }
}
