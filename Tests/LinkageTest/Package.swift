// swift-tools-version: 6.3

import PackageDescription

// Programs whose linked libraries Tests/BoundaryTests/LinkageTests.swift examines. The two that end in
// `Alone` promise to be light; the two that end in `Control` show that the examination would notice if they
// were not.
let package = Package(
  name: "LinkageTest",
  dependencies: [.package(name: "Switchyard", path: "../..")],
  targets: [
    .executableTarget(
      name: "InterceptionAlone", dependencies: [.product(name: "Interception", package: "Switchyard")]),
    .executableTarget(
      name: "MediationAlone", dependencies: [.product(name: "Mediation", package: "Switchyard")]),
    .executableTarget(
      name: "TransportControl", dependencies: [.product(name: "CurlTransport", package: "Switchyard")]),
    .executableTarget(name: "FoundationControl"),
  ],
  swiftLanguageModes: [.v6]
)
