internal import Platform

extension Files {
  /// The ways in which a file or a directory is open to other users of the machine. Groups do not count: administrators
  /// make them on purpose, and access control lists show in the same bits.
  package struct Exposure: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It belongs to a user other than root and this process's user. That user can change it.
    package static let foreign = Exposure(rawValue: 1)
    /// Every user may write into it.
    package static let writable = Exposure(rawValue: 2)
    /// Every user may read it.
    package static let readable = Exposure(rawValue: 4)
  }

  /// Empty for a missing file, and for a pipe or a device.
  package static func exposure(of path: String) -> Exposure {
    var status = stat()
    guard stat(path, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return [] }
    var exposure: Exposure = []
    if status.st_uid != 0, status.st_uid != geteuid() { exposure.insert(.foreign) }
    if status.st_mode & S_IWOTH != 0 { exposure.insert(.writable) }
    if status.st_mode & S_IROTH != 0 { exposure.insert(.readable) }
    return exposure
  }
}
