import CMSDK

// Prints the version of the library and, for each code on the command line, what it means.

print("msdk \(String(cString: vcx_version()))")
for argument in CommandLine.arguments.dropFirst() {
  guard let code = UInt32(argument) else { continue }
  print("\(code): \(String(cString: vcx_error_c_message(code)))")
}
