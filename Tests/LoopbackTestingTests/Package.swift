// swift-tools-version: 6.3

import PackageDescription

func switchyard(_ product: String) -> Target.Dependency { .product(name: product, package: "Switchyard") }

// The tests of the loopback server and of the conformance suite, in a package of their own: they alone need
// swift-nio and its TLS, which take minutes to compile.
let package = Package(
  name: "LoopbackTestingTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Switchyard", path: "../..", traits: ["LoopbackTesting"]),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
  ],
  targets: [
    .testTarget(
      name: "LoopbackTestingTests",
      dependencies: [
        switchyard("CurlTransport"), switchyard("Interception"), switchyard("LoopbackTesting"),
        switchyard("SwitchyardTesting"), switchyard("URLSessionTransport"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: ".", exclude: ["Package.swift"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
