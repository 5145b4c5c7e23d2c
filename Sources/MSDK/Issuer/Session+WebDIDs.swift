internal import JSON
internal import Logging
internal import Registry
internal import WebVH

// The DIDs of did:webvh that this program controls.

extension Session {
  /// Makes a DID at a place such as `example.com:issuers:1`, and publishes its log. `options` is JSON text. Returns the DID.
  package func createWebDID(at place: String, options: String) throws -> String {
    let choices = try DIDChange(JSON(parsing: options).requireObject(), ofNewDID: true)
    let did = try publisher(ofDID: place).create(at: place, choices)
    Log.info("\(did) is published")
    return did
  }

  /// Publishes the next version of an own DID. `changes` is JSON text; nil deactivates the DID. Returns the version's id.
  package func updateWebDID(_ did: String, changes: String?) throws -> String {
    let publisher = try publisher(ofDID: did)
    guard let own = WebVHDID(did) else {
      throw PublicationFailure(.did, did, .refused("it is no DID of the method webvh"))
    }
    let change = try changes.map { try DIDChange(JSON(parsing: $0).requireObject(), ofNewDID: false) }
    let version = try publisher.update(own, change ?? .deactivation)
    Log.info("version \(version) of \(did) is published")
    return version
  }

  private func publisher(ofDID did: String) throws(PublicationFailure) -> WebVHPublisher {
    guard let controller else { throw PublicationFailure(.did, did, .notConfigured) }
    return controller
  }
}
