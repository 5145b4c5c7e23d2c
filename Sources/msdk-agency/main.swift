internal import AgencyServer
internal import HTTPServing
internal import JSON
internal import Logging
internal import Platform
internal import ProgramArguments
internal import Time

let arguments: Arguments
do {
  arguments = try Arguments(commandLineWords(), atStart: true)
} catch {
  Process.write("msdk-agency: \(printable(error.text)). \(error.hint).\n", to: STDERR_FILENO)
  exit(2)
}
do {
  switch arguments.task {
  case .help: Process.write(Arguments.usage, to: STDOUT_FILENO)
  case .version: Process.write(Arguments.version, to: STDOUT_FILENO)
  case .listAccounts(let form): try listAccounts(arguments.settings, form)
  case .backUp(let path): try Backup(path: path).write(of: arguments.settings)
  case .restore(let path): try Backup(path: path).restore(into: arguments.settings)
  case .checkSettings: checkSettings(arguments.settings)
  case .change(let change, let did): try change.make(to: did, in: arguments.settings)
  case .serve: try serve(arguments.settings)
  }
} catch {
  Process.write("msdk-agency: \(printable("\(error)"))\n", to: STDERR_FILENO)
  exit(1)
}

func serve(_ settings: AgencySettings) throws {
  Process.holdSignals()
  var settings = settings
  settings.fit(intoFiles: Process.raiseFileLimit(to: settings.neededFiles))
  shareFreeMemory()
  _ = Log.channel.install(LogSink { Process.write($0.line(at: systemClock()) + "\n", to: STDERR_FILENO) })
  let server = try AgencyServer(settings, log: Log.channel)
  let ready: JSON = [
    "endpoint": .string(server.publicEndpoint), "did": .string(server.identity.did),
    "verkey": .string(server.identity.verkey.text),
  ]
  Process.write(ready.text + "\n", to: STDOUT_FILENO)
  ServiceManager.notify("READY=1")
  while Process.nextSignal() == SIGHUP {
    server.reload { try Arguments(commandLineWords(), atStart: false).settings }
  }
  ServiceManager.notify("STOPPING=1")
  server.stop()
}

/// Warns on standard error of files that other users of the machine could read or change.
func checkSettings(_ settings: AgencySettings) {
  for warning in settings.fileWarnings {
    Process.write("msdk-agency: warning: \(warning.path): \(warning.reason)\n", to: STDERR_FILENO)
  }
  Process.write("the settings are sound\n", to: STDOUT_FILENO)
}

func listAccounts(_ settings: AgencySettings, _ form: AccountTable.Form) throws {
  let list = try AccountList(settings)
  var table = AccountTable(form)
  Process.write(table.head, to: STDOUT_FILENO)
  try list.forEachPage { accounts in
    Process.write(accounts.map { table.line($0) }.joined(), to: STDOUT_FILENO)
  }
  Process.write(table.sum, to: STDOUT_FILENO)
}
