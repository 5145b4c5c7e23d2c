internal import MSDK

// The objects that programs hold by handle.

let connections = HandleTable<Connection>(missing: .invalidConnectionHandle, kind: "connection")

/// The settings of a start. Refused while the library runs, after the same look at them.
func newSettings(_ text: String) throws -> Settings {
  let settings = try Settings(parsing: text)
  guard !Agent.isRunning else { throw AgentError.alreadyRunning }
  return settings
}
