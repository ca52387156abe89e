// swift-tools-version: 6.3

import PackageDescription

// MARK: Dependencies

// Without its default trait swift-http-types links no Foundation; Interception promises the same.
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let inMemoryLogging: Target.Dependency = .product(name: "InMemoryLogging", package: "swift-log")

// Only the test kit's loopback server uses NIO. Without the trait, SwiftPM neither resolves nor fetches it.
let loopbackEngine: [Target.Dependency] = [
  ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOTLS", "swift-nio"),
  ("NIOSSL", "swift-nio-ssl"), ("NIOHTTP2", "swift-nio-http2"), ("NIOHPACK", "swift-nio-http2"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["LoopbackTesting", "Everything"])) }

// Only SQLiteStores, the durable queues, local stores and an inspector's file for calls use GRDB.
let databaseEngine: Target.Dependency = .product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite", "Everything"]))

// The SQLite library itself, on which responses are read.
let databaseLibrary: Target.Dependency = .product(
  name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite", "Everything"]))

// Only RequestTelemetry uses these. They are small enough to be fetched without a trait.
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let metricsTestKit: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing: Target.Dependency = .product(
  name: "InMemoryTracing", package: "swift-distributed-tracing")

// The reasons for which files are examined; only Apple's systems read them. For resources SwiftPM writes code
// that imports Foundation, which Interception must not link elsewhere. There is no condition for resources.
#if canImport(Darwin)
let privacyManifest = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], exclusions: [String]())
#else
let privacyManifest = (resources: [Resource](), exclusions: ["PrivacyInfo.xcprivacy"])
#endif

// Cryptography computes with CryptoKit where it is a part of the system, and with OpenSSL elsewhere.
// Scripts/test sets the variable, and swift-crypto, which has CryptoKit's interface, takes its place.
let usesSwiftCrypto = Context.environment["SWITCHYARD_SWIFT_CRYPTO"] == "1"
let cryptographicLibraries: [Target.Dependency] =
  [.target(name: "COpenSSL", condition: .when(platforms: [.linux, .android]))]
  + (usesSwiftCrypto ? [.product(name: "Crypto", package: "swift-crypto")] : [])

// MARK: Stock interceptors

// A line gives an interceptor its target in Plugins/Interceptors, its test target, and a place in the
// umbrella, which re-exports it by a line in Sources/Switchyard/Exports.swift.
let interceptors: [StockInterceptor] = [
  .init("RequestValidation"),
  .init("RequestSharing", uses: ["RequestFlights"], testsUse: ["RequestFlights"]),
  .init("RequestMerging"),
  .init("RateLimiting"),
  .init("RequestRetry"),
  .init("RedirectFollowing", testsUse: ["DNSBypass", "CurlTransport", "LoopbackServing"]),
  .init(
    "CookieKeeping",
    testsUse: [
      "RedirectFollowing", "RequestAuthorization", "RequestSharing", "ResponseCaching", "CurlTransport",
      "LoopbackServing", "CommandRunning",
    ]),
  .init(
    "RequestSigning", uses: ["Cryptography", "EmbeddedSecrets", "NonceStores"],
    testsUse: ["Cryptography", "EmbeddedSecrets", "NonceStores", "CommandRunning"]),
  .init(
    "RequestAuthorization", uses: ["Cryptography"],
    testsUse: ["BodyCompression", "Cryptography", "CurlTransport", "LoopbackServing", "CommandRunning"]),
  .init(
    "ResponseCaching", uses: ["Cryptography", "RequestFlights"],
    testsUse: [
      "RequestFlights", "RequestRetry", "Cryptography", "CommandRunning", "CurlTransport", "LoopbackServing",
      "ResponseStoreConformance",
    ]),
  .init(
    "DNSBypass", uses: ["Cryptography"],
    testsUse: ["CurlTransport", "LoopbackServing", "NetworkFaults", "CommandRunning"],
    testsExclude: ["Bench/address-server.py"]),
  .init(
    // Apple's systems have no brotli and no Zstandard for apps, and URLSession decodes by itself.
    "BodyCompression", umbrella: .on([.linux, .android]), uses: ["ContentCodings"],
    testsUse: ["ContentCodings", "CurlTransport", "LoopbackServing", "CommandRunning"]),
  .init(
    "VendorSignatures", umbrella: .without, uses: ["Cryptography"],
    testsUse: ["RequestSigning", "Cryptography", "CommandRunning"]),
  .init(
    "MessageSignatures", umbrella: .without, uses: ["Cryptography", "EmbeddedSecrets", "NonceStores"],
    testsUse: ["Cryptography", "EmbeddedSecrets", "NonceStores", "CommandRunning"],
    testsExclude: ["Peer/peer.py"]),
  .init("RequestLogging", uses: [logging], testsUse: ["CommandRunning", logging, inMemoryLogging]),
  .init(
    "RequestTelemetry", umbrella: .without, uses: [metrics, tracing],
    testsUse: ["RedirectFollowing", metrics, tracing, metricsTestKit, inMemoryTracing]),
]

// MARK: Stores

// Where interceptors keep what they share or persist, each with its engine. The umbrella has none of them.
let stores: [Target] = [
  // Without pkg-config: hiredis.pc has the flag -D_FILE_OFFSET_BITS=64, for which SwiftPM prints a warning
  // and ignores all its flags.
  .systemLibrary(
    name: "CHiredis", path: "Plugins/Stores/CHiredis",
    providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
  .target(
    name: "ValkeyStores",
    dependencies: ["NonceStores", "ResponseCaching", "Interception", "CHiredis", httpTypes],
    path: "Plugins/Stores/ValkeyStores", swiftSettings: [.strictMemorySafety()]),
  .target(
    name: "SQLiteStores",
    dependencies: [
      "NonceStores", "ResponseCaching", "DurableQueues", "Interception", databaseEngine, databaseLibrary,
      httpTypes,
    ],
    path: "Plugins/Stores/SQLiteStores"),
  // The behavior that every store of nonces must have.
  .target(
    name: "NonceStoreConformance", dependencies: ["NonceStores", "Interception"],
    path: "Tests/NonceStoreConformance"),
  // The behavior that every store of responses must have.
  .target(
    name: "ResponseStoreConformance",
    dependencies: ["ResponseCaching", "Interception", "SwitchyardTesting", httpTypes],
    path: "Tests/ResponseStoreConformance"),
  .testTarget(
    name: "ValkeyStoresTests",
    dependencies: [
      "ValkeyStores", "RequestSigning", "ResponseCaching", "NonceStoreConformance",
      "ResponseStoreConformance", "Interception", "SwitchyardTesting", "LoopbackServing", "CommandRunning",
      httpTypes,
    ]),
  .testTarget(
    name: "SQLiteStoresTests",
    dependencies: [
      "SQLiteStores", "RequestSigning", "ResponseCaching", "DurableQueues", "NonceStoreConformance",
      "ResponseStoreConformance", "Interception", "SwitchyardTesting", "CommandRunning", "QueueCrashing",
      databaseEngine, httpTypes,
    ]),
]

// MARK: Durable queues

// Queues in SQLite files, which survive the end of the process. The umbrella has none of them.
let durableQueues: [Target] = [
  // What both queues need: the file, back-off, and the meaning of a response.
  .target(name: "DurableQueues", dependencies: ["Interception", databaseEngine, httpTypes]),
  .target(
    name: "ActivityReporting", dependencies: ["DurableQueues", "Interception", databaseEngine, httpTypes]),
  .target(
    name: "OfflineMutations",
    dependencies: ["DurableQueues", "Interception", "ObservedValues", databaseEngine, httpTypes]),
  // An app's own data, in a file for each account.
  .target(
    name: "LocalStores",
    dependencies: ["Cryptography", "DurableQueues", "Interception", "ObservedValues", databaseEngine]),
  // Kills the process, or fails, at a chosen write to a file.
  .target(name: "CFileFaults", path: "Tests/CFileFaults"),
  // A program that tests kill at every write and at random moments. No test depends
  // on it, because the test program would then be linked with CFileFaults.
  .executableTarget(
    name: "queue-crash",
    dependencies: [
      "ActivityReporting", "OfflineMutations", "LocalStores", "SQLiteStores", "ResponseCaching",
      "CurlTransport", "Inspection", "Interception", "CFileFaults", httpTypes,
    ],
    path: "Tests/QueueCrash"),
  // Starts that program.
  .target(name: "QueueCrashing", dependencies: ["CommandRunning"], path: "Tests/QueueCrashing"),
  .testTarget(
    name: "DurableQueuesTests",
    dependencies: [
      "DurableQueues", "Interception", "SwitchyardTesting", "CommandRunning", databaseEngine, httpTypes,
    ]),
  .testTarget(
    name: "ActivityReportingTests",
    dependencies: [
      "ActivityReporting", "DurableQueues", "CurlTransport", "Interception", "SwitchyardTesting",
      "LoopbackServing", "CommandRunning", "QueueCrashing", databaseEngine, httpTypes,
    ]),
  .testTarget(
    name: "OfflineMutationsTests",
    dependencies: [
      "OfflineMutations", "DurableQueues", "CurlTransport", "Interception", "SwitchyardTesting",
      "LoopbackServing", "CommandRunning", "QueueCrashing", databaseEngine, httpTypes,
    ]),
  .testTarget(
    name: "LocalStoresTests",
    dependencies: [
      "LocalStores", "DurableQueues", "Interception", "SwitchyardTesting", "CommandRunning",
      "QueueCrashing", databaseEngine,
    ]),
]

// MARK: Fuzzing

// The laws of the parsers. Tests replay the kept inputs. Scripts/fuzz sets the variable, and the same sources
// are a program with libFuzzer instead: an ordinary build has no use for it, and can't link it.
let fuzzed: [Target.Dependency] = [
  "APIManagers", "BodyFormats", "ContentCodings", "CookieKeeping", "Cryptography", "CurlTransport",
  "DNSBypass", "Deployment", "Downloads", "FeatureFlags", "Interception", "Mediation", "MessageSignatures",
  "NetworkMonitoring", "PageBridging", "RedirectFollowing", "RequestAuthorization", "RequestLogging",
  "ResponseCaching", "RouteRedirects", "ScreenContents", "SwitchyardTesting", "Uploads", "WebPages",
  "WebSocketCompression", "WebSockets", httpTypes,
]
let fuzzing: Target =
  Context.environment["SWITCHYARD_FUZZING"] == "1"
  ? .executableTarget(
    name: "fuzz-parsers", dependencies: fuzzed, path: "Tests/FuzzTargetsTests",
    exclude: ["Corpus", "ReplayTests.swift"])
  : .testTarget(name: "FuzzTargetsTests", dependencies: fuzzed, exclude: ["Corpus", "Entry"])

let package = Package(
  name: "Switchyard",
  // `Mutex` of the standard library's Synchronization requires these.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],

  // MARK: Products

  products: [
    .library(name: "Switchyard", targets: ["Switchyard"]),
    .library(name: "Interception", targets: ["Interception"]),
    .library(name: "BodyFormats", targets: ["BodyFormats"]),
    .library(name: "FileTransfers", targets: ["Downloads", "Uploads"]),
    .library(name: "ResourceLoading", targets: ["ResourceLoading"]),
    .library(name: "WebSockets", targets: ["WebSockets"]),
    .library(name: "WebSocketCompression", targets: ["WebSocketCompression"]),
    .library(name: "NetworkMonitoring", targets: ["NetworkMonitoring"]),
    .library(name: "CurlTransport", targets: ["CurlTransport"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "APIManagers", targets: ["APIManagers"]),
    .library(name: "Mediation", targets: ["Mediation"]),
    // What needs nothing but the mediator.
    .library(name: "Navigation", targets: ["Navigation", "RouteRedirects", "PageBridging"]),
    .library(name: "WebPages", targets: ["WebPages"]),
    .library(name: "ScreenContents", targets: ["ScreenContents"]),
    .library(name: "RouteManifests", targets: ["RouteManifests"]),
    .library(name: "FeatureFlags", targets: ["FeatureFlags"]),
    .library(name: "Deployment", targets: ["Deployment"]),
    .library(name: "Inspection", targets: ["Inspection"]),
    .library(name: "SQLiteStores", targets: ["SQLiteStores", "ActivityReporting", "OfflineMutations"]),
    .library(name: "LocalStores", targets: ["LocalStores"]),
    .library(name: "ValkeyStores", targets: ["ValkeyStores"]),
    .library(name: "SwitchyardTesting", targets: ["SwitchyardTesting"]),
    .library(name: "MediationTesting", targets: ["MediationTesting"]),
    .library(name: "LoopbackTesting", targets: ["LoopbackTesting"]),
    // The interceptors that link nothing but the chain.
    .library(
      name: "Interceptors",
      targets: [
        "RequestValidation", "RequestSharing", "RequestMerging", "RateLimiting", "RequestRetry",
        "RedirectFollowing", "CookieKeeping",
      ]),
    .library(
      name: "RequestSigning",
      targets: ["RequestSigning", "MessageSignatures", "VendorSignatures", "NonceStores"]),
    .library(name: "EmbeddedSecrets", targets: ["EmbeddedSecrets"]),
    .library(name: "RequestAuthorization", targets: ["RequestAuthorization"]),
    .library(name: "ResponseCaching", targets: ["ResponseCaching"]),
    .library(name: "DNSBypass", targets: ["DNSBypass"]),
    .library(name: "BodyCompression", targets: ["BodyCompression"]),
    .library(name: "RequestLogging", targets: ["RequestLogging"]),
    .library(name: "RequestTelemetry", targets: ["RequestTelemetry"]),
    .plugin(name: "ModuleBoundary", targets: ["ModuleBoundary"]),
    .plugin(name: "VerifyModules", targets: ["VerifyModules"]),
    .plugin(name: "NewModule", targets: ["NewModule"]),
    .plugin(name: "RouteManifest", targets: ["RouteManifest"]),
    .plugin(name: "EmbedSecrets", targets: ["EmbedSecrets"]),
  ],
  // Alternatives, of which a package enables one: before 6.4 SwiftPM passes the flags of two in a random
  // order to every target, and compiles all of them again when it has changed. Everything therefore enables
  // no other trait; delete it when the tools version is 6.4 (swift-package-manager, pull request 10344).
  traits: [
    .trait(
      name: "LoopbackTesting",
      description: "The test kit's HTTP server, which fetches swift-nio, swift-nio-ssl and swift-nio-http2"),
    .trait(name: "SQLite", description: "Stores and durable queues in SQLite files, which fetches GRDB"),
    .trait(name: "Everything", description: "What LoopbackTesting and SQLite enable, as one trait"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    // MARK: The pipeline

    .target(
      name: "Interception", dependencies: [httpTypes], exclude: privacyManifest.exclusions,
      resources: privacyManifest.resources),
    // One transfer for equal requests, for sharing and caching.
    .target(name: "RequestFlights", dependencies: ["Interception", httpTypes]),
    .target(name: "BodyFormats", dependencies: ["Interception", httpTypes]),
    .target(name: "Downloads", dependencies: ["Interception", "Cryptography", httpTypes]),
    .target(name: "Uploads", dependencies: ["Interception", "Cryptography", httpTypes]),
    .target(name: "ResourceLoading", dependencies: ["Interception", httpTypes]),
    .target(name: "WebSockets", dependencies: ["Interception", "Cryptography", httpTypes]),
    // Apart, because WebSockets without compression need no zlib; and not in ContentCodings, because it needs
    // neither brotli nor zstd.
    .target(
      name: "WebSocketCompression", dependencies: ["WebSockets", "CZlib"],
      swiftSettings: [.strictMemorySafety()]),
    .target(name: "NetworkMonitoring", dependencies: ["Interception"]),
    .target(
      name: "Switchyard",
      dependencies: [
        "Interception", "BodyFormats", "Downloads", "APIManagers", "Mediation", "RouteRedirects",
        "Navigation", "NetworkMonitoring", httpTypes, logging,
        // Apple's systems have no libcurl with OpenSSL for apps; URLSessionTransport is the dispatcher there.
        .byName(name: "CurlTransport", condition: .when(platforms: [.linux, .android])),
      ] + interceptors.compactMap(\.umbrellaDependency)),

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
    // The only code that calls CryptoKit or libcrypto, but for the transport's certificates.
    .target(name: "Cryptography", dependencies: cryptographicLibraries),
    // For the verifiers of every scheme; RequestSigning and MessageSignatures export it.
    .target(
      name: "NonceStores", dependencies: ["Interception", "Cryptography"],
      path: "Plugins/Stores/NonceStores"),
    .target(
      name: "ContentCodings", dependencies: ["Interception", "CZlib", "CBrotli", "CZstd"],
      swiftSettings: [.strictMemorySafety()]),
    .target(name: "CCurlShims", dependencies: ["CLibcurl"], linkerSettings: [.linkedLibrary("ssl")]),
    .target(
      name: "CurlTransport",
      dependencies: [
        "Interception", "Cryptography", "CCurlShims", "CLibcurl", "COpenSSL", httpTypes,
      ],
      swiftSettings: [.strictMemorySafety()]),

    // MARK: The transport over the platform's URL loading system

    .target(name: "URLSessionTransport", dependencies: ["Interception", httpTypes]),

    // MARK: What business code touches

    // What any thread changes and screens observe; apart, so that no other product links Observation.
    .target(name: "ObservedValues"),
    .target(
      name: "APIManagers",
      dependencies: ["Interception", "BodyFormats", "Downloads", "ObservedValues", httpTypes]),
    .target(name: "Mediation"),
    .target(name: "RouteRedirects", dependencies: ["Mediation"]),
    .target(name: "PageBridging", dependencies: ["Mediation"]),
    .target(
      name: "WebPages",
      dependencies: ["BodyFormats", "Cryptography", "Interception", "Mediation", "PageBridging", httpTypes]),
    .target(name: "Navigation", dependencies: ["Mediation"]),
    // Screens as values, which any host renders and a server can send.
    .target(name: "ScreenContents", dependencies: ["BodyFormats", "Mediation"]),
    // What changes without a release, in one signed document; the flags apart, for modules and contracts.
    .target(name: "FeatureFlags", dependencies: ["ObservedValues"]),
    .target(
      name: "Deployment",
      dependencies: [
        "APIManagers", "BodyFormats", "Cryptography", "DNSBypass", "FeatureFlags", "Interception",
        "Mediation", "RouteRedirects", "ScreenContents", "WebPages", httpTypes,
      ]),
    .target(name: "RouteManifests", dependencies: ["Mediation"]),

    // MARK: What was sent and opened, in a browser

    .target(
      name: "Inspection",
      dependencies: [
        "BodyFormats", "Cryptography", "DurableQueues", "Interception", "Mediation", "RequestLogging",
        databaseEngine, httpTypes,
      ],
      resources: [.embedInCode("Assets")]),

    // MARK: The test kit

    .target(name: "SwitchyardTesting", dependencies: ["Interception", httpTypes]),
    .target(
      name: "LoopbackTesting",
      dependencies: ["SwitchyardTesting", "Interception", httpTypes] + loopbackEngine),
    .target(name: "MediationTesting", dependencies: ["Mediation", "Navigation"]),

    // MARK: Module boundaries

    .target(name: "ImportScanning"),
    // What programs of build plugins read and write, without Foundation.
    .target(name: "RegularFiles"),
    .executableTarget(name: "module-boundary-tool", dependencies: ["ImportScanning", "RegularFiles"]),
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
          verb: "new-module", description: "Make a business module with its contract and tests")),
      path: "Plugins/Build/NewModule"),
    .plugin(
      name: "RouteManifest",
      capability: .command(
        intent: .custom(
          verb: "route-manifest", description: "Write down an app's routes, or check what is written")),
      path: "Plugins/Build/RouteManifest"),

    // MARK: Secrets in the program

    // Apart, so that a program that sends nothing can have secrets, too; RequestSigning and MessageSignatures
    // export it.
    .target(name: "EmbeddedSecrets"),
    .target(name: "SecretEmbedding"),
    .executableTarget(name: "embed-secrets-tool", dependencies: ["SecretEmbedding", "RegularFiles"]),
    .plugin(
      name: "EmbedSecrets", capability: .buildTool(), dependencies: ["embed-secrets-tool"],
      path: "Plugins/Build/EmbedSecrets"),

    // MARK: Tests

    .testTarget(
      name: "InterceptionTests", dependencies: ["Interception", "SwitchyardTesting", httpTypes]),
    .testTarget(
      name: "RequestFlightsTests",
      dependencies: ["RequestFlights", "Interception", "SwitchyardTesting", httpTypes]),
    .testTarget(
      name: "BodyFormatsTests",
      dependencies: ["BodyFormats", "Interception", "SwitchyardTesting", httpTypes]),
    .testTarget(
      name: "DownloadsTests",
      dependencies: ["Downloads", "Interception", "SwitchyardTesting", "CommandRunning", httpTypes]),
    .testTarget(
      name: "UploadsTests",
      dependencies: [
        "Uploads", "Interception", "SwitchyardTesting", "LoopbackServing", "CurlTransport", "CommandRunning",
        httpTypes,
      ]),
    .testTarget(
      name: "ResourceLoadingTests",
      dependencies: [
        "ResourceLoading", "Interception", "ResponseCaching", "SwitchyardTesting", httpTypes,
      ]),
    .testTarget(
      name: "WebSocketsTests",
      dependencies: [
        "WebSockets", "WebSocketCompression", "CZlib", "CurlTransport", "Interception", "RateLimiting",
        "RedirectFollowing", "RequestAuthorization", "RequestRetry", "RequestSharing", "ResponseCaching",
        "BodyCompression", "CookieKeeping", "DNSBypass", "RequestLogging", "RequestSigning",
        "SwitchyardTesting", "LoopbackServing", "CommandRunning", httpTypes,
      ]),
    .testTarget(
      name: "NetworkMonitoringTests",
      dependencies: ["NetworkMonitoring", "Interception", "SwitchyardTesting", "CommandRunning"]),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "SwitchyardTesting"]),
    .testTarget(
      name: "NonceStoresTests",
      dependencies: ["NonceStores", "Interception", "NonceStoreConformance"]),
    .testTarget(
      name: "SwitchyardTestingTests",
      dependencies: [
        "SwitchyardTesting", "Interception", httpTypes, logging,
      ] + interceptors.map(\.dependency)),
    // A program that tests kill while it replaces a stored list of addresses, cookies, alternative services,
    // a package of pages, or a deployment document.
    // No test depends on it, because the test program would then be linked with CFileFaults.
    .executableTarget(
      name: "stored-file-crash",
      dependencies: [
        "DNSBypass", "CookieKeeping", "CurlTransport", "Deployment", "WebPages", "Interception",
        "Mediation", "SwitchyardTesting", "CFileFaults", httpTypes,
      ],
      path: "Tests/StoredFileCrash"),
    // Programs that tests run, off Swift's pool.
    .target(name: "CommandRunning", path: "Tests/CommandRunning"),
    // A real HTTP server for the suites that need the wire.
    .target(
      name: "LoopbackServing", dependencies: ["CommandRunning", "SwitchyardTesting"],
      path: "Tests/LoopbackServing"),
    // Networks that delay, drop, refuse and lose packets, in namespaces, and servers behind them.
    .target(
      name: "NetworkFaults", dependencies: ["CommandRunning", "LoopbackServing"],
      path: "Tests/NetworkFaults", exclude: ["delay-line.py", "http3-fault-server.py"]),
    .testTarget(
      name: "NetworkFaultsTests",
      dependencies: [
        "NetworkFaults", "CurlTransport", "DNSBypass", "Interception", "RequestRetry", "LoopbackServing",
        "CommandRunning", "SwitchyardTesting", httpTypes,
      ],
      exclude: ["Line/datagram-echo.py"]),
    // Load with faults and cancels: a part of the tests, and a program that Scripts/soak builds alone,
    // which is quick even with a sanitizer.
    .target(
      name: "TransportSoaking",
      dependencies: ["CurlTransport", "Interception", "LoopbackServing", "SwitchyardTesting", httpTypes],
      path: "Tests/TransportSoaking"),
    .executableTarget(
      name: "transport-soak", dependencies: ["TransportSoaking"], path: "Tests/TransportSoak"),
    // A deterministic simulation of the standard chain, in a program of one thread.
    .target(name: "CSimulation", path: "Tests/CSimulation"),
    .target(
      name: "Simulation",
      dependencies: [
        "CSimulation", "Switchyard", "APIManagers", "Interception", "SwitchyardTesting",
        "ActivityReporting", "CookieKeeping", "Deployment", "DNSBypass", "FeatureFlags", "NonceStores",
        "OfflineMutations", "RequestAuthorization", "RequestLogging", "RequestRetry", "RequestSharing",
        "RequestSigning", "RequestTelemetry", "ResponseCaching", httpTypes, logging, metrics, tracing,
        inMemoryTracing,
      ],
      path: "Tests/Simulation", exclude: ["Plants"]),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate"),
    // They run histories in the program, because a history diverts all jobs of its process.
    .testTarget(
      name: "SimulationTests", dependencies: ["CommandRunning", "Interception", "Simulation", httpTypes]),
    // The heap objects of the chain of an app, which is that of the benchmarks: they are a package of their
    // own, whose other dependencies take minutes to build.
    .target(
      name: "ChainFixtures",
      dependencies: [
        "Interception", "RequestValidation", "RequestSharing", "RedirectFollowing", "RequestRetry",
        "CookieKeeping", "RequestAuthorization", "RequestSigning", "ResponseCaching", "DNSBypass",
        "BodyCompression", "RequestLogging", "RequestTelemetry", "Inspection", httpTypes, logging, tracing,
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ],
      path: "Benchmarks/Sources/SwitchyardLoad/AppChain"),
    .target(name: "CAllocationCounting", path: "Benchmarks/Sources/AllocationCounting"),
    .executableTarget(
      name: "chain-prices", dependencies: ["ChainFixtures", "CAllocationCounting", "Interception"],
      path: "Tests/ChainPrices"),
    // They run the program, which replaces malloc. No test depends on it, because the test program would
    // then be linked with CAllocationCounting.
    .testTarget(name: "ChainPricesTests", dependencies: ["ChainFixtures", "CommandRunning"]),
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
    .testTarget(name: "ObservedValuesTests", dependencies: ["ObservedValues", "SwitchyardTesting"]),
    .testTarget(
      name: "APIManagersTests",
      dependencies: [
        "APIManagers", "BodyFormats", "Downloads", "Interception", "SwitchyardTesting", "CommandRunning",
        httpTypes,
      ]),
    // Routes, modules, guards and observers of the tests of Mediation and of what is built on it.
    .target(
      name: "MediationFixtures", dependencies: ["Mediation", "SwitchyardTesting"],
      path: "Tests/MediationFixtures"),
    .testTarget(
      name: "MediationTests",
      dependencies: ["Mediation", "MediationFixtures", "SwitchyardTesting", "CommandRunning"]),
    .testTarget(
      name: "RouteRedirectsTests",
      dependencies: ["RouteRedirects", "Mediation", "MediationFixtures", "SwitchyardTesting"]),
    .testTarget(
      name: "PageBridgingTests",
      dependencies: [
        "PageBridging", "RouteRedirects", "Mediation", "MediationFixtures", "SwitchyardTesting",
      ]),
    .testTarget(
      name: "WebPagesTests",
      dependencies: [
        "WebPages", "BodyFormats", "PageBridging", "Mediation", "MediationFixtures", "CookieKeeping",
        "DNSBypass", "RedirectFollowing", "RequestSigning", "ResponseCaching", "Interception",
        "SwitchyardTesting", "CommandRunning", httpTypes,
      ]),
    .testTarget(
      name: "ScreenContentsTests",
      dependencies: ["ScreenContents", "BodyFormats", "Mediation", "RouteRedirects"], exclude: ["Golden"]),
    .testTarget(
      name: "NavigationTests",
      dependencies: ["Navigation", "Mediation", "MediationFixtures", "SwitchyardTesting"]),
    .testTarget(name: "FeatureFlagsTests", dependencies: ["FeatureFlags"]),
    .testTarget(
      name: "DeploymentTests",
      dependencies: [
        "Deployment", "APIManagers", "BodyFormats", "Cryptography", "DNSBypass", "FeatureFlags",
        "Interception", "Mediation", "MediationFixtures", "RouteRedirects", "ScreenContents",
        "SwitchyardTesting", "WebPages", "CommandRunning", httpTypes,
      ]),
    .testTarget(name: "RouteManifestsTests", dependencies: ["RouteManifests", "Mediation"]),
    .testTarget(
      name: "InspectionTests",
      dependencies: [
        "Inspection", "Interception", "Mediation", "RequestLogging", "SwitchyardTesting", "CommandRunning",
        "DurableQueues", "QueueCrashing", "RequestRetry", "ResponseCaching", databaseEngine, httpTypes,
        logging, inMemoryLogging,
      ]),
    .testTarget(
      name: "MediationTestingTests", dependencies: ["MediationTesting", "Mediation", "Navigation"]),
    .testTarget(name: "ImportScanningTests", dependencies: ["ImportScanning", "CommandRunning"]),
    .testTarget(name: "EmbeddedSecretsTests", dependencies: ["EmbeddedSecrets"]),
    .testTarget(name: "SecretEmbeddingTests", dependencies: ["SecretEmbedding", "EmbeddedSecrets"]),
    .testTarget(name: "ModuleScaffoldingTests", dependencies: ["ModuleScaffolding", "ImportScanning"]),
    .testTarget(
      name: "BoundaryTests",
      dependencies: ["ImportScanning", "module-boundary-tool", "embed-secrets-tool", "CommandRunning"]),
    // The stock interceptors over libcurl, beside a foreign client of a foreign server.
    .testTarget(
      name: "ForeignPeerTests",
      dependencies: [
        "BodyCompression", "CookieKeeping", "CurlTransport", "Interception", "RedirectFollowing",
        "RequestAuthorization", "ResponseCaching", "SwitchyardTesting", "LoopbackServing", "CommandRunning",
        httpTypes,
      ]),
    .testTarget(
      name: "SwitchyardTests",
      dependencies: [
        "Switchyard", "BodyFormats", "CurlTransport", "MessageSignatures", "VendorSignatures",
        "SwitchyardTesting", "LoopbackServing", "Uploads", "CommandRunning", httpTypes, logging,
        inMemoryLogging, "RequestTelemetry", metricsTestKit, inMemoryTracing,
      ]),
  ] + interceptors.flatMap(\.targets) + stores + durableQueues + [fuzzing],
  swiftLanguageModes: [.v6]
)

// MARK: The floor plan

// Where targets live, by subject. Interceptors, stores and build plugins are in Plugins, tests in Tests.
let floorPlan = [
  "Chain": [
    "Interception", "RequestFlights", "EmbeddedSecrets", "SecretEmbedding", "embed-secrets-tool",
  ],
  "Transports": ["CurlTransport", "URLSessionTransport", "CCurlShims", "CLibcurl", "COpenSSL"],
  "Calls": [
    "APIManagers", "BodyFormats", "ContentCodings", "CZlib", "CBrotli", "CZstd", "Downloads", "Uploads",
    "ResourceLoading", "WebSockets", "WebSocketCompression", "DurableQueues", "ActivityReporting",
    "OfflineMutations", "ObservedValues", "LocalStores",
  ],
  // Not "Modules": the boundary check takes the targets of a folder of this name for business modules.
  "Routing": [
    "Mediation", "Navigation", "RouteRedirects", "PageBridging", "WebPages", "ScreenContents",
    "RouteManifests", "ModuleScaffolding", "ImportScanning", "module-boundary-tool", "RegularFiles",
    "FeatureFlags", "Deployment",
  ],
  "Observing": ["Inspection", "NetworkMonitoring"],
  "Testing": ["SwitchyardTesting", "MediationTesting", "LoopbackTesting"],
]

for (folder, names) in floorPlan {
  for target in package.targets where names.contains(target.name) {
    target.path = "Sources/\(folder)/\(target.name)"
  }
}

// MARK: Tests on swift-crypto

if usesSwiftCrypto {
  package.dependencies.append(.package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"))
  // The suites of what hashes, signs, encrypts and agrees on keys, and of the formats with published vectors.
  let suites = [
    "CryptographyTests", "NonceStoresTests", "RequestSigningTests", "VendorSignaturesTests",
    "MessageSignaturesTests",
  ]
  package.targets.removeAll { $0.type == .test && !suites.contains($0.name) }
}

// MARK: Settings of every target

// This package's scripts set the variable (SE-0480). A package that depends on this one must not have the
// setting: SwiftPM suppresses the warnings of dependencies, and one build system refuses both options.
let warnings: [SwiftSetting] =
  Context.environment["SWITCHYARD_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),  // SE-0335
      .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
      .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
      .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
      .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
      // The flags of the traits that Everything replaces, always in this order.
      .define("LoopbackTesting", .when(traits: ["Everything"])),
      .define("SQLite", .when(traits: ["Everything"])),
    ] + (usesSwiftCrypto ? [.define("SWITCHYARD_SWIFT_CRYPTO")] : []) + warnings
}

// MARK: Declarations

/// An interceptor of this package: a separate target that depends on no other interceptor.
struct StockInterceptor {
  /// Whether the umbrella depends on it.
  enum Umbrella {
    case everywhere
    /// Only on some platforms.
    case on([Platform])
    /// Most apps need neither it nor its dependencies.
    case without
  }

  let name: String
  let targets: [Target]
  let umbrella: Umbrella

  init(
    _ name: String, umbrella: Umbrella = .everywhere, uses: [Target.Dependency] = [],
    testsUse: [Target.Dependency] = [], testsExclude: [String] = []
  ) {
    self.name = name
    self.umbrella = umbrella
    targets = [
      .target(
        name: name, dependencies: ["Interception", httpTypes] + uses, path: "Plugins/Interceptors/\(name)"),
      .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "Interception", "SwitchyardTesting", httpTypes] + testsUse,
        exclude: testsExclude),
    ]
  }

  var dependency: Target.Dependency { .byName(name: name) }
  var umbrellaDependency: Target.Dependency? {
    switch umbrella {
    case .everywhere: dependency
    case .on(let platforms): .byName(name: name, condition: .when(platforms: platforms))
    case .without: nil
    }
  }
}
