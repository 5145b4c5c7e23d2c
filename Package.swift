// swift-tools-version: 6.3
// Older compilers refuse the typed throws of the standard library that the sources use.
import PackageDescription

// The one place that says who may import whom. Every dependency points down; a layer that
// needs something from above declares a protocol and receives it.

// The version of everything that is built: the Makefile and scripts/bindings read it here.
let version = "0.1.0"
let revision = (Context.gitInformation?.currentCommit ?? "0000000").prefix(7)

/// Without `-disable-incremental-llvm-codegen`, objects hold a digest in which the folder of the build counts: two builds of one
/// commit would differ. With `-function-sections`, the linker can drop each function that nothing calls.
let common: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(
    ["-Xfrontend", "-disable-incremental-llvm-codegen", "-Xfrontend", "-function-sections"],
    .when(configuration: .release)),
]

/// For targets that hold no pointer: the compiler proves it.
let pure = common + [.strictMemorySafety()]

/// For targets whose work is the AnonCreds engine's or the network's: the optimizer favours their size.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// For targets of long calculations, and targets that read and write each message: the tests would otherwise wait for them.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func layer(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ subject: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(subject)Tests", dependencies: [.target(name: subject), "TestSupport"] + dependencies,
    swiftSettings: [.treatAllWarnings(as: .error)])
}

func system(_ name: String, _ pkgConfig: String, _ debianPackage: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debianPackage])])
}

/// For everything that is shipped: symbols are bound at the start, after which their table is read-only.
let hardening: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
]

/// Only the shared library carries linker flags: on a target that tests link, `-static-stdlib` breaks the test bundle.
/// `--icf=all` keeps one of several functions with the same instructions: nothing here compares functions by address.
let sharedLibrary: [LinkerSetting] = [
  .unsafeFlags([
    "-static-stdlib", "-use-ld=lld",
    "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/libmsdk/exports.map",
    "-Xlinker", "-soname=libmsdk.so.0",
  ]),
  .unsafeFlags(
    [
      "-Xlinker", "-z", "-Xlinker", "defs", "-Xlinker", "-z", "-Xlinker", "nodelete", "-Xlinker", "--gc-sections",
      "-Xlinker", "--icf=all", "-Xlinker", "-s",
    ],
    .when(configuration: .release)),
]

/// Programs as they are shipped bring the Swift runtime with them: they run where there is no Swift. A build ID would depend on
/// the folder of the build, which the debugging information names.
let program: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-Xlinker", "--build-id=none"], .when(configuration: .release))
]

let package = Package(
  name: "msdk",
  products: [
    .library(name: "msdk", type: .dynamic, targets: ["libmsdk"]),
    .executable(name: "msdk-agency", targets: ["msdk-agency"]),
    .executable(name: "msdk-cli", targets: ["msdk-cli"]),
  ],
  targets: [
    // libmsdk.so
    .target(
      name: "libmsdk", dependencies: ["VCX", "CGlibc", "CSwiftRuntime"], exclude: ["exports.map"],
      swiftSettings: common, linkerSettings: sharedLibrary + hardening),
    layer(
      "VCX",
      [
        "MSDK", "AnonCreds", "Credentials", "Registry", "Aries", "CloudAgent", "Indy", "Wallet", "DIDComm", "Sodium",
        "JSON", "Logging", "Threading", "CRevision", "Platform",
      ], common),
    .target(
      name: "CRevision",
      cSettings: [.define("MSDK_VERSION", to: "\"\(version)\""), .define("MSDK_REVISION", to: "\"\(revision)\"")]),
    .target(name: "CGlibc"),
    // For arm64 the package manager compiles C for programs, which reach thread-local variables in another way than libraries.
    .target(name: "CSwiftRuntime", cSettings: [.unsafeFlags(["-fPIC"])]),
    layer(
      "MSDK",
      [
        "Aries", "CloudAgent", "Credentials", "AnonCreds", "Registry", "Indy", "IndyVDR", "WebVH", "Wallet", "DIDComm",
        "HTTP", "WebSocket", "Sodium", "JSON", "Logging", "Platform", "Threading", "Files", "Time",
      ], pure),
    layer("Aries", ["DIDComm", "Indy", "Sodium", "JSON", "Time"], pure),
    layer(
      "Credentials", ["AnonCreds", "Soundness", "Indy", "Wallet", "Files", "Sodium", "JSON", "Threading"], pure + small),
    layer("Soundness", ["JSON"], pure + fast),
    layer("Indy", ["Sodium"], pure),
    layer(
      "CloudAgent",
      ["AgencyWire", "Aries", "DIDComm", "HTTP", "WebSocket", "Sodium", "JSON", "Logging", "Platform", "Threading"],
      pure),

    // msdk-agency
    .executableTarget(
      name: "msdk-agency",
      dependencies: [
        "AgencyServer", "CRevision", "Files", "HTTPServing", "JSON", "Logging", "ProgramArguments", "Time", "Platform",
        "CGlibc",
      ],
      swiftSettings: pure,
      linkerSettings: program + hardening),
    layer(
      "AgencyServer",
      [
        "AgencyWire", "DIDComm", "HTTP", "HTTPServing", "OpenSSL", "PostgreSQL", "SQLite", "Sodium", "JSON",
        "Logging", "Threading", "Files", "Platform", "Time",
      ], pure),

    // msdk, the command line: installed under that name, which the library's product has here
    .executableTarget(
      name: "msdk-cli",
      dependencies: [
        "MSDK", "AnonCreds", "Aries", "CloudAgent", "Credentials", "CRevision", "Files", "HTTP", "Indy", "IndyVDR",
        "JSON", "ProgramArguments", "QRCode", "Registry", "Sodium", "Threading", "Time", "Wallet", "Platform", "CGlibc",
      ],
      swiftSettings: pure,
      linkerSettings: program + hardening),

    // Shared by both
    layer("AgencyWire", ["DIDComm", "Sodium", "JSON"], pure + fast),
    layer("DIDComm", ["Sodium", "JSON"], pure + fast),
    layer("WebVH", ["DIDComm", "HTTP", "Sodium", "JSON", "Platform", "Threading", "Time"], pure + small),
    layer(
      "Wallet", ["SQLite", "DIDComm", "Sodium", "JSON", "Threading", "Files", "Patterns", "Time", "Platform"], pure),

    // Around C libraries
    layer("AnonCreds", ["CAnonCreds", "DynamicLibrary", "JSON", "Logging", "Sodium", "Threading", "Platform"], common),
    layer(
      "Registry",
      ["IndyVDR", "WebVH", "HTTP", "Indy", "JSON", "Sodium", "Threading", "Files", "Patterns", "Time", "Platform"],
      pure + small),
    layer("IndyVDR", ["DynamicLibrary", "JSON", "Threading"], common),
    layer("DynamicLibrary", ["CDynamicLibrary", "Threading", "Platform"], common),
    layer("HTTP", ["CCurl", "DynamicLibrary", "Logging", "Threading", "Platform"], common),
    layer("WebSocket", ["HTTP", "Logging", "Sodium", "Threading", "Platform"], common),
    layer("HTTPServing", ["CMicroHTTPD", "Threading", "Platform"], common),
    layer("SQLite", ["CSQLite", "Threading", "Platform"], common),
    layer("PostgreSQL", ["CPostgreSQL", "Platform", "Threading"], common),
    layer("OpenSSL", ["COpenSSL"], common),
    layer("JSON", ["Platform"], common + fast),
    layer("Sodium", ["CSodium", "Threading", "Platform"], common + fast),
    layer("Logging", ["Threading"], pure),
    layer("Threading", ["Platform"], common),
    layer("Files", ["Platform"], common),
    layer("Patterns", ["CPCRE2"], common),
    layer("Time", ["Platform"], common),
    layer("Platform", [], common + fast),
    layer("QRCode", ["CQRencode", "CZlib"], common),
    layer("ProgramArguments", ["Files"], pure),
    .systemLibrary(name: "CAnonCreds"),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CDynamicLibrary"),
    system("CSodium", "libsodium", "libsodium-dev"),
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    system("CPostgreSQL", "libpq", "libpq-dev"),
    system("COpenSSL", "libcrypto", "libssl-dev"),
    system("CPCRE2", "libpcre2-8", "libpcre2-dev"),
    system("CQRencode", "libqrencode", "libqrencode-dev"),
    system("CZlib", "zlib", "zlib1g-dev"),
    system("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),

    // Benchmarks
    .executableTarget(
      name: "agency-load",
      dependencies: ["AgencyServer", "AgencyWire", "DIDComm", "Files", "HTTP", "JSON", "Sodium", "Threading", "Time"],
      path: "Benchmarks/agency-load", exclude: ["run"], swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "credentials-load",
      dependencies: ["AnonCreds", "Credentials", "Indy", "JSON", "Sodium", "TestSupport", "Wallet"],
      path: "Benchmarks/credentials", exclude: ["acapy.py", "engine.py", "exchanges.py", "loaded.py", "party.py"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "operations",
      dependencies: ["AgencyServer", "AgencyWire", "DIDComm", "JSON", "MSDK", "Sodium", "Time", "Wallet"],
      path: "Benchmarks/operations", swiftSettings: [.treatAllWarnings(as: .error)]),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "AgencyWire", "AnonCreds", "COpenSSL", "DIDComm", "HTTPServing", "JSON", "Sodium", "Threading", "WebVH",
      ],
      path: "Tests/TestSupport",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "MSDK", "AnonCreds", "Aries", "AgencyServer", "AgencyWire", "CloudAgent", "Credentials", "DIDComm", "Files",
        "HTTPServing", "JSON", "Logging", "Patterns", "Sodium", "Time", "Wallet", "WebSocket", "WebVH",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    tests(
      "VCX",
      [
        "AgencyServer", "AgencyWire", "AnonCreds", "Aries", "CloudAgent", "Credentials", "DIDComm", "HTTP", "JSON",
        "Logging", "MSDK", "Registry", "SQLite", "Sodium", "Threading", "Wallet",
      ]),
    tests("Logging", ["Threading"]),
    tests("Threading", ["Platform"]),
    tests("JSON"),
    tests("Sodium", ["JSON"]),
    tests("DIDComm", ["JSON", "Sodium"]),
    tests(
      "MSDK",
      [
        "Aries", "AgencyServer", "AgencyWire", "AnonCreds", "CloudAgent", "Credentials", "DIDComm", "HTTP",
        "HTTPServing", "IndyVDR", "JSON", "Logging", "Platform", "Registry", "Sodium", "Threading", "Wallet", "WebVH",
      ]),
    tests("Aries", ["DIDComm", "JSON", "Sodium", "Time"]),
    tests("Credentials", ["AnonCreds", "Indy", "JSON", "Sodium", "Soundness", "Threading", "Wallet"]),
    tests("Soundness", ["JSON"]),
    tests(
      "CloudAgent",
      ["AgencyWire", "Aries", "DIDComm", "HTTP", "HTTPServing", "JSON", "Platform", "Sodium", "Threading"]),
    tests("AgencyWire", ["DIDComm", "JSON", "Sodium", "Threading"]),
    tests("Files", ["Threading"]),
    tests("Patterns"),
    tests("Platform"),
    tests("Time"),
    tests("QRCode"),
    tests("ProgramArguments"),
    tests("AnonCreds", ["JSON", "Sodium"]),
    tests("DynamicLibrary"),
    tests("Registry", ["DIDComm", "HTTP", "HTTPServing", "IndyVDR", "JSON", "Sodium", "Threading", "WebVH"]),
    tests("WebVH", ["DIDComm", "HTTP", "HTTPServing", "JSON", "Sodium", "Threading"]),
    tests("Indy"),
    tests("IndyVDR", ["JSON", "Threading"]),
    tests("HTTP", ["DynamicLibrary", "HTTPServing", "Threading"]),
    tests("WebSocket", ["HTTP", "Platform", "Sodium", "Threading"]),
    tests("HTTPServing", ["HTTP", "Threading"]),
    tests(
      "AgencyServer",
      [
        "msdk-agency", "agency-load", "AgencyWire", "DIDComm", "Files", "HTTP", "HTTPServing", "JSON", "Logging",
        "OpenSSL", "PostgreSQL", "Sodium", "SQLite", "Threading", "Time",
      ]),
    tests("SQLite", ["CSQLite", "Threading"]),
    tests("PostgreSQL", ["Threading"]),
    tests("OpenSSL"),
    tests("Wallet", ["SQLite", "DIDComm", "Sodium", "JSON", "Threading", "Files", "Time"]),
  ]
)
