/// A way in which a module takes what managers and clients load.
public enum HandOver: String, Sendable, CaseIterable {
  /// A manager calls its `APIManagerDelegate`.
  case delegate
  /// The caller awaits a load of a manager or a client, or iterates over updates or items.
  case async
  /// A reader observes the `LoadState` of a manager, or the list of a `Pager`.
  case state

  /// How a module uses it.
  var remedy: String {
    switch self {
    case .delegate: "conform to APIManagerDelegate, and call load() of the manager"
    case .async: "await load(.output) of the manager or of the client"
    case .state: "call load() of the manager, and observe its state"
    }
  }
}

/// The rule that the modules of a team take loads in one way.
public struct HandOverRule: Sendable, Hashable {
  /// The name of the business module.
  public var module: String
  /// The one way that the module may use.
  public var permitted: HandOver

  /// Creates the rule for a business module.
  public init(module: String, permitted: HandOver) {
    self.module = module
    self.permitted = permitted
  }

  /// Returns the uses of another way, by file and position.
  ///
  /// - Parameters:
  ///   - sources: The source files of the module.
  ///   - shared: The source files of the local targets that the module uses, in which aliases and
  ///     containers of managers are declared.
  public func violations(
    in sources: [ModuleSource], using shared: [ModuleSource] = []
  ) -> [SourceViolation] {
    let outlines = sources.map { SourceOutline($0.text) }
    var names = LoadingNames(outlines, using: shared.map { SourceOutline($0.text) })
    return zip(sources, outlines).enumerated().flatMap { file, pair in
      names.findings(in: pair.1, ofFile: file).filter { $0.way != permitted }.map { finding in
        SourceViolation(
          pair.0.path, line: finding.line, column: finding.column,
          "module '\(module)': '\(finding.name)' takes a load by \(finding.way.rawValue), and only "
            + "\(permitted.rawValue) is permitted; \(permitted.remedy)")
      }
    }
  }
}
