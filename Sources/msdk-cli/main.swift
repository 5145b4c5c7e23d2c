internal import Platform
internal import ProgramArguments

exit(Program(commandLineWords()).run().rawValue)
