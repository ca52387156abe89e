/// The steps that add a module to a package, decided before anything is written.
public struct NewModulePlan: Sendable, Hashable {
  /// A file to be created.
  public struct File: Sendable, Hashable {
    /// The path of the file, relative to the package's folder.
    public let path: String
    /// Its text.
    public let text: String
  }

  /// The files of the contract, the module and its tests.
  public let files: [File]
  /// The manifest with the module; nil if it cannot be extended safely.
  public let manifest: String?
  /// The declarations of the module's targets, for adding them by hand.
  public let declarations: String
  /// The URL of the module's route.
  public let url: String
  /// The expression that creates the module in the app's list, such as `OffersModule()`.
  public let expression: String
  /// The products that the module needs and that its row in the manifest may not give it.
  public let undeclaredProducts: [String]
  /// The products that the module's tests need and that its row in the manifest may not give them.
  public let undeclaredTestProducts: [String]
  /// The app's target whose plugin ModuleBoundary also checks the module; nil if the manifest shows none.
  ///
  /// It is a target that lists the plugin and depends on modules; or the only target that lists the plugin,
  /// if there are no modules yet or if it is in `Sources`. On an app's target the plugin checks only folders
  /// named `Modules`.
  public let guardingApp: String?
  /// Whether the module's declaration, written or to be added by hand, lists the plugin itself.
  public let isGuardedAlone: Bool

  /// Plans a module.
  ///
  /// - Parameters:
  ///   - scheme: The URL scheme of the app.
  ///   - targets: All targets of the package.
  ///   - library: The name in the manifest of the package that provides Mediation.
  ///   - withAPI: Whether the module loads an API, and takes the app's client for it.
  public init(
    _ name: ModuleName, scheme: String, layout: PackageLayout, targets: [KnownTarget], manifest: String,
    library: String, withAPI: Bool = false
  ) {
    files =
      withAPI
      ? Self.files(APIModuleSources(name: name, scheme: scheme), layout)
      : Self.files(ModuleSources(name: name, scheme: scheme), layout)
    url = "\(scheme)://\(name.host)"
    expression = "\(name)Module(\(withAPI ? "client: client" : ""))"
    let code = ManifestCode(manifest)
    guardingApp = layout.isUsual ? code.guardingApp(of: layout.existing, targets: targets) : nil
    let declarations = TargetDeclarations(
      name: name, layout: layout, library: library, isGuardedAlone: guardingApp == nil, withAPI: withAPI)
    self.declarations = declarations.all.joined(separator: ",\n") + ","
    let edited = ManifestEdit(code: code, text: manifest).adding(
      name, declarations: declarations, existing: layout.existing, targets: Set(targets.map(\.name)))
    self.manifest = edited
    isGuardedAlone = guardingApp == nil && (edited?.contains(declarations.module) ?? true)
    let isDeclared = edited?.contains(declarations.module) ?? true
    undeclaredProducts = isDeclared ? [] : declarations.moduleProducts
    undeclaredTestProducts =
      edited?.contains(declarations.tests) ?? true ? [] : declarations.testProducts
  }

  private static func files(_ sources: ModuleSources, _ layout: PackageLayout) -> [File] {
    let name = sources.name
    return [
      File(path: "\(layout.contracts)/\(name.contract)/\(name)Route.swift", text: sources.route),
      File(path: "\(layout.modules)/\(name)/\(name)Module.swift", text: sources.module),
      File(path: "\(layout.tests)/\(name.tests)/\(name)ModuleTests.swift", text: sources.tests),
    ]
  }

  private static func files(_ sources: APIModuleSources, _ layout: PackageLayout) -> [File] {
    let name = sources.name
    let module = "\(layout.modules)/\(name)"
    let tests = "\(layout.tests)/\(name.tests)"
    return [
      File(path: "\(layout.contracts)/\(name.contract)/\(name)Route.swift", text: sources.route),
      File(path: "\(module)/\(name)Module.swift", text: sources.module),
      File(path: "\(module)/DataCenter/\(name)API.swift", text: sources.api),
      File(path: "\(module)/DataCenter/\(name)Reformer.swift", text: sources.reformer),
      File(path: "\(tests)/\(name)ModuleTests.swift", text: sources.moduleTests),
      File(path: "\(tests)/\(name)APITests.swift", text: sources.apiTests),
      File(path: "\(tests)/\(name)ReformerTests.swift", text: sources.reformerTests),
    ]
  }
}

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

/// An existing target of a package.
public struct KnownTarget: Sendable, Hashable {
  /// The name of the target.
  public var name: String
  /// The target's folder, relative to the package's folder.
  public var path: String
  /// Whether the target is a test target.
  public var isTest: Bool
  /// The names of the target's direct and transitive dependencies.
  public var dependencies: Set<String>

  /// Creates a target.
  public init(name: String, path: String, isTest: Bool = false, dependencies: Set<String> = []) {
    self.name = name
    self.path = path
    self.isTest = isTest
    self.dependencies = dependencies
  }

  /// The parent of the target's folder, relative to the package's folder.
  var neighbourhood: String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
