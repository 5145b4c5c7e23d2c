/// The user's name and picture for peers: in the label of requests, in the label and the picture of invitations.
package struct Profile: Equatable, Sendable {
  package var name: String?
  package var logoURL: String?

  package init(name: String? = nil, logoURL: String? = nil) {
    self.name = name
    self.logoURL = logoURL
  }

  /// The profile with the values of `other` that are set.
  func updated(with other: Profile) -> Profile {
    Profile(name: other.name ?? name, logoURL: other.logoURL ?? logoURL)
  }
}
