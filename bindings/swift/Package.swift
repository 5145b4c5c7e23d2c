// swift-tools-version: 6.0
import PackageDescription

// libmsdk.so for Swift programs. MSDK has classes for the library's objects; CMSDKCalls awaits any of its functions; CMSDK
// is the header as a module. A program has a Swift runtime of its own beside the library's: only C crosses, and the
// library is never unloaded. pkg-config finds the header and the library; nothing in this package refers to its place.

let package = Package(
  name: "msdk-client",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "MSDK", targets: ["MSDK"]),
    .library(name: "CMSDKCalls", targets: ["CMSDKCalls"]),
  ],
  targets: [
    .systemLibrary(name: "CMSDK", pkgConfig: "msdk", providers: [.apt(["libmsdk-dev"])]),
    .target(name: "CMSDKCalls", dependencies: ["CMSDK"]),
    .target(name: "MSDK", dependencies: ["CMSDK", "CMSDKCalls"]),
    .executableTarget(name: "Example", dependencies: ["MSDK"]),
    .target(name: "Guide", dependencies: ["MSDK"]),
    .testTarget(name: "CMSDKTests", dependencies: ["CMSDK"]),
    .testTarget(name: "CMSDKCallsTests", dependencies: ["CMSDKCalls", "CMSDK"]),
    .testTarget(name: "MSDKTests", dependencies: ["MSDK", "CMSDKCalls", "Guide"]),
  ]
)
