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
    let declarations = TargetDeclarations(name: name, layout: layout, library: library)
    self.declarations = declarations.all.joined(separator: ",\n") + ","
    self.manifest = ManifestEdit(manifest).adding(
      name, declarations: declarations, existing: layout.existing, targets: Set(targets.map(\.name)))
  }
}
