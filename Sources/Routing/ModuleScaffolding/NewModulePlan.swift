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
  ///   - withLayers: Whether the module has a screen and a type in each layer, instead of an action.
  public init(
    _ name: ModuleName, scheme: String, layout: PackageLayout, targets: [KnownTarget], manifest: String,
    library: String, withAPI: Bool = false, withLayers: Bool = false
  ) {
    if withLayers {
      files = LayeredModuleSources(name: name, scheme: scheme, withAPI: withAPI).files(layout)
    } else if withAPI {
      files = Self.files(APIModuleSources(name: name, scheme: scheme), layout)
    } else {
      files = Self.files(ModuleSources(name: name, scheme: scheme), layout)
    }
    url = "\(scheme)://\(name.host)"
    expression = "\(name)Module(\(withAPI ? "client: client" : ""))"
    let code = ManifestCode(manifest)
    guardingApp = layout.isUsual ? code.guardingApp(of: layout.existing, targets: targets) : nil
    let declarations = TargetDeclarations(
      name: name, layout: layout, library: library, isGuardedAlone: guardingApp == nil, withAPI: withAPI,
      withLayers: withLayers)
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
      File(path: "\(module)/Services/\(name)API.swift", text: sources.api),
      File(path: "\(module)/Services/\(name)Reformer.swift", text: sources.reformer),
      File(path: "\(tests)/\(name)ModuleTests.swift", text: sources.moduleTests),
      File(path: "\(tests)/\(name)APITests.swift", text: sources.apiTests),
      File(path: "\(tests)/\(name)ReformerTests.swift", text: sources.reformerTests()),
    ]
  }
}
