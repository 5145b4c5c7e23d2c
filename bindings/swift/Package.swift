// swift-tools-version: 6.2
import PackageDescription

// A Swift program as a client of libmsdk.so. It has a Swift runtime of its own beside the library's: only C crosses, and
// the library is never unloaded. Build with `-Xlinker -L<directory of libmsdk.so>`.

let package = Package(
  name: "msdk-client",
  targets: [
    .systemLibrary(name: "CMSDK"),
    .executableTarget(
      name: "Example", dependencies: ["CMSDK"], swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "CMSDKTests", dependencies: ["CMSDK"], swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
