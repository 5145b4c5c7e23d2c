package import Wallet

/// The reason why a wallet or an exported file could not be opened or created, with its path.
package struct WalletFailure: Error, Equatable, Sendable {
  package let error: WalletError
  package let path: String

  package init(_ error: WalletError, at path: String) {
    self.error = error
    self.path = path
  }
}

extension WalletFailure: CustomStringConvertible {
  package var description: String { "\(error): \(path)" }
}

/// Works on a file and names it in an error.
package func naming<Value>(_ path: String, _ body: () throws(WalletError) -> Value) throws(WalletFailure) -> Value {
  do { return try body() } catch { throw WalletFailure(error, at: path) }
}
