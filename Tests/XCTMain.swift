import Testing

/// The entry point of the tests. Because of its name, SwiftPM looks for no tests of XCTest, and needs no index of the sources.
@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
