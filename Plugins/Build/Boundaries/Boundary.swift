import Foundation
import PackagePlugin

/// The modules that a business module may neither import nor depend on.
///
/// They are the module's siblings. In its own package, siblings are the targets in the same folder. In other
/// local packages they are the targets in a folder of the same name, such as `Modules`. Of a single-module
/// package that has a contract or is in the same folder as the module, every target except the contract is a
/// sibling.
struct Boundary {
  /// Another business module.
  struct Sibling {
    var name: String
    /// The name in an import, which differs from the target's name if that is not an identifier.
    var moduleName: String
    var id: Target.ID
    var contract: String?
    /// Whether it is a contract that is misplaced in the folder of the business modules.
    var isMisplacedContract: Bool

    /// The value for the tool's option `--forbid`.
    var argument: String { contract.map { "\(moduleName)=\($0)" } ?? moduleName }

    var remedy: String {
      if isMisplacedContract {
        return
          "it is in the folder of the business modules and therefore counts as one; move it to another folder"
      }
      if let contract { return "open its route by URL, or depend on \(contract)" }
      return "open its route by URL, or declare its typed routes in a target \(name)Routes and depend on that"
    }
  }

  /// One dependency on a path to a sibling.
  struct Step {
    var target: any Target
    /// The name in the manifest, which is that of a target or of a product.
    var declaredName: String
  }

  /// All siblings, sorted by name.
  let siblings: [Sibling]

  /// The siblings, as modules that may not be imported.
  var forbidden: [ForbiddenModule] {
    siblings.map { ForbiddenModule(name: $0.moduleName, contract: $0.contract) }
  }

  private let module: any Target
  private let packages: ModulePackages

  init(of module: any Target, among packages: ModulePackages) {
    self.module = module
    self.packages = packages
    let beside = packages.all.flatMap { package in
      package.targets.filter { Self.isSibling($0, in: package, of: module, among: packages) }
    }
    let besideNames = Set(beside.map(\.name)).union([module.name])
    let contracts = Set(packages.targets.map(\.name)).subtracting(besideNames)
    self.siblings = beside.map { target in
      // A target of a single-module package is reached through the contract of that module.
      let name = packages.module(ofItsOwn: packages.package(of: target)) ?? target.name
      return Sibling(
        name: target.name,
        moduleName: (target as? any SourceModuleTarget)?.moduleName ?? target.name,
        id: target.id,
        contract: contracts.contains("\(name)Routes") ? "\(name)Routes" : nil,
        isMisplacedContract: target.isContract
          && besideNames.contains(String(target.name.dropLast("Routes".count))))
    }
    .sorted { $0.name < $1.name }
  }

  private static func isSibling(
    _ target: any Target, in package: Package, of module: any Target, among packages: ModulePackages
  ) -> Bool {
    let home = packages.package(of: module)
    let isHomeItsOwn = packages.module(ofItsOwn: home) != nil
    if package.id == home.id {
      return !isHomeItsOwn && target.id != module.id && target.neighbourhood == module.neighbourhood
    }
    guard target.isPartOfProgram else { return false }
    if let name = packages.module(ofItsOwn: package) {
      let places = [module.neighbourhood] + (isHomeItsOwn ? [home.neighbourhood] : [])
      let isBeside = package.isLocal && places.contains(package.neighbourhood)
      let hasContract = package.targets.contains { $0.name == "\(name)Routes" }
      return (isBeside || hasContract) && !target.isContract
    }
    // Every package has a folder Sources; any other name identifies what the folder contains.
    let folder = URL(filePath: module.neighbourhood).lastPathComponent
    return package.isLocal && folder != "Sources"
      && URL(filePath: target.neighbourhood).lastPathComponent == folder
  }

  /// Returns the shortest chain of dependencies from the module to a sibling, including both, or nil if there
  /// is none.
  func path(to sibling: Sibling) -> [Step]? {
    var paths = [[Step(target: module, declaredName: module.name)]]
    var seen: Set<Target.ID> = [module.id]
    while !paths.isEmpty {
      let path = paths.removeFirst()
      guard let last = path.last else { continue }
      for next in Self.dependencies(of: last.target) where seen.insert(next.target.id).inserted {
        if next.target.id == sibling.id { return path + [next] }
        paths.append(path + [next])
      }
    }
    return nil
  }

  private static func dependencies(of target: any Target) -> [Step] {
    target.dependencies.flatMap { dependency -> [Step] in
      switch dependency {
      case .target(let target): [Step(target: target, declaredName: target.name)]
      case .product(let product):
        product.targets.map { Step(target: $0, declaredName: product.name) }
      @unknown default: []
      }
    }
  }

  /// Returns the siblings that the module depends on, each with the place in a manifest that declares the
  /// dependency.
  func dependencyViolations() -> [DependencyViolation] {
    siblings.compactMap { sibling in
      guard let path = path(to: sibling), path.count > 1 else { return nil }
      // The last dependency is the culprit, unless the manifest that declares it is not local.
      let lastLocal = path.indices.dropFirst().last { packages.package(of: path[$0 - 1].target).isLocal } ?? 1
      let manifest = packages.package(of: path[lastLocal - 1].target).manifest
      let source = ManifestSource(text: (try? String(contentsOf: manifest, encoding: .utf8)) ?? "")
      return DependencyViolation(
        module: module.name, sibling: sibling, way: path.map(\.target.name), manifest: manifest.path,
        line: source.line(ofDependency: path[lastLocal].declaredName, of: path[lastLocal - 1].target.name))
    }
  }
}

/// A dependency that leads from one business module to another.
struct DependencyViolation {
  var module: String
  var sibling: Boundary.Sibling
  /// The targets from the module to the sibling, including both.
  var way: [String]
  /// The manifest that declares the dependency to remove.
  var manifest: String
  var line: Int

  var sentence: String {
    let through = way.count > 2 ? " (\(way.joined(separator: " → ")))" : ""
    return "module '\(module)' may not depend on module '\(sibling.name)'\(through); \(sibling.remedy)"
  }
}

/// Finds the imports of forbidden modules in a target's sources.
enum ImportScan {
  /// Returns the violations in the sources of a target, in the order of its files.
  static func violations(in target: any Target, forbidden: [ForbiddenModule]) throws -> [BoundaryViolation] {
    guard let module = target as? SwiftSourceModuleTarget, !forbidden.isEmpty else { return [] }
    let rule = BoundaryRule(module: target.name, forbidden: forbidden)
    return try module.sourceFiles(withSuffix: "swift").flatMap { file in
      let source: Data
      do {
        source = try Data(contentsOf: file.url)
      } catch {
        throw UnreadableSource(path: file.url.path, reason: error.localizedDescription)
      }
      // Most files name no forbidden module, and a search of their bytes is much faster than the scanner.
      guard forbidden.contains(where: { source.range(of: Data($0.name.utf8)) != nil }) else {
        return [BoundaryViolation]()
      }
      return rule.violations(in: source, path: file.url.path)
    }
  }
}

/// A source file that can't be read.
struct UnreadableSource: Error, CustomStringConvertible {
  var path: String
  var reason: String

  var description: String { "\(path) can't be read: \(reason)" }
}
