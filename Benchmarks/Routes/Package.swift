// swift-tools-version: 6.3

import PackageDescription

// A separate package, because its peer brings all dependencies of a web server.
let package = Package(
  name: "Routes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Switchyard", path: "../.."),
    // Without its ConfigurationSupport trait Hummingbird needs no swift-configuration.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(name: "Measuring"),
    .target(name: "AllocationCounting"),
    .executableTarget(
      name: "RouteBench",
      dependencies: [
        "Measuring", "AllocationCounting", .product(name: "Mediation", package: "Switchyard"),
        .product(name: "Navigation", package: "Switchyard"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "AllocationCounting" {
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
