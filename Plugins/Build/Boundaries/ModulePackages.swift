import Foundation
import PackagePlugin

/// The packages that a package reaches, itself included, and which of them are a module's own.
struct ModulePackages {
  /// The package from which the others are reached.
  let root: Package
  /// All packages, the nearest first.
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

  /// Whether the folder in which a target's folder lies says nothing of it: the package's own, or the one for
  /// sources.
  ///
  /// In a package that is a module's own every target is a part of the module, wherever it lies.
  func isAmongAllKinds(_ target: any Target) -> Bool {
    let package = package(of: target)
    guard module(ofItsOwn: package) == nil else { return false }
    let folder = package.directoryURL.standardizedFileURL
    // The names that SwiftPM looks for.
    let places = [folder] + ["Sources", "Source", "src", "srcs"].map { folder.appending(path: $0) }
    return places.contains { $0.path == target.neighbourhood }
  }

  /// The name of the module that a package is there for alone, or nil if it is none's own.
  ///
  /// Such a package is called like its module, and the names of all its targets begin with that name:
  /// `Listings`, `ListingsRoutes`, `ListingsScreens`. A package with targets of other names holds several
  /// things.
  func module(ofItsOwn package: Package) -> String? {
    let names = package.targets.filter { $0.isPartOfProgram }.map(\.name)
    return [package.displayName, package.directoryURL.lastPathComponent].first { name in
      names.contains(name) && names.allSatisfy { $0.hasPrefix(name) }
    }
  }
}

extension Package {
  /// Whether the package's files are its user's to change.
  var isLocal: Bool {
    switch origin {
    case .root, .local: true
    default: false
    }
  }

  var manifest: URL { directoryURL.appending(path: "Package.swift") }

  /// The folder in which the package's folder lies.
  var neighbourhood: String { directoryURL.standardizedFileURL.deletingLastPathComponent().path }
}

extension Target {
  /// The folder in which the target's folder lies.
  var neighbourhood: String { directoryURL.standardizedFileURL.deletingLastPathComponent().path }

  /// Whether a program can hold the target's code, as it holds none of a test's or a plugin's.
  var isPartOfProgram: Bool {
    guard let module = self as? any SourceModuleTarget else { return false }
    return module.kind == .generic || module.kind == .executable
  }

  /// Whether the target is called as contracts are.
  var isContract: Bool { name.hasSuffix("Routes") }
}
