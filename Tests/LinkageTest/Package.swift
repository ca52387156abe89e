// swift-tools-version: 6.3

import PackageDescription

// Programs whose loaded libraries Tests/BoundaryTests/LinkageTests.swift compares with the package's graph.
// Those that end in `Alone` use one product; the one that ends in `Control` shows that the comparison would
// notice Foundation.
let package = Package(
  name: "LinkageTest",
  dependencies: [.package(name: "Switchyard", path: "../..")],
  targets: ["Interception", "Mediation", "APIManagers", "CurlTransport"].map { product in
    .executableTarget(
      name: "\(product)Alone", dependencies: [.product(name: product, package: "Switchyard")])
  } + [.executableTarget(name: "FoundationControl")],
  swiftLanguageModes: [.v6]
)
