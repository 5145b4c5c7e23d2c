internal import Files
internal import SQLite
internal import Threading

/// The wallets that this process has open, by the identity of their files: two paths to one file are one wallet.
enum OpenWallets: Sendable {
  private static let open = Locked<Set<Files.Identity>>([])

  /// The right of one `Wallet` to its file, until it is released.
  struct Claim: Sendable {
    fileprivate let identity: Files.Identity
    /// Nil once the claim is released. If a wallet's file is deleted earlier, a new file does not count as open.
    private let hold: Locked<Files.Hold?>

    /// Releasing twice is harmless.
    func release() {
      guard let hold = hold.withLock({ $0.take() }) else { return }
      withExtendedLifetime(hold) { OpenWallets.open.withLock { _ = $0.remove(identity) } }
    }

    /// Opens the file for reading. Throws `SQLiteError.moved` if it is gone, or another file has its place.
    func reader(at location: WalletLocation) throws(SQLiteError) -> Reader {
      do {
        let reader = try Reader(path: location.file)
        if isFile(at: location) { return reader }
      } catch {
        if isFile(at: location) { throw error }
      }
      throw .moved
    }

    /// Whether the claimed file is at the location, or the system does not tell.
    private func isFile(at location: WalletLocation) -> Bool {
      if let found = Files.identity(of: location.file) { found == identity } else { !Files.isFree(location.file) }
    }

    fileprivate init(_ hold: Files.Hold) {
      identity = hold.identity
      self.hold = Locked(hold)
    }
  }

  static func claim(_ location: WalletLocation) throws(WalletError) -> Claim {
    let hold: Files.Hold
    do { hold = try Files.Hold(location.file) } catch { throw error.isMissing ? .notFound : WalletError(error) }
    guard open.withLock({ $0.insert(hold.identity).inserted }) else { throw .alreadyOpen }
    return Claim(hold)
  }

  /// Whether `path` leads to the file of an open wallet, or to the index of its log. SQLite has locks on both, and a
  /// process loses all its locks on a file when it closes any descriptor of the file.
  static func contains(_ path: String) -> Bool {
    let index = "-shm"
    let file = path.hasSuffix(index) ? String(path.dropLast(index.count)) : path
    guard let identity = Files.identity(of: file) else { return false }
    return open.withLock { $0.contains(identity) }
  }
}
