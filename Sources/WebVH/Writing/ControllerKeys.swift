package import DIDComm
internal import Sodium

/// The keys of the DIDs that this program controls.
package protocol ControllerKeys: KeyRing {
  /// A new key, which the ring keeps.
  func makeKey() throws -> VerKey

  /// The key that the ring has made and that has this hash, as `nextKeyHashes` of a log names it; nil if there is none.
  func key(withHash hash: String) throws -> VerKey?
}

extension VerKey {
  /// The hash by which a log commits to the key before the key is shown.
  package var commitment: String { Multihash.text(of: Array(multibase.utf8)) }
}

/// The reasons why a DID or a resource is not written.
package enum ControllerError: Error, Equatable, Sendable {
  /// The keys that may change the DID, or sign for it, are not in the ring.
  case noKey
  /// The ring failed, for the given reason.
  case keys(String)
  /// The place does not have the form `host`, `host%3A8080` or `host:path:path`.
  case malformedPlace(String)
  /// A change that the library does not make, for the given reason.
  case unsupported(String)
  /// The log that was to be continued is not valid, or the new log would not be.
  case log(DIDLogError)
  case inexactNumber
}

extension ControllerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noKey: "the wallet has no key that may change the DID"
    case .keys(let reason): "the keys of the wallet: \(reason)"
    case .malformedPlace(let place): "\"\(place)\" is no place of a DID, such as example.com or example.com:issuers:1"
    case .unsupported(let reason): reason
    case .log(let error): "\(error)"
    case .inexactNumber: "it has a number that doubles do not have exactly"
    }
  }
}

extension ControllerKeys {
  func made() throws(ControllerError) -> VerKey {
    do { return try makeKey() } catch { throw .keys("\(error)") }
  }

  func pair(for key: VerKey) throws(ControllerError) -> KeyPair? {
    do { return try keyPair(for: key) } catch { throw .keys("\(error)") }
  }

  func made(withHash hash: String) throws(ControllerError) -> VerKey? {
    do { return try key(withHash: hash) } catch { throw .keys("\(error)") }
  }
}
