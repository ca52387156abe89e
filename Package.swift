// swift-tools-version: 6.3

import PackageDescription

// MARK: Dependencies

// Without its default trait swift-http-types links no Foundation; Interception promises the same.
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

// Only the loopback server of the test kit uses NIO. With the trait off SwiftPM neither resolves nor fetches it.
let loopbackEngine: [Target.Dependency] = [
  ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOTLS", "swift-nio"),
  ("NIOSSL", "swift-nio-ssl"), ("NIOHTTP2", "swift-nio-http2"), ("NIOHPACK", "swift-nio-http2"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["LoopbackTesting"])) }

let package = Package(
  name: "Switchyard",

  // MARK: Products

  products: [
    .library(name: "Switchyard", targets: ["Switchyard"]),
    .library(name: "Interception", targets: ["Interception"]),
    .library(name: "BodyFormats", targets: ["BodyFormats"]),
    .library(name: "Downloads", targets: ["Downloads"]),
    .library(name: "CurlTransport", targets: ["CurlTransport"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "APIManagers", targets: ["APIManagers"]),
    .library(name: "Mediation", targets: ["Mediation"]),
    .library(name: "Navigation", targets: ["Navigation"]),
    .library(name: "RouteManifests", targets: ["RouteManifests"]),
    .library(name: "RequestValidation", targets: ["RequestValidation"]),
    .library(name: "RequestSigning", targets: ["RequestSigning"]),
    .library(name: "ResponseCaching", targets: ["ResponseCaching"]),
    .library(name: "DNSBypass", targets: ["DNSBypass"]),
    .library(name: "BodyCompression", targets: ["BodyCompression"]),
    .library(name: "RequestLogging", targets: ["RequestLogging"]),
    .library(name: "SwitchyardTesting", targets: ["SwitchyardTesting"]),
    .library(name: "LoopbackTesting", targets: ["LoopbackTesting"]),
    .library(name: "MediationTesting", targets: ["MediationTesting"]),
    .plugin(name: "ModuleBoundary", targets: ["ModuleBoundary"]),
    .plugin(name: "VerifyModules", targets: ["VerifyModules"]),
    .plugin(name: "NewModule", targets: ["NewModule"]),
    .plugin(name: "RouteManifest", targets: ["RouteManifest"]),
  ],
  traits: [
    .trait(
      name: "LoopbackTesting",
      description: "The test kit's HTTP server, which fetches swift-nio, swift-nio-ssl and swift-nio-http2")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
  ],
  targets: [
    // MARK: The pipeline

    .target(name: "Interception", dependencies: [httpTypes]),
    .target(name: "BodyFormats", dependencies: ["Interception", httpTypes]),
    .target(name: "Downloads", dependencies: ["Interception", httpTypes]),
    .target(
      name: "Switchyard",
      dependencies: [
        "Interception", "BodyFormats", "Downloads", "CurlTransport", "APIManagers", "Mediation",
        "Navigation", "RequestValidation", "RequestSigning", "ResponseCaching", "DNSBypass",
        "BodyCompression", "RequestLogging", httpTypes,
      ]),

    // MARK: The transport and its C seam

    .systemLibrary(
      name: "CLibcurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    // The only code that calls libcrypto, but for the transport's certificates.
    .target(name: "Cryptography", dependencies: ["COpenSSL"]),
    .target(
      name: "ContentCodings", dependencies: ["Interception", "CZlib", "CBrotli", "CZstd"],
      swiftSettings: [.strictMemorySafety()]),
    .target(name: "CCurlShims", dependencies: ["CLibcurl"]),
    .target(
      name: "CurlTransport",
      dependencies: [
        "Interception", "ContentCodings", "CCurlShims", "CLibcurl", "COpenSSL", httpTypes,
      ],
      swiftSettings: [.strictMemorySafety()]),

    // MARK: The transport over the platform's URL loading system

    .target(name: "URLSessionTransport", dependencies: ["Interception", httpTypes]),

    // MARK: Interceptors, one target each

    .interceptor("RequestValidation"),
    .interceptor("RequestSigning", dependencies: ["Cryptography"]),
    .interceptor("ResponseCaching", dependencies: ["Cryptography"]),
    .interceptor("DNSBypass"),
    .interceptor("BodyCompression", dependencies: ["ContentCodings"]),
    .interceptor("RequestLogging", dependencies: [logging]),

    // MARK: What business code touches

    .target(name: "APIManagers", dependencies: ["Interception", httpTypes]),
    .target(name: "Mediation"),
    .target(name: "Navigation", dependencies: ["Mediation"]),
    .target(name: "RouteManifests", dependencies: ["Mediation"]),

    // MARK: The test kit

    .target(name: "SwitchyardTesting", dependencies: ["Interception", httpTypes]),
    .target(
      name: "LoopbackTesting",
      dependencies: ["SwitchyardTesting", "Interception", httpTypes] + loopbackEngine),
    .target(name: "MediationTesting", dependencies: ["Mediation", "Navigation"]),

    // MARK: Module boundaries

    .target(name: "ImportScanning"),
    .executableTarget(name: "module-boundary-tool", dependencies: ["ImportScanning"]),
    .plugin(
      name: "ModuleBoundary", capability: .buildTool(), dependencies: ["module-boundary-tool"],
      path: "Plugins/Build/ModuleBoundary"),
    .plugin(
      name: "VerifyModules",
      capability: .command(
        intent: .custom(
          verb: "verify-modules", description: "Check the boundaries of all business modules at once")),
      path: "Plugins/Build/VerifyModules"),
    .target(name: "ModuleScaffolding"),
    .plugin(
      name: "NewModule",
      capability: .command(
        intent: .custom(
          verb: "new-module", description: "Make a business module with its contract and tests"),
        permissions: [
          .writeToPackageDirectory(reason: "to write the module's files and to register it in Package.swift")
        ]),
      path: "Plugins/Build/NewModule"),
    .plugin(
      name: "RouteManifest",
      capability: .command(
        intent: .custom(
          verb: "route-manifest", description: "Write down an app's routes, or check what is written")),
      path: "Plugins/Build/RouteManifest"),

    // MARK: Tests

    .testTarget(
      name: "InterceptionTests", dependencies: ["Interception", "SwitchyardTesting", httpTypes]),
    .testTarget(
      name: "BodyFormatsTests",
      dependencies: ["BodyFormats", "Interception", "SwitchyardTesting", httpTypes]),
    .testTarget(
      name: "DownloadsTests",
      dependencies: ["Downloads", "Interception", "SwitchyardTesting", "CommandRunning", httpTypes]),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"]),
    .testTarget(
      name: "SwitchyardTestingTests",
      dependencies: [
        "SwitchyardTesting", "Interception", "RequestValidation", "RequestSigning",
        "ResponseCaching", "DNSBypass", "BodyCompression", "RequestLogging", httpTypes, logging,
      ]),
    .testTarget(
      name: "LoopbackTestingTests",
      dependencies: [
        "LoopbackTesting", "SwitchyardTesting", "Interception", "CurlTransport", httpTypes,
      ]),
    // Programs that tests run, off Swift's pool.
    .target(name: "CommandRunning", path: "Tests/CommandRunning"),
    // A real HTTP server for the suites that need the wire.
    .target(
      name: "LoopbackServing", dependencies: ["CommandRunning", "SwitchyardTesting"],
      path: "Tests/LoopbackServing"),
    // Load with faults and cancels: a part of the tests, and a program that Scripts/soak builds alone,
    // which is quick even with a sanitizer.
    .target(
      name: "TransportSoaking",
      dependencies: ["CurlTransport", "Interception", "LoopbackServing", httpTypes],
      path: "Tests/TransportSoaking"),
    .executableTarget(
      name: "transport-soak", dependencies: ["TransportSoaking"], path: "Tests/TransportSoak"),
    .testTarget(
      name: "CurlTransportTests",
      dependencies: [
        "CurlTransport", "Interception", "BodyFormats", "Downloads", "SwitchyardTesting",
        "LoopbackServing", "TransportSoaking", "CommandRunning", "CLibcurl", httpTypes,
      ]),
    .testTarget(
      name: "URLSessionTransportTests",
      dependencies: [
        "URLSessionTransport", "Interception", "SwitchyardTesting", "LoopbackServing", httpTypes,
      ]),
    .testTarget(
      name: "RequestValidationTests",
      dependencies: ["RequestValidation", "Interception", "SwitchyardTesting", httpTypes]),
    .testTarget(
      name: "RequestSigningTests",
      dependencies: [
        "RequestSigning", "Cryptography", "Interception", "SwitchyardTesting", "CommandRunning", httpTypes,
      ]),
    .testTarget(
      name: "ResponseCachingTests",
      dependencies: [
        "ResponseCaching", "Cryptography", "Interception", "SwitchyardTesting", "CommandRunning", httpTypes,
      ]),
    .testTarget(
      name: "DNSBypassTests",
      dependencies: [
        "DNSBypass", "Interception", "CurlTransport", "SwitchyardTesting", "LoopbackServing",
        httpTypes,
      ]),
    .testTarget(
      name: "BodyCompressionTests",
      dependencies: [
        "BodyCompression", "ContentCodings", "Interception", "CurlTransport", "SwitchyardTesting",
        "LoopbackServing",
        "CommandRunning", httpTypes,
      ]),
    .testTarget(
      name: "RequestLoggingTests",
      dependencies: [
        "RequestLogging", "Interception", "SwitchyardTesting", "CommandRunning", httpTypes, logging,
        .product(name: "InMemoryLogging", package: "swift-log"),
      ]),
    .testTarget(
      name: "APIManagersTests",
      dependencies: ["APIManagers", "Interception", "SwitchyardTesting", "CommandRunning", httpTypes]),
    .testTarget(name: "MediationTests", dependencies: ["Mediation", "CommandRunning"]),
    .testTarget(name: "NavigationTests", dependencies: ["Navigation", "Mediation"]),
    .testTarget(name: "RouteManifestsTests", dependencies: ["RouteManifests", "Mediation"]),
    .testTarget(
      name: "MediationTestingTests", dependencies: ["MediationTesting", "Mediation", "Navigation"]),
    .testTarget(name: "ImportScanningTests", dependencies: ["ImportScanning", "CommandRunning"]),
    .testTarget(name: "ModuleScaffoldingTests", dependencies: ["ModuleScaffolding"]),
    .testTarget(
      name: "BoundaryTests", dependencies: ["ImportScanning", "module-boundary-tool", "CommandRunning"]),
    .testTarget(
      name: "SwitchyardTests",
      dependencies: ["Switchyard", "SwitchyardTesting", "LoopbackServing", httpTypes, logging]),
  ],
  swiftLanguageModes: [.v6]
)

// MARK: Settings of every target

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),  // SE-0335
      .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
      .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
      .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
      .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
      // SE-0480; SwiftPM strips it when this package is somebody's dependency.
      .treatAllWarnings(as: .error),
    ]
}

extension Target {
  /// An interceptor: a target of its own that depends on the pipeline and on nothing of its siblings.
  static func interceptor(_ name: String, dependencies: [Target.Dependency] = []) -> Target {
    .target(
      name: name, dependencies: ["Interception", httpTypes] + dependencies,
      path: "Plugins/Interceptors/\(name)")
  }
}
