// swift-tools-version: 6.3

import PackageDescription

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

func switchyard(_ product: String) -> Target.Dependency { .product(name: product, package: "Switchyard") }

let package = Package(
  name: "Tool",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "switchyard", targets: ["SwitchyardTool"])],
  dependencies: [
    // For `--cache DIR`.
    .package(name: "Switchyard", path: "../..", traits: ["SQLite"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    // For OpenAPI documents in YAML.
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // What the commands decide and draw, without I/O.
    .target(
      name: "ToolCommands",
      dependencies: [
        switchyard("CurlTransport"), switchyard("Deployment"), switchyard("DNSBypass"),
        switchyard("FileTransfers"), switchyard("Inspection"), switchyard("Interception"),
        switchyard("Interceptors"), switchyard("RequestLogging"), switchyard("RequestSigning"),
        switchyard("ResponseCaching"), switchyard("RouteManifests"), switchyard("Switchyard"),
        switchyard("SwitchyardTesting"), httpTypes,
      ]),
    // Generates Swift from OpenAPI documents, without I/O.
    .target(name: "APIGeneration", dependencies: [.product(name: "Yams", package: "Yams")]),
    // The request files of `run`: their parser, and the check of responses, without I/O.
    .target(name: "RequestFiles"),
    // For the digest of a downloaded file, and to read a certificate that was refused.
    .systemLibrary(
      name: "CLibssl", pkgConfig: "libssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    // Not named after its product: on a file system that ignores case, that is the library's name.
    .executableTarget(
      name: "SwitchyardTool",
      dependencies: [
        "APIGeneration", "CLibssl", "RequestFiles", "ToolCommands", switchyard("APIManagers"),
        switchyard("BodyCompression"),
        switchyard("BodyFormats"), switchyard("Interceptors"), switchyard("CurlTransport"),
        switchyard("Deployment"), switchyard("DNSBypass"), switchyard("FeatureFlags"),
        switchyard("FileTransfers"), switchyard("Inspection"), switchyard("Interception"),
        switchyard("RequestLogging"), switchyard("RequestSigning"),
        switchyard("ResponseCaching"), switchyard("RouteManifests"),
        switchyard("SQLiteStores"), switchyard("SwitchyardTesting"), argumentParser, httpTypes,
      ]),
    .testTarget(
      name: "ToolCommandsTests",
      dependencies: [
        "ToolCommands", switchyard("Deployment"), switchyard("DNSBypass"), switchyard("Interception"),
        switchyard("Interceptors"), switchyard("RequestLogging"), switchyard("RequestSigning"),
        switchyard("ResponseCaching"), switchyard("RouteManifests"), switchyard("SwitchyardTesting"),
        httpTypes,
      ]),
    // They compile what was generated, and call it.
    .testTarget(
      name: "APIGenerationTests",
      dependencies: [
        "APIGeneration", switchyard("APIManagers"), switchyard("Interception"),
        switchyard("RequestAuthorization"), httpTypes,
      ], exclude: ["Documents"]),
    .testTarget(name: "RequestFilesTests", dependencies: ["RequestFiles"]),
    // They run the built program beside curl.
    .testTarget(
      name: "ToolRunTests",
      dependencies: [
        "SwitchyardTool", switchyard("CurlTransport"), switchyard("Inspection"), switchyard("Interception"),
        switchyard("Switchyard"), switchyard("SwitchyardTesting"),
      ]),
  ],
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
