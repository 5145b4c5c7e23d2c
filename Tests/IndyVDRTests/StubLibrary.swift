import Glibc

@testable import IndyVDR

extension LedgerFunctions {
  /// Functions that succeed and do nothing, but for the given ones.
  static func stub(
    currentError: @escaping @convention(c) (NewText) -> Int64 = { _ in 0 },
    refreshPool: @escaping @convention(c) (Int64, Refreshed, Int64) -> Int64 = { _, reply, number in
      reply(number, 0)
      return 0
    },
    closePool: @escaping @convention(c) (Int64) -> Int64 = { _ in 0 },
    submit: @escaping @convention(c) (Int64, Int64, Reply, Int64) -> Int64
  ) -> LedgerFunctions {
    let build: BuildByID = { _, _, _ in 0 }
    return LedgerFunctions(
      freeText: { free($0) }, currentError: currentError, createPool: { _, _ in 0 }, refreshPool: refreshPool,
      closePool: closePool, submit: submit, schema: build, definition: build, revocationRegistry: build,
      revocationDelta: { _, _, _, _, _ in 0 }, transaction: { _, _, _, _ in 0 }, nym: { _, _, _, _, _ in 0 },
      attribute: { _, _, _, _, _, _, _, _ in 0 }, agreement: build, acceptanceMechanisms: { _, _, _, _ in 0 },
      custom: { _, _ in 0 })
  }
}
