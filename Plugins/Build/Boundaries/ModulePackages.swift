import Foundation
import PackagePlugin

/// A package and its direct and transitive dependencies, some of which contain a single module.
struct ModulePackages {
  /// The package that the others are reached from.
  let root: Package
  /// All packages, in order of their distance from the root.
  let all: [Package]
  private let owners: [Target.ID: Package]

  init(reachedFrom root: Package) {
    var all = [root]
    var seen: Set<Package.ID> = [root.id]
    var next = 0
    while next < all.count {
      for dependency in all[next].dependencies where seen.insert(dependency.package.id).inserted {
        all.append(dependency.package)
      }
      next += 1
    }
    self.root = root
    self.all = all
    let pairs = all.flatMap { package in package.targets.map { ($0.id, package) } }
    owners = Dictionary(pairs) { first, _ in first }
  }

  var targets: [any Target] { all.flatMap(\.targets) }

  func package(of target: any Target) -> Package { owners[target.id] ?? root }

  /// Whether the parent folder of a target holds targets of all kinds: it is the package's folder or its
  /// folder for sources.
  ///
  /// In a single-module package every target is part of the module, wherever it is.
  func isAmongAllKinds(_ target: any Target) -> Bool {
    let package = package(of: target)
    guard module(ofItsOwn: package) == nil else { return false }
    let folder = package.directoryURL.standardizedFileURL
    // The folder names that SwiftPM searches for sources.
    let places = [folder] + ["Sources", "Source", "src", "srcs"].map { folder.appending(path: $0) }
    return places.contains { $0.path == target.neighbourhood }
  }

  /// Returns the name of the module that is the only content of a package, or nil if there is no such module.
  ///
  /// Such a package has the name of its module, and the names of all its targets begin with that name:
  /// `Listings`, `ListingsRoutes`, `ListingsScreens`. A package with other targets contains more than one
  /// module.
  func module(ofItsOwn package: Package) -> String? {
    let names = package.targets.filter { $0.isPartOfProgram }.map(\.name)
    return [package.displayName, package.directoryURL.lastPathComponent].first { name in
      names.contains(name) && names.allSatisfy { $0.hasPrefix(name) }
    }
  }
}

extension Package {
  /// Whether the package can be edited by the user.
  var isLocal: Bool {
    switch origin {
    case .root, .local: true
    default: false
    }
  }

  var manifest: URL { directoryURL.appending(path: "Package.swift") }

  /// The parent of the package's folder.
  var neighbourhood: String { directoryURL.standardizedFileURL.deletingLastPathComponent().path }
}

extension Target {
  /// The parent of the target's folder.
  var neighbourhood: String { directoryURL.standardizedFileURL.deletingLastPathComponent().path }

  /// Whether the target's code can be part of a program, unlike that of a test or a plugin.
  var isPartOfProgram: Bool {
    guard let module = self as? any SourceModuleTarget else { return false }
    return module.kind == .generic || module.kind == .executable
  }

  /// Whether the target has the name of a contract.
  var isContract: Bool { name.hasSuffix("Routes") }
}

/// The business modules in the local packages, identified by their folders.
struct BusinessModules {
  /// The default name of the folder that holds business modules.
  static let usualFolder = "Modules"

  /// The modules sorted by name, including all targets of a single-module package except its contract.
  let targets: [any Target]
  /// The local targets that the modules depend on and that are not business modules.
  let foundations: [any Target]

  init(in packages: ModulePackages, folders: [String]) {
    func isModules(_ folder: String) -> Bool { folders.contains(URL(filePath: folder).lastPathComponent) }
    var targets: [any Target] = []
    for package in packages.all where package.isLocal {
      let parts = package.targets.filter(\.isPartOfProgram)
      if packages.module(ofItsOwn: package) != nil, isModules(package.neighbourhood) {
        targets += parts.filter { !$0.isContract }
      } else {
        targets += parts.filter { isModules($0.neighbourhood) }
      }
    }
    self.targets = targets.sorted { $0.name < $1.name }
    let modules = Set(targets.map(\.id))
    var seen = modules
    foundations = targets.flatMap(\.recursiveTargetDependencies).filter { target in
      packages.package(of: target).isLocal && target.isPartOfProgram && seen.insert(target.id).inserted
    }
    .sorted { $0.name < $1.name }
  }

  var names: [String] { targets.map(\.name) }
}
