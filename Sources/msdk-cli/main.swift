internal import Platform

exit(Program(Array(CommandLine.arguments.dropFirst())).run().rawValue)
