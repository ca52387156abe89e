import Foundation
import PackagePlugin

/// The business modules among all targets that are the user's to change, found by their folders.
struct BusinessModules {
  /// The folder that holds business modules where nobody names another.
  static let usualFolder = "Modules"

  /// The modules, sorted by name; of a package that is a module's own every target but the contract.
  let targets: [any Target]
  /// What the modules stand on and what is no business module itself.
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
