// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "QuickStart",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Switchyard", path: "../..")],
  targets: [
    .executableTarget(
      name: "QuickStart", dependencies: [.product(name: "Switchyard", package: "Switchyard")]),
    .testTarget(
      name: "QuickStartTests",
      dependencies: ["QuickStart", .product(name: "SwitchyardTesting", package: "Switchyard")]),
  ]
)
