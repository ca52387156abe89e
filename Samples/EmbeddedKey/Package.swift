// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "EmbeddedKey",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Switchyard", path: "../..")],
  targets: [
    .executableTarget(
      name: "EmbeddedKey",
      dependencies: [
        .product(name: "EmbeddedSecrets", package: "Switchyard"),
        .product(name: "RequestSigning", package: "Switchyard"),
      ],
      plugins: [.plugin(name: "EmbedSecrets", package: "Switchyard")])
  ]
)
