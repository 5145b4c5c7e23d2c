internal import Files
internal import Threading

/// The wallets that this process has open, by the identity of their files: two paths to one file are one wallet.
enum OpenWallets: Sendable {
  private static let open = Locked<Set<Files.Identity>>([])

  /// The right of one `Wallet` to its file, until it is released.
  struct Claim: Sendable {
    fileprivate let identity: Files.Identity
    private let isHeld = Locked(true)

    /// Releasing twice is harmless.
    func release() {
      let wasHeld = isHeld.withLock { isHeld in
        defer { isHeld = false }
        return isHeld
      }
      if wasHeld { OpenWallets.open.withLock { _ = $0.remove(identity) } }
    }

    fileprivate init(_ identity: Files.Identity) { self.identity = identity }
  }

  static func claim(_ location: WalletLocation) throws(WalletError) -> Claim {
    guard let identity = Files.identity(of: location.file) else { throw .notFound }
    guard open.withLock({ $0.insert(identity).inserted }) else { throw .alreadyOpen }
    return Claim(identity)
  }

  static func contains(_ location: WalletLocation) -> Bool {
    guard let identity = Files.identity(of: location.file) else { return false }
    return open.withLock { $0.contains(identity) }
  }
}
