package import JSON

/// The statement that a sub-proof has to prove about one credential. It comes from the request, the answers of the
/// presentation, and the public objects. The caller has compared the answers with the request.
package struct Statement: Sendable {
  /// The member `primary` of the definition's value.
  package let key: JSONObject
  /// The attributes of the schema, as AnonCreds compares names.
  package let attributes: Set<ExactText>
  /// The encodings of the credential's values that the presentation shows. The caller has compared them with the raw
  /// values.
  package let revealed: [ExactText: String]
  /// The predicates of the items that the sub-proof answers.
  package let predicates: Set<Predicate>
  package let revocation: Revocation

  /// The facts about the credential's revocation.
  package struct Revocation: Sendable {
    /// Whether the definition has keys for revocation.
    let isRevocable: Bool
    /// Whether the sub-proof's identifier names a registry and a time.
    let namesStatusList: Bool
    /// Whether an item that the sub-proof answers asks for a proof of non-revocation.
    let isRequested: Bool

    package init(isRevocable: Bool, namesStatusList: Bool, isRequested: Bool) {
      self.isRevocable = isRevocable
      self.namesStatusList = namesStatusList
      self.isRequested = isRequested
    }
  }

  package init(
    key: JSONObject, attributes: Set<ExactText>, revealed: [ExactText: String], predicates: Set<Predicate>,
    revocation: Revocation
  ) {
    self.key = key
    self.attributes = attributes
    self.revealed = revealed
    self.predicates = predicates
    self.revocation = revocation
  }
}

extension Statement {
  /// A comparison of an attribute with a number, as a proof names it.
  package struct Predicate: Hashable, Sendable {
    /// The attribute's name, as AnonCreds compares names.
    package let attribute: ExactText
    /// `GE`, `GT`, `LE` or `LT`.
    package let comparison: String
    package let value: Int64

    package init(attribute: ExactText, comparison: String, value: Int64) {
      self.attribute = attribute
      self.comparison = comparison
      self.value = value
    }
  }
}
