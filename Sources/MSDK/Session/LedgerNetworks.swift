internal import JSON
internal import Logging

/// The networks that a program wants to read ledgers of. None is connected yet; what they are is not looked at.
package struct LedgerNetworks: Sendable {
  /// Reads the configuration of `vcx_init_pool`: one network, an array of them, or an object that holds the array.
  package init(parsing text: String) throws(SettingsError) {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformed(error) }
    guard json.object != nil || json.array != nil else { throw .invalidValue("pool_config", "an object or an array") }
  }

  /// Succeeds, so that programs that begin with this call go on.
  package func connect() {
    Log.warning("no ledger is connected: this build knows none")
  }
}
