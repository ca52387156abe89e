import CommandRunning
import Foundation
import Testing

/// The targets of this package's manifest, and what their files link and import.
struct PackageGraph: Sendable {
  /// What a product needs beside Swift's runtime and its standard library.
  struct Needs: Sendable, Hashable {
    var libraries: Set<SystemLibrary> = []
    /// The largest part of Foundation.
    var foundation: FoundationPart?

    mutating func add(_ other: Needs) {
      libraries.formUnion(other.libraries)
      foundation = [foundation, other.foundation].compactMap { $0 }.max()
    }
  }

  private struct Dependency: Sendable {
    let name: String
    /// The traits and platforms of which one is required; empty without such a condition.
    let traits: [String]
    let platforms: [String]
  }

  /// What products of other packages bring on Linux; those that bring nothing are not listed.
  private static let others: [String: Needs] = [
    "GRDB": Needs(libraries: [.sqlite], foundation: .whole), "GRDBSQLite": Needs(libraries: [.sqlite]),
    "Metrics": Needs(foundation: .essentials), "MetricsTestKit": Needs(foundation: .essentials),
  ]

  /// The library products, in the order of the manifest.
  private(set) var products: [String] = []
  /// The targets of each library product.
  private var members: [String: [String]] = [:]
  /// The traits, without the one that enables the others.
  private(set) var traits: [String] = []
  /// The folders of all targets, relative to the package.
  private(set) var folders: [String: String] = [:]
  private var dependencies: [String: [Dependency]] = [:]
  /// What each target needs by itself; under "" what it needs whichever traits are enabled.
  private var ownNeeds: [String: [String: Needs]] = [:]

  /// Reads the manifest and the files of the checkout.
  static func ofCheckout() async throws -> PackageGraph {
    let scratch = try TemporaryFolder(prefix: "graph")
    var command = Command(
      "swift", "package", "--package-path", Checkout.folder.path, "--scratch-path", scratch.url.path,
      "dump-package")
    command.mergesErrors = false
    let dump = try await command.run()
    try #require(dump.status == 0, "\(dump)")
    return try PackageGraph(manifest: dump.bytes) { try SourceText.all(in: $0) }
  }

  /// Creates the graph from what `swift package dump-package` writes, and the sources of each folder.
  init(manifest: [UInt8], sources: (String) throws -> [SourceText]) throws {
    let object = try JSONSerialization.jsonObject(with: Data(manifest))
    let manifest = try #require(object as? [String: Any])
    func entries(_ key: String) -> [(name: String, [String: Any])] {
      (manifest[key] as? [[String: Any]] ?? []).map { ($0["name"] as? String ?? "", $0) }
    }
    for (name, product) in entries("products") where (product["type"] as? [String: Any])?["library"] != nil {
      products.append(name)
      members[name] = product["targets"] as? [String]
    }
    traits = entries("traits").map(\.name).filter { $0 != "Everything" }
    for (name, target) in entries("targets") where target["type"] as? String != "test" {
      let folder = target["path"] as? String ?? "Sources/\(name)"
      folders[name] = folder
      dependencies[name] = (target["dependencies"] as? [[String: Any]] ?? []).map { entry in
        let values = entry.values.first as? [Any] ?? []
        let condition = values.last as? [String: Any] ?? [:]
        return Dependency(
          name: values.first as? String ?? "", traits: condition["traits"] as? [String] ?? [],
          platforms: condition["platformNames"] as? [String] ?? [])
      }
      var needs: [String: Needs] = [:]
      let settings = target["settings"] as? [[String: Any]] ?? []
      var linked = settings.compactMap { setting in
        ((setting["kind"] as? [String: Any])?["linkedLibrary"] as? [String: String])?["_0"]
      }
      for source in try sources(folder) {
        linked += source.linkedLibraries
        let trait = source.firstCondition.flatMap { traits.contains($0) ? $0 : nil } ?? ""
        needs[trait, default: Needs()].add(Needs(foundation: source.importedFoundation))
      }
      for library in linked {
        let known = try #require(SystemLibrary(linked: library), "SystemLibrary has no \(library) of \(name)")
        needs["", default: Needs()].add(Needs(libraries: [known]))
      }
      ownNeeds[name] = needs
    }
  }

  /// Returns what a product and all that it depends on need.
  func needs(of product: String, trait: String? = nil, on platform: String = "linux") -> Needs {
    var needs = Needs()
    for name in targets(of: product, trait: trait, on: platform) {
      if let other = Self.others[name] { needs.add(other) }
      for key in [trait, ""].compactMap({ $0 }) {
        if let own = ownNeeds[name]?[key] { needs.add(own) }
      }
    }
    return needs
  }

  /// Returns the targets of a product, all targets they depend on, and the products of other packages.
  func targets(of product: String, trait: String? = nil, on platform: String = "linux") -> Set<String> {
    var reached: Set<String> = []
    var left = members[product] ?? []
    while let name = left.popLast() {
      guard reached.insert(name).inserted else { continue }
      for dependency in dependencies[name] ?? [] {
        let isEnabled = dependency.traits.isEmpty || trait.map(dependency.traits.contains) == true
        let isThere = dependency.platforms.isEmpty || dependency.platforms.contains(platform)
        if isEnabled, isThere { left.append(dependency.name) }
      }
    }
    return reached
  }
}
