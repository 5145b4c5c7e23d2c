// swift-tools-version: 6.2
import PackageDescription

// libmsdk.so for Swift programs: the header as the module CMSDK, and CMSDKCalls to await its callbacks. A program has a
// Swift runtime of its own beside the library's: only C crosses, and the library is never unloaded. Build with
// `-Xlinker -L<directory of libmsdk.so>`.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "msdk-client",
  products: [.library(name: "CMSDKCalls", targets: ["CMSDKCalls"])],
  targets: [
    .systemLibrary(name: "CMSDK"),
    .target(name: "CMSDKCalls", dependencies: ["CMSDK"], swiftSettings: strict),
    .executableTarget(name: "Example", dependencies: ["CMSDKCalls", "CMSDK"], swiftSettings: strict),
    .testTarget(name: "CMSDKTests", dependencies: ["CMSDK"], swiftSettings: strict),
    .testTarget(name: "CMSDKCallsTests", dependencies: ["CMSDKCalls", "CMSDK"], swiftSettings: strict),
  ]
)
