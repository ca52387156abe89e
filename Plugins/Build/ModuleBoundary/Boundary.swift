import Foundation
import PackagePlugin

/// What lies on the other side of a business module's boundary.
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

  /// The targets that lie beside the module, sorted by name.
  let siblings: [Sibling]
  private let module: any Target

  init(of module: any Target, in package: Package) {
    let folder = Self.folder(of: module)
    let beside = package.targets.filter { $0.id != module.id && Self.folder(of: $0) == folder }
    let besideNames = Set(beside.map(\.name)).union([module.name])
    let reachable = package.targets + package.dependencies.flatMap(\.package.targets)
    let contracts = Set(reachable.map(\.name)).subtracting(besideNames)
    self.module = module
    self.siblings = beside.map { target in
      let contract = "\(target.name)Routes"
      return Sibling(
        name: target.name,
        moduleName: (target as? any SourceModuleTarget)?.moduleName ?? target.name,
        id: target.id,
        contract: contracts.contains(contract) ? contract : nil,
        isMisplacedContract: target.name.hasSuffix("Routes")
          && besideNames.contains(String(target.name.dropLast("Routes".count))))
    }
    .sorted { $0.name < $1.name }
  }

  /// The shortest chain of dependencies from the module to a sibling, both included, or nil if there is none.
  func path(to sibling: Sibling) -> [any Target]? {
    var paths: [[any Target]] = [[module]]
    var seen: Set<Target.ID> = [module.id]
    while !paths.isEmpty {
      let path = paths.removeFirst()
      guard let last = path.last else { continue }
      for next in Self.dependencies(of: last) where seen.insert(next.id).inserted {
        if next.id == sibling.id { return path + [next] }
        paths.append(path + [next])
      }
    }
    return nil
  }

  private static func dependencies(of target: any Target) -> [any Target] {
    target.dependencies.flatMap { dependency -> [any Target] in
      switch dependency {
      case .target(let target): [target]
      case .product(let product): product.targets
      @unknown default: []
      }
    }
  }

  private static func folder(of target: any Target) -> String {
    target.directoryURL.standardizedFileURL.deletingLastPathComponent().path
  }
}
