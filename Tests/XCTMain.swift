import Testing

/// The entry point of the bundle of tests. With it, SwiftPM looks for no tests of XCTest, and needs no index of the sources.
@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
