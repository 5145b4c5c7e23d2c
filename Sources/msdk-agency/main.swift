internal import AgencyServer
internal import Glibc
internal import JSON

let arguments: Arguments
do {
  arguments = try Arguments(CommandLine.arguments.dropFirst())
} catch {
  Process.write("msdk-agency: \(error.text)\n\n\(Arguments.usage)", to: STDERR_FILENO)
  exit(2)
}
guard !arguments.wantsHelp else {
  Process.write(Arguments.usage, to: STDOUT_FILENO)
  exit(0)
}

Process.holdSignals()
let log: EventLog = { Process.write($0.line(at: systemClock()) + "\n", to: STDERR_FILENO) }
do {
  let server = try AgencyServer(arguments.settings, log: log)
  let ready: JSON = [
    "endpoint": .string(server.publicEndpoint), "did": .string(server.identity.did),
    "verkey": .string(server.identity.verkey.text),
  ]
  Process.write(ready.text + "\n", to: STDOUT_FILENO)
  Process.waitForEnd()
  server.stop()
} catch {
  Process.write("msdk-agency: \(error)\n", to: STDERR_FILENO)
  exit(1)
}
