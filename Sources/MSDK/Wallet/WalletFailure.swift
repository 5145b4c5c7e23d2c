package import Wallet

/// Why a wallet or an exported file could not be opened or made, and which.
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

/// Does the work on a file; an error names it.
package func naming<Value>(_ path: String, _ body: () throws(WalletError) -> Value) throws(WalletFailure) -> Value {
  do { return try body() } catch { throw WalletFailure(error, at: path) }
}
