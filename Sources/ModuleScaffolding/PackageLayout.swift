/// Where a package keeps its modules, their contracts and their tests.
public struct PackageLayout: Sendable, Hashable {
  /// The folder of the business modules.
  public let modules: String
  /// The folder of their contracts.
  public let contracts: String
  /// The folder of the tests.
  public let tests: String
  /// The names of the business modules that are there, sorted.
  public let existing: [String]

  /// Whether the modules' folder has the name that tools take for it where nobody names another.
  var isUsual: Bool { modules.split(separator: "/").last == "Modules" }

  /// Finds the folders from the targets that are there, and takes `Sources/Modules`, `Sources/Routes` and
  /// `Tests` for those missing.
  ///
  /// - Parameter folder: The name of the folder that holds business modules.
  public init(of targets: [KnownTarget], folder: String = "Modules") {
    func isModules(_ target: KnownTarget) -> Bool {
      !target.isTest && target.neighbourhood.split(separator: "/").last == Substring(folder)
    }
    let found = targets.filter(isModules)
    existing = found.map(\.name).sorted()
    let modules = found.first?.neighbourhood ?? "Sources/\(folder)"
    let names = Set(existing)
    let contract = targets.first { target in
      target.name.hasSuffix("Routes") && names.contains(String(target.name.dropLast("Routes".count)))
        && !isModules(target)
    }
    let beside = modules.split(separator: "/").dropLast().map(String.init) + ["Routes"]
    self.modules = modules
    contracts = contract?.neighbourhood ?? beside.joined(separator: "/")
    tests = targets.first(where: \.isTest)?.neighbourhood ?? "Tests"
  }
}
