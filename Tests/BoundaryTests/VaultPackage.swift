import CommandRunning
import Foundation

/// A program with one embedded secret, which it compares with the secret's file, and the folder of that file.
struct VaultPackage: Sendable {
  static let list = "Vault/Sources/vault/EmbeddedSecrets.txt"

  private let temporary: TemporaryFolder
  private let scratch: ScratchFolder
  private let configuration: String

  init(_ scratch: ScratchFolder, configuration: String = "release") throws {
    self.scratch = scratch
    self.configuration = configuration
    temporary = try TemporaryFolder(prefix: "vault")
    try writeManifest()
    try temporary.url.write(
      """
      import EmbeddedSecrets
      import Foundation

      print("a text that is not embedded".isEmpty ? "" : "joined ", terminator: "")
      let file = [UInt8](try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
      let expected = file.last == 10 ? Array(file.dropLast()) : file
      print(
        EmbeddedSecret.platformKey.withBytes { bytes in
          "\\(bytes.count) bytes: \\(expected == bytes.indices.map { bytes[$0] })"
        })

      """, to: "Vault/Sources/vault/main.swift")
  }

  var folder: URL { file("Vault") }

  func file(_ path: String) -> URL { temporary.url.appending(path: path) }

  func writeManifest(product: String? = "EmbeddedSecrets", comment: String = "The manifest.") throws {
    let dependency = product.map { ".product(name: \"\($0)\", package: \"Switchyard\")" } ?? ""
    try temporary.url.write(
      """
      // swift-tools-version: 6.3
      import PackageDescription
      // \(comment)
      let package = Package(
        name: "Vault",
        dependencies: [.package(name: "Switchyard", path: "\(Checkout.folder.path)")],
        targets: [
          .executableTarget(
            name: "vault", dependencies: [\(dependency)],
            plugins: [.plugin(name: "EmbedSecrets", package: "Switchyard")])
        ])
      """, to: "Vault/Package.swift")
  }

  func writeList(_ text: String) throws { try temporary.url.write(text, to: Self.list) }

  func writeSecret(_ secret: String, to path: String = "keys/platform.key") throws {
    try temporary.url.write(secret, to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(path).path)
  }

  func build(_ words: String...) async throws -> Command.Outcome {
    try await scratch.swift("build", package: folder, ["-c", configuration] + words)
  }

  /// Builds the program, and returns what it prints when it is run with the file that the list names.
  func run() async throws -> String {
    let built = try await build()
    guard built.status == 0 else { return "\(built)" }
    let bin = try await build("--show-bin-path")
    let program = "\(bin.lines.last ?? "")/vault"
    let list = try String(contentsOf: file(Self.list), encoding: .utf8)
    let key = list.contains("other.key") ? "keys/other.key" : "keys/platform.key"
    return try await Command(program, file(key).path).run().output
  }

  /// The files of the build that belong to this package: SwiftPM names their folders after it or its target.
  private func files() -> [URL] {
    let found = FileManager.default.enumerator(
      at: scratch.folder, includingPropertiesForKeys: [.isRegularFileKey])
    return found?.compactMap { $0 as? URL }.filter { file in
      file.path.dropFirst(scratch.folder.path.count).lowercased().contains("vault")
        && (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    } ?? []
  }

  /// The files of the build that have a text.
  func files(with text: String) throws -> [String] {
    let bytes = Data(text.utf8)
    return try files().filter { try Data(contentsOf: $0).range(of: bytes) != nil }.map(\.path)
  }

  /// The code that the plugin has written.
  func code() throws -> String {
    let file = files().first { $0.lastPathComponent == "EmbeddedSecret+Listed.swift" }
    return try file.map { try String(contentsOf: $0, encoding: .utf8) } ?? "none"
  }
}

/// A copy of Samples/EmbeddedKey whose list names another file.
struct EmbeddedKeySample: Sendable {
  static let secret = "0123456789abcdef0123456789abcdef"

  private let temporary: TemporaryFolder
  private let scratch: ScratchFolder

  init(scratch: ScratchFolder) throws {
    self.scratch = scratch
    temporary = try TemporaryFolder(prefix: "embedded-key")
    let folder = temporary.url.appending(path: "EmbeddedKey")
    try FileManager.default.copyItem(at: Checkout.folder.appending(path: "Samples/EmbeddedKey"), to: folder)
    func edit(_ path: String, _ old: String, _ new: String) throws {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      guard text.contains(old) else { throw CocoaError(.formatting) }
      try folder.write(text.replacing(old, with: new), to: path)
    }
    try edit("Package.swift", "\"../..\"", "\"\(Checkout.folder.path)\"")
    try edit("Sources/EmbeddedKey/EmbeddedSecrets.txt", "~/.switchyard-sample.key", "../sample.key")
    try temporary.url.write(Self.secret + "\n", to: "sample.key")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: temporary.url.appending(path: "sample.key").path)
  }

  /// Builds and runs the sample with the file of its secret, as its server has it.
  func run() async throws -> Command.Outcome {
    let built = try await scratch.swift("build", package: temporary.url.appending(path: "EmbeddedKey"))
    guard built.status == 0 else { return built }
    let program = scratch.folder.appending(path: "debug/EmbeddedKey").path
    return try await Command(program, temporary.url.appending(path: "sample.key").path).run()
  }
}
