package import DIDComm
package import Sodium
import Threading
import WebVH

/// The keys of a DID's controller, in memory.
package final class MemoryKeys: ControllerKeys {
  private let pairs = Locked<[VerKey: KeyPair]>([:])

  package init() {}

  package func makeKey() -> VerKey {
    let pair = KeyPair()
    pairs.withLock { $0[pair.verkey] = pair }
    return pair.verkey
  }

  package func key(withHash hash: String) -> VerKey? { pairs.withLock { $0.keys.first { $0.commitment == hash } } }

  package func keyPair(for key: VerKey) -> KeyPair? { pairs.withLock { $0[key] } }
}

/// A memory of versions that forgets all of them.
package struct NoVersions: SeenVersions {
  package init() {}

  package func latest(of scid: String) -> String? { nil }

  package func keep(_ version: String, of scid: String, insteadOf former: String?, at time: Int64) -> Bool { true }
}

/// A memory of versions as a wallet has it, which several processes may use.
package final class SharedVersions: SeenVersions {
  private let versions = Locked<[String: String]>([:])

  package init() {}

  package func latest(of scid: String) -> String? { versions.withLock { $0[scid] } }

  package func keep(_ version: String, of scid: String, insteadOf former: String?, at time: Int64) -> Bool {
    versions.withLock { versions in
      guard versions[scid] == former else { return false }
      versions[scid] = version
      return true
    }
  }
}
