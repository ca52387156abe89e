// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "QuickStart",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Switchyard", path: "../..")],
  targets: [
    .executableTarget(
      name: "QuickStart",
      dependencies: [
        .product(name: "BodyFormats", package: "Switchyard"),
        .product(name: "CurlTransport", package: "Switchyard"),
      ]),
    .executableTarget(
      name: "CustomInterceptor", dependencies: [.product(name: "Switchyard", package: "Switchyard")]),
    .testTarget(
      name: "QuickStartTests",
      dependencies: ["CustomInterceptor", .product(name: "SwitchyardTesting", package: "Switchyard")]),
  ]
)
