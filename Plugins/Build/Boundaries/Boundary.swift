import Foundation
import PackagePlugin

/// What lies on the other side of a business module's boundary.
///
/// Siblings are, in the module's own package, the targets that lie beside it; in other packages that lie on
/// this machine, those in a folder of the same name, `Modules` say; and every target but the contract of a
/// package that is a module's own and either has a contract or lies beside the module.
struct Boundary {
  /// Another business module.
  struct Sibling {
    var name: String
    /// The name that an import writes, which differs where the target's name is no identifier.
    var moduleName: String
    var id: Target.ID
    var contract: String?
    /// Whether it only looks like a business module: a contract that lies among them.
    var isMisplacedContract: Bool

    /// What the tool's option `--forbid` takes.
    var argument: String { contract.map { "\(moduleName)=\($0)" } ?? moduleName }

    var remedy: String {
      if isMisplacedContract {
        return
          "it lies in the folder of the business modules and so counts as one; move it to a folder of its own"
      }
      if let contract { return "open its route by URL, or depend on \(contract)" }
      return "open its route by URL, or declare its typed routes in a target \(name)Routes and depend on that"
    }
  }

  /// A dependency on the way to a sibling.
  struct Step {
    var target: any Target
    /// What the manifest calls it: the name of a target or of a product.
    var declaredName: String
  }

  /// The other business modules that can be reached at all, sorted by name.
  let siblings: [Sibling]
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
      // A part of a module's own package is reached by the module's contract.
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
    // Every package has a folder Sources; only another name says what lies there.
    let folder = URL(filePath: module.neighbourhood).lastPathComponent
    return package.isLocal && folder != "Sources"
      && URL(filePath: target.neighbourhood).lastPathComponent == folder
  }

  /// The shortest chain of dependencies from the module to a sibling, both included, or nil if there is none.
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

  /// The siblings that the module depends on, each with the place in a manifest where it happens.
  func dependencyViolations() -> [DependencyViolation] {
    siblings.compactMap { sibling in
      guard let path = path(to: sibling), path.count > 1 else { return nil }
      // The last step is the culprit, unless it stands in a manifest that came from elsewhere.
      let lastLocal = path.indices.dropFirst().last { packages.package(of: path[$0 - 1].target).isLocal } ?? 1
      let manifest = packages.package(of: path[lastLocal - 1].target).manifest
      let source = ManifestSource(text: (try? String(contentsOf: manifest, encoding: .utf8)) ?? "")
      return DependencyViolation(
        module: module.name, sibling: sibling, way: path.map(\.target.name), manifest: manifest.path,
        line: source.line(ofDependency: path[lastLocal].declaredName, of: path[lastLocal - 1].target.name))
    }
  }
}
