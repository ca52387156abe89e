// swift-tools-version: 6.3

import PackageDescription

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

func switchyard(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "Switchyard") }
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Switchyard", path: "..", traits: ["SQLite"]),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.27.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    // MARK: The harness

    .target(name: "Measuring"),
    .executableTarget(name: "SideBySide", dependencies: ["Measuring", arguments]),
    .testTarget(name: "MeasuringTests", dependencies: ["Measuring"]),
    .executableTarget(name: "EchoServer", linkerSettings: [.linkedLibrary("crypto")]),

    // MARK: The peers, one program each

    .target(name: "PeerReporting", dependencies: [arguments]),
    .systemLibrary(
      name: "LibcurlMulti", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "MultiLoad", dependencies: ["LibcurlMulti"]),
    .executableTarget(name: "MultiPeer", dependencies: ["MultiLoad"]),
    .executableTarget(
      name: "AsyncHTTPClientPeer",
      dependencies: [
        "PeerReporting", arguments, .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .executableTarget(
      name: "LibraryPeer",
      linkerSettings: [
        .linkedLibrary("z"), .linkedLibrary("brotlienc"), .linkedLibrary("zstd"), .linkedLibrary("hiredis"),
        .linkedLibrary("sqlite3"),
      ]),
    .executableTarget(name: "WebSocketPeer", dependencies: ["LibcurlMulti"]),
    .executableTarget(name: "URLSessionPeer", dependencies: ["PeerReporting", arguments]),

    // MARK: Ours

    .target(
      name: "SwitchyardLoad",
      dependencies: [
        "PeerReporting", arguments, httpTypes, .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
        + switchyard(
          "Interception", "CurlTransport", "Interceptors", "RequestAuthorization", "RequestSigning",
          "ResponseCaching", "DNSBypass", "BodyCompression", "RequestLogging", "RequestTelemetry",
          "ValkeyStores", "Mediation", "APIManagers", "Inspection", "WebSockets")),
    .executableTarget(
      name: "SwitchyardPeer",
      dependencies: ["SwitchyardLoad", "Measuring", "PeerReporting", arguments, httpTypes]
        + switchyard("Interception", "CurlTransport")),
    // A program of its own, because others that link GRDB would have more resident memory.
    .executableTarget(
      name: "ActivityPeer",
      dependencies: ["Measuring", "PeerReporting", arguments, httpTypes]
        + switchyard("SQLiteStores", "Interception")),
    .executableTarget(
      name: "StorePeer",
      dependencies: ["PeerReporting", arguments, httpTypes]
        + switchyard("SQLiteStores", "ResponseCaching", "Interception")),
    .target(name: "HeapMeasuring"),
    .executableTarget(
      name: "GrowthPeer",
      dependencies: ["HeapMeasuring", "PeerReporting", arguments, httpTypes]
        + switchyard("Interception", "CurlTransport", "ResponseCaching", "SQLiteStores", "Mediation")),
    .target(name: "AllocationCounting"),
    .executableTarget(
      name: "AllocationProbe",
      dependencies: [
        "AllocationCounting", "MultiLoad", "SwitchyardLoad", "PeerReporting", arguments, httpTypes,
      ] + switchyard("Interception", "CurlTransport")),

    // MARK: What it costs to depend on the package; Python/footprint.py compiles ours in packages, too

    .executableTarget(name: "MediationFootprint", dependencies: switchyard("Mediation")),
    .executableTarget(
      name: "TransportFootprint", dependencies: switchyard("Interception", "CurlTransport", "BodyFormats")),
    .executableTarget(name: "UmbrellaFootprint", dependencies: switchyard("Switchyard")),
    .executableTarget(
      name: "AsyncHTTPClientFootprint",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .treatAllWarnings(as: .error),  // SE-0480
  ]
}
