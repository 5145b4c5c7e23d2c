internal import MSDK

// The objects that programs hold by handle.

let connections = HandleTable<Connection>(missing: .invalidConnectionHandle, kind: "connection")

/// The settings of a start. Refused while the library runs, after the same look at them.
func newSettings(parsing text: String) throws -> Settings { try whileStopped(Settings(parsing: text)) }

/// The settings of a start from a file.
func newSettings(at path: String) throws -> Settings { try whileStopped(Settings(at: path)) }

private func whileStopped(_ settings: Settings) throws -> Settings {
  guard !Agent.isRunning else { throw AgentError.alreadyRunning }
  return settings
}
