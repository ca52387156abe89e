/// All that is to be done to add a module to a package, decided before anything is written.
public struct NewModulePlan: Sendable, Hashable {
  /// A file that is to be made.
  public struct File: Sendable, Hashable {
    /// The file, relative to the package's folder.
    public let path: String
    /// Its text.
    public let text: String
  }

  /// The files of the contract, the module and its tests.
  public let files: [File]
  /// The manifest with the module in it; nil if it is written in a way that can't be extended safely.
  public let manifest: String?
  /// The declarations of the module's targets, for whoever adds them by hand.
  public let declarations: String
  /// The module's own URL.
  public let url: String
  /// The app's target whose plugin ModuleBoundary checks the module too; nil if the manifest shows none.
  ///
  /// It is a target that the manifest gives the plugin by its name and that depends on modules; or, while
  /// there are none or it lies in `Sources`, the only one that has the plugin. The plugin on an app's target
  /// checks folders called `Modules` and no others.
  public let guardingApp: String?
  /// Whether the module's declaration, written or given to be added by hand, has the plugin of its own.
  public let isGuardedAlone: Bool

  /// Plans a module.
  ///
  /// - Parameters:
  ///   - scheme: The app's URL scheme.
  ///   - targets: All targets of the package.
  ///   - library: What the manifest calls the package that Mediation comes from.
  public init(
    _ name: ModuleName, scheme: String, layout: PackageLayout, targets: [KnownTarget], manifest: String,
    library: String
  ) {
    let sources = ModuleSources(name: name, scheme: scheme)
    files = [
      File(path: "\(layout.contracts)/\(name.contract)/\(name)Route.swift", text: sources.route),
      File(path: "\(layout.modules)/\(name)/\(name)Module.swift", text: sources.module),
      File(path: "\(layout.tests)/\(name.tests)/\(name)ModuleTests.swift", text: sources.tests),
    ]
    url = sources.url
    let code = ManifestCode(manifest)
    guardingApp = layout.isUsual ? code.guardingApp(of: layout.existing, targets: targets) : nil
    let declarations = TargetDeclarations(
      name: name, layout: layout, library: library, isGuardedAlone: guardingApp == nil)
    self.declarations = declarations.all.joined(separator: ",\n") + ","
    let edited = ManifestEdit(code: code, text: manifest).adding(
      name, declarations: declarations, existing: layout.existing, targets: Set(targets.map(\.name)))
    self.manifest = edited
    isGuardedAlone = guardingApp == nil && (edited?.contains(declarations.module) ?? true)
  }
}
