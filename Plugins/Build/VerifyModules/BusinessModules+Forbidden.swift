import PackagePlugin

extension BusinessModules {
  /// All modules, as forbidden modules.
  var forbidden: [ForbiddenModule] {
    let contracts = Set(foundations.map(\.name))
    return targets.map { target in
      ForbiddenModule(
        name: (target as? any SourceModuleTarget)?.moduleName ?? target.name,
        contract: contracts.contains("\(target.name)Routes") ? "\(target.name)Routes" : nil)
    }
  }
}
