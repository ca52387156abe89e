// swift-tools-version: 6.3

import PackageDescription

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

func switchyard(_ product: String) -> Target.Dependency { .product(name: product, package: "Switchyard") }

// MARK: The business modules, one line each: a name, and the modules that it calls

let modules: [(name: String, calls: [String])] = [
  ("Listings", calls: ["Account"]),
  ("HomeDetail", calls: ["Account", "Listings", "Mortgage"]),
  ("Mortgage", calls: []),
  ("Account", calls: []),
  ("Help", calls: ["Mortgage"]),
  ("Faults", calls: []),
  ("Settings", calls: []),
]

/// The modules whose screens are below those of a module.
let parents: [String: [String]] = ["HomeDetail": ["Listings"]]

/// What a module's services use beside the products of all modules.
let services: [String: [Target.Dependency]] = [
  "Account": [switchyard("LocalStores")],
  "HomeDetail": [switchyard("Interceptors"), switchyard("LocalStores")],
  "Settings": [switchyard("LocalStores")],
]

// With stated types, because the compiler takes minutes to infer them within the package's initializer.
let moduleTargets: [Target] = modules.flatMap { module -> [Target] in
  [
    .contract(of: module.name, below: parents[module.name] ?? []),
    .businessModule(module.name, calls: module.calls, uses: services[module.name] ?? []),
  ]
}
let allModules: [Target.Dependency] = modules.flatMap { module -> [Target.Dependency] in
  [.byName(name: module.name), .byName(name: "\(module.name)Routes")]
}

let package = Package(
  name: "Estate",
  platforms: [.macOS(.v15)],

  // MARK: Products

  products: [
    .executable(name: "estate-server", targets: ["estate-server"]),
    .executable(name: "estate", targets: ["estate"]),
  ],

  // MARK: Dependencies

  dependencies: [
    .package(name: "Switchyard", path: "../..", traits: ["SQLite"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    // The samples' servers: plain HTTP/1.1, compiled in seconds. nginx does TLS and HTTP/2 in front of them.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],

  targets: [
    // MARK: Serving on a loopback port

    .target(
      name: "HTTPServing",
      dependencies: [
        httpTypes, .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
    .testTarget(
      name: "HTTPServingTests",
      dependencies: ["HTTPServing", httpTypes, .product(name: "FlyingSocks", package: "FlyingFox")]),

    // MARK: The API server

    .systemLibrary(
      name: "CLibz", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(
      name: "EstateServer",
      dependencies: [
        "CLibz", "CLibcrypto", "HTTPServing", switchyard("Deployment"), switchyard("Interception"),
        switchyard("RequestSigning"),
        switchyard("WebPages"), httpTypes, logging,
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [
        .embedInCode("Listings/Data/sacramento-homes.csv"), .embedInCode("Photos/Data/day.png"),
        .embedInCode("Photos/Data/evening.png"), .embedInCode("Photos/Data/autumn.webp"),
        .embedInCode("Photos/Data/winter.webp"),
      ]),
    .executableTarget(
      name: "estate-server",
      dependencies: [
        "EstateServer", "HTTPServing", switchyard("RequestSigning"), switchyard("SQLiteStores"),
        switchyard("ValkeyStores"), logging,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "EstateServerTests",
      dependencies: [
        "EstateServer", "HTTPServing", "estate-server", switchyard("Interception"),
        switchyard("RequestSigning"), switchyard("SQLiteStores"),
        switchyard("SwitchyardTesting"), switchyard("ValkeyStores"), httpTypes, logging,
      ]),

    // MARK: The app: its network, its screens, its shell; the business modules are added below

    // What business modules know of the app's server, and of what the app lends them.
    .target(
      name: "EstateContract",
      dependencies: [
        switchyard("APIManagers"), switchyard("BodyCompression"), switchyard("Interception"),
        switchyard("LocalStores"), httpTypes,
      ]),
    .target(
      name: "EstateNetwork",
      dependencies: [
        "CLibcrypto", "EstateContract", switchyard("Switchyard"), switchyard("RequestSigning"),
        switchyard("SQLiteStores"),
      ],
      path: "Sources/Network"),
    .target(name: "Screens", dependencies: [switchyard("Navigation"), switchyard("ScreenContents")]),

    // MARK: Photos

    .systemLibrary(
      name: "CPng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .target(
      name: "Photos",
      dependencies: ["CPng", "CWebP", switchyard("Mediation"), switchyard("ResourceLoading")]),
    .testTarget(
      name: "PhotosTests",
      dependencies: [
        "EstateServer", "Photos", switchyard("Interception"), switchyard("ResourceLoading"),
        switchyard("SwitchyardTesting"), httpTypes,
      ]),

    // MARK: The app's shell

    .target(name: "TerminalScreens", dependencies: ["Screens"]),
    .target(
      name: "EstateApp",
      dependencies: allModules + [
        "CLibcrypto", "EstateNetwork", "Photos", "Screens", "TerminalScreens", switchyard("Switchyard"),
        switchyard("Deployment"), switchyard("FeatureFlags"), switchyard("Inspection"),
        switchyard("LocalStores"), switchyard("RequestSigning"), switchyard("RequestTelemetry"),
        switchyard("ResourceLoading"), switchyard("RouteManifests"), switchyard("WebPages"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      // It checks all business modules.
      plugins: [.plugin(name: "ModuleBoundary", package: "Switchyard")]),
    .target(
      name: "EstateWeb",
      dependencies: [
        "Account", "AccountRoutes", "EstateApp", "HTTPServing", "MortgageRoutes", "Screens",
        switchyard("Switchyard"), switchyard("Navigation"), switchyard("WebPages"),
      ],
      resources: [.embedInCode("Assets/estate.css"), .embedInCode("Assets/estate.js")]),
    .executableTarget(
      name: "estate-manifest", dependencies: ["EstateApp", switchyard("RouteManifests")]),
    .executableTarget(
      name: "estate",
      dependencies: [
        "Account", "EstateApp", "EstateWeb", "HTTPServing", switchyard("Switchyard"),
        switchyard("Inspection"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "estate-soak",
      dependencies: [
        "Account", "EstateApp", "EstateContract", "EstateNetwork", "EstateServer", "HTTPServing", "Screens",
        switchyard("LocalStores"), switchyard("Switchyard"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "EstateSoakTests",
      dependencies: [
        "estate-server", "estate-soak", "EstateApp", "EstateServer", "HTTPServing", "Screens",
      ]),
    .testTarget(
      name: "EstateAppTests",
      dependencies: [
        "EstateApp", "EstateServer", "EstateWeb", "HTTPServing", "estate", "estate-server", "Account",
        "AccountRoutes", "Faults", "FaultsRoutes", "Listings", "ListingsRoutes", "EstateNetwork", "Help",
        "HomeDetail", "HomeDetailRoutes", "Mortgage", "MortgageRoutes", "Screens", "SettingsRoutes",
        "TerminalScreens", switchyard("Switchyard"), switchyard("Inspection"), switchyard("Navigation"),
        switchyard("SwitchyardTesting"), switchyard("WebPages"),
      ]),
  ] + moduleTargets,
  swiftLanguageModes: [.v6]
)

// MARK: Settings of every target

// The scripts of the repository set the variable (SE-0480).
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
    ] + warnings
}

extension Target {
  /// The routes of a business module, and the values that they carry: all that other modules see of it.
  static func contract(of module: String, below parents: [String]) -> Target {
    .target(
      name: "\(module)Routes",
      dependencies: [switchyard("FeatureFlags"), switchyard("Mediation")]
        + parents.map { .byName(name: "\($0)Routes") },
      path: "Sources/Routes/\(module)Routes")
  }

  /// A business module: it may use its own contract, those of the modules it calls, and what all modules may
  /// use.
  static func businessModule(_ name: String, calls: [String], uses: [Target.Dependency]) -> Target {
    .target(
      name: name,
      dependencies: ([name] + calls).map { .byName(name: "\($0)Routes") } + [
        "EstateContract", "Screens", switchyard("APIManagers"), switchyard("FeatureFlags"),
        switchyard("Interception"),
        switchyard("Mediation"), switchyard("Navigation"), httpTypes,
      ] + uses,
      path: "Sources/Modules/\(name)")
  }
}
