import Foundation
import PackagePlugin

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
