/// The rule that the layers of a business module point downwards, and that its screens load and keep nothing.
///
/// Each file is in a folder named after a ``ModuleLayer``, except the one that declares the module. Types are
/// found by their names: the rule does not see calls of functions and members that another layer declares.
public struct LayerRule: Sendable, Hashable {
  /// The frameworks that draw on a display, which only screens use.
  private static let displays: Set<String> = ["AppKit", "SwiftUI", "TVUIKit", "UIKit", "WatchKit"]

  /// The name of the business module.
  public var module: String

  /// Creates the rule for a business module.
  public init(module: String) { self.module = module }

  /// Returns what breaks the rule, by file and position.
  ///
  /// - Parameters:
  ///   - sources: The source files of the module.
  ///   - folder: The module's folder, which a violation names if the module has no source file.
  ///   - shared: The source files of the local targets that the module uses, in which types are declared that
  ///     a screen may not name.
  public func violations(
    in sources: [ModuleSource], of folder: String, using shared: [ModuleSource] = []
  ) -> [SourceViolation] {
    guard !sources.isEmpty else {
      return [
        violation(at: folder, "there is no Swift file; write \(module)Module.swift, or remove the target")
      ]
    }
    let files = sources.map { LayeredFile($0) }
    let index = LayerIndex(files)
    let others = shared.map { SourceOutline($0.text) }
    let modules = Self.modules(in: (files.map(\.outline) + others).flatMap(\.declarations))
    let visible = (files.map(\.outline) + others).flatMap(\.visibleDeclarations)
    return files.flatMap { file in
      placing(of: file, modules)
        + (importing(in: file) + pointing(in: file, index) + naming(in: file, visible, items: index.items))
        .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
  }

  private func violation(at path: String, line: Int = 1, column: Int = 1, _ text: String) -> SourceViolation {
    SourceViolation(path, line: line, column: column, "module '\(module)': \(text)")
  }

  // MARK: Where a file is

  /// Returns `BusinessModule`, what refines or renames it, and the types that conform to one of them.
  private static func modules(in declarations: [SourceOutline.Declaration]) -> Set<String> {
    var dependents: [String: [String]] = [:]
    for declaration in declarations where declaration.enclosing.isEmpty {
      for base in declaration.bases { dependents[base, default: []].append(declaration.name) }
    }
    return SourceOutline.closure(of: ["BusinessModule"], in: dependents)
  }

  private func placing(of file: LayeredFile, _ modules: Set<String>) -> [SourceViolation] {
    let path = file.source.path
    switch file.place {
    case .layer: return []
    case .unknown(let folder, let meant?):
      return [violation(at: path, "'\(folder)' is no layer; rename the folder to \(meant.rawValue)")]
    case .unknown(let folder, nil):
      return [violation(at: path, "'\(folder)' is no layer; move the file into \(ModuleLayer.choice)")]
    case .root:
      guard declaresModule(file, modules) else {
        return [violation(at: path, "the file is in no layer; move it into \(ModuleLayer.choice)")]
      }
      let strangers = file.outline.declarations.filter {
        ($0.kind == .type || $0.kind == .protocol) && $0.enclosing.isEmpty && !modules.contains($0.name)
      }
      return strangers.map {
        violation(
          at: path, line: $0.line, column: $0.column,
          "'\($0.name)' is declared beside the module and in no layer; move it into \(ModuleLayer.choice)")
      }
    }
  }

  /// Whether a file beside the layers has the module's name or declares the module.
  private func declaresModule(_ file: LayeredFile, _ modules: Set<String>) -> Bool {
    let name = file.source.place
    if name == "\(module)Module.swift" || name.hasPrefix("\(module)Module+") { return true }
    return file.outline.declarations.contains {
      $0.enclosing.isEmpty
        && ($0.kind == .type && modules.contains($0.name) || !modules.isDisjoint(with: $0.bases))
    }
  }

  // MARK: What a file imports and names

  private func importing(in file: LayeredFile) -> [SourceViolation] {
    guard case .layer(let layer) = file.place else { return [] }
    return file.outline.imports.compactMap { declaration in
      let name = declaration.module
      let sentence: String
      if layer == .screens {
        guard let role = ScreenVocabulary.role(ofModule: name) else { return nil }
        sentence = "a screen may not import the \(role.rawValue) '\(name)'; \(role.remedy)"
      } else {
        guard let upper = self.layer(ofModule: name), upper > layer else { return nil }
        sentence =
          "\(layer.rawValue) may not import '\(name)' of \(upper.rawValue); "
          + "move what needs it up into \(upper.rawValue)"
      }
      return violation(
        at: file.source.path, line: declaration.line, column: declaration.column, sentence)
    }
  }

  /// Returns the layer that a module belongs to: a layer's target of this module, such as `ListingsScreens`,
  /// a target of screens, or a framework for them.
  private func layer(ofModule name: String) -> ModuleLayer? {
    if Self.displays.contains(name) || name.hasSuffix(ModuleLayer.screens.rawValue) { return .screens }
    return ModuleLayer.allCases.first { name == $0.rawValue || name == module + $0.rawValue }
  }

  private func pointing(in file: LayeredFile, _ index: LayerIndex) -> [SourceViolation] {
    let own = file.outline.ownNames
    return file.outline.uses.compactMap { use in
      guard !own.contains(use.name), let upper = index.place(of: use, in: module),
        upper.level > file.place.level
      else { return nil }
      let remedy =
        if case .layer = upper {
          "move what both need down into \(file.place.name), or this code up into \(upper.name)"
        } else { "pass what this code needs of it" }
      return violation(
        at: file.source.path, line: use.line, column: use.column,
        "\(file.place.name) may not use '\(use.name)' of \(upper.name); \(remedy)")
    }
  }

  private func naming(
    in file: LayeredFile, _ visible: [SourceOutline.Declaration], items: Set<String>
  ) -> [SourceViolation] {
    guard file.place == .layer(.screens) else { return [] }
    let vocabulary = ScreenVocabulary(of: file.outline, seeing: visible, items: items)
    let path = file.source.path
    // An import of such a module is reported once.
    var seen: [Int: Set<String>] = [:]
    let imported = Set(
      file.outline.imports.filter { ScreenVocabulary.role(ofModule: $0.module) != nil }.map(\.line))
    let types = file.outline.declarations.filter { $0.kind == .type || $0.kind == .protocol }
    let declared = types.compactMap { declaration in
      vocabulary.role(of: declaration).map {
        violation(
          at: path, line: declaration.line, column: declaration.column,
          "a screen's file may not declare the \($0.rawValue) '\(declaration.name)'; \($0.remedy)")
      }
    }
    let used = file.outline.uses.compactMap { use -> SourceViolation? in
      guard !imported.contains(use.line), !file.outline.parameters.contains(use.name),
        let role = vocabulary.role(of: use), seen[use.line, default: []].insert(use.name).inserted
      else { return nil }
      return violation(
        at: path, line: use.line, column: use.column,
        "a screen may not name the \(role.rawValue) '\(use.name)'; \(role.remedy)")
    }
    return declared + used
  }
}

/// A source file with what it declares and where it is.
struct LayeredFile: Sendable {
  let source: ModuleSource
  let outline: SourceOutline
  let place: LayerPlace

  init(_ source: ModuleSource) {
    self.source = source
    outline = SourceOutline(source.text)
    place = LayerPlace(of: source.place)
  }
}

/// The places in which a module's types are declared.
struct LayerIndex: Sendable {
  private struct Member: Hashable {
    var owner: String
    var name: String
  }

  /// The names of all types in Items.
  let items: Set<String>
  private var types: [String: LayerPlace] = [:]
  private var members: [Member: LayerPlace] = [:]

  init(_ files: [LayeredFile]) {
    items = Set(
      files.filter { $0.place == .layer(.items) }.flatMap(\.outline.declarations)
        .filter { $0.kind != .extension }.map(\.name))
    for file in files {
      for declaration in file.outline.declarations where !declaration.isFilePrivate {
        guard declaration.kind != .extension else { continue }
        if declaration.enclosing.isEmpty {
          types[declaration.name] = Self.lower(types[declaration.name], file.place)
        } else if declaration.isInExtension, let owner = declaration.enclosing.last {
          let member = Member(owner: owner, name: declaration.name)
          members[member] = Self.lower(members[member], file.place)
        }
      }
    }
  }

  /// Returns the place of the type that a use names; nil if it is none of the module's.
  func place(of use: SourceOutline.Use, in module: String) -> LayerPlace? {
    if let qualifier = use.qualifier {
      if let member = members[Member(owner: qualifier, name: use.name)] { return member }
      let isModule =
        qualifier == module || ModuleLayer.allCases.contains { qualifier == module + $0.rawValue }
      return isModule ? types[use.name] : nil
    }
    guard !use.isMember else { return nil }
    let own = use.enclosing.reversed().lazy.compactMap { members[Member(owner: $0, name: use.name)] }.first
    return own ?? types[use.name]
  }

  /// A name that two layers declare is that of the lower one.
  private static func lower(_ one: LayerPlace?, _ other: LayerPlace) -> LayerPlace {
    guard let one, one.level <= other.level else { return other }
    return one
  }
}
