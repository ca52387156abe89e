/// The folders of a package's modules, their contracts and their tests.
public struct PackageLayout: Sendable, Hashable {
  /// The folder of the business modules.
  public let modules: String
  /// The folder of their contracts.
  public let contracts: String
  /// The folder of the tests.
  public let tests: String
  /// The names of the existing business modules, sorted.
  public let existing: [String]

  /// Whether the modules' folder has the default name.
  var isUsual: Bool { modules.split(separator: "/").last == "Modules" }

  /// Derives the folders from the existing targets; defaults to `Sources/Modules`, `Sources/Routes` and
  /// `Tests`.
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
