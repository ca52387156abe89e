import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The plugin EmbedSecrets, in a program that depends on the package.
  @Suite struct EmbedSecretsTests {
    private static let secret = "correct horse battery staple"
    private let place: BuildPlace

    init() throws { place = try #require(BuildPlace.current) }

    @Test(
      "No file of a build has the embedded secret, which the program joins: release, and under the other build system",
      arguments: ["release", "swiftbuild"])
    func files(build: String) async throws {
      // The modules of the other build system are those of the debug build that another suite makes.
      let vault =
        try build == "release"
        ? VaultPackage(place.scratch)
        : VaultPackage(place.scratch(ofBuildSystem: build), configuration: "debug")
      try vault.writeSecret(Self.secret + "\n")
      try vault.writeList("platformKey = ../keys/platform.key\n")
      #expect(try await vault.run() == "joined \(Self.secret.utf8.count) bytes: true\n")
      let first = try vault.code()
      // The control proves that the files of the program are searched.
      #expect(try vault.files(with: "a text that is not embedded").contains { $0.hasSuffix("/vault") })
      #expect(try vault.files(with: Self.secret) == [])
      #expect(try vault.files(with: Self.secret.utf8.map(String.init).joined(separator: ", ")) == [])

      // A build without a change compiles nothing again, and another secret is noticed.
      #expect(try await vault.run() == "joined \(Self.secret.utf8.count) bytes: true\n")
      #expect(try vault.code() == first)
      try vault.writeSecret("another secret of another length")
      #expect(try await vault.run() == "joined 32 bytes: true\n")
      #expect(try vault.code() != first)
    }

    @Test("A plan without a list, or with faults in it, fails with every line and its remedy")
    func plans() async throws {
      let vault = try VaultPackage(place.scratch)
      let list = vault.file(VaultPackage.list).path
      for isPipe in [false, true] {
        if isPipe { try #require(mkfifo(list, 0o600) == 0) }
        let missing = try await vault.build()
        #expect(missing.status != 0)
        #expect(missing.output.contains("error: can't read \(list); write a line NAME = PATH"), "\(missing)")
      }
      try FileManager.default.removeItem(atPath: list)

      try vault.writeList("platformKey = ../keys/platform.key\nKey = /etc/hosts\nb = s3cr3t\n")
      let faults = try await vault.build()
      #expect(faults.status != 0)
      #expect(
        faults.output.contains(
          "error: \(list):1: \(vault.folder.path)/../keys/platform.key: it does not exist; write the secret "
            + "\"platformKey\" into it"), "\(faults)")
      #expect(faults.output.contains("error: \(list):2: the name is not that of a property"), "\(faults)")
      #expect(faults.output.contains("error: \(list):3: expected the path of a file"), "\(faults)")
      #expect(!faults.output.contains("s3cr3t"))

      try vault.writeSecret(Self.secret)
      try vault.writeList("platformKey = ../keys/platform.key\n")
      try vault.writeManifest(product: nil)
      let module = try await vault.build()
      #expect(module.status != 0)
      #expect(module.output.contains("add .product(name: \"EmbeddedSecrets\""), "\(module)")
    }

    @Test(
      "A path that was listed after the build was planned is refused, because its changes would go unnoticed")
    func stalePlan() async throws {
      let vault = try VaultPackage(place.scratch)
      try vault.writeSecret(Self.secret)
      try vault.writeList("platformKey = ../keys/platform.key\n")
      // The first build of a package in a shared scratch folder caches no plan.
      for _ in 1...2 {
        #expect(try await vault.run() == "joined \(Self.secret.utf8.count) bytes: true\n")
      }
      let list = vault.file(VaultPackage.list).path
      try vault.writeSecret("a secret of 18 by.", to: "keys/other.key")
      try vault.writeList("platformKey = ../keys/other.key\n")
      let stale = try await vault.build()
      #expect(stale.status != 0)
      #expect(stale.output.contains("\(list):1: error: the build doesn't watch"), "\(stale)")
      try vault.writeManifest(comment: "Saved again.")
      #expect(try await vault.run() == "joined 18 bytes: true\n")
    }

    @Test("The sample signs with an embedded key, and its server accepts the signature")
    func sample() async throws {
      let sample = try EmbeddedKeySample(scratch: place.scratch)
      let outcome = try await sample.run()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("accepted: GET /orders, signed with the key shop-1"), "\(outcome)")
      #expect(!outcome.output.contains(EmbeddedKeySample.secret))
    }
  }
}
