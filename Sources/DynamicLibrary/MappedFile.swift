internal import CDynamicLibrary
internal import Platform

/// The file of the library or the program that contains this code: an absolute path without symbolic links, as the system
/// has it in /proc/self/maps. Nil if the system does not tell.
///
/// The loader's own name does not suffice: for a program it is `argv[0]`, which the caller chooses, and for a library
/// opened by a relative path it leads to another file once the program has changed its directory.
func pathOfThisCode() -> String? {
  var image = msdk_image()
  guard dladdr(#dsohandle, &image) != 0, let maps = fopen("/proc/self/maps", "re") else { return nil }
  defer { fclose(maps) }
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(line) }
  while getline(&line, &capacity, maps) > 0 {
    if let text = line.map({ String(cString: $0) }), let mapping = MappedFile(text),
      mapping.addresses.contains(UInt(bitPattern: image.base))
    {
      return mapping.path
    }
  }
  return nil
}

/// A line of /proc/self/maps (proc_pid_maps(5)): `55d0-55d8 r--p 00000000 08:01 1234    /usr/bin/msdk`.
struct MappedFile: Equatable {
  let addresses: Range<UInt>
  let path: String

  /// Returns nil for memory without a file.
  init?(_ line: String) {
    let fields = line.prefix { $0 != "\n" }.split(separator: " ", maxSplits: 5)
    guard fields.count == 6 else { return nil }
    let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    let path = fields[5].drop { $0 == " " }
    guard bounds.count == 2, bounds[0] < bounds[1], path.first == "/" else { return nil }
    addresses = bounds[0]..<bounds[1]
    self.path = String(path)
  }
}
