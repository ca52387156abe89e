/// The words of a `new-module` command, read without I/O.
public struct NewModuleOptions: Sendable, Hashable {
  /// The name of the module; empty if help is asked for.
  public private(set) var name = ""
  /// Whether the module loads an API.
  public private(set) var withAPI = false
  /// Whether the module has a folder and a type for each layer.
  public private(set) var withLayers = false
  /// Whether nothing is written.
  public private(set) var isDry = false
  /// Whether the help is shown instead.
  public private(set) var showsHelp = false
  /// The given scheme, if any.
  public private(set) var scheme: String?
  /// The name of the folder that holds business modules.
  public private(set) var folder = "Modules"

  private static let known = "--with-api, --layers, --scheme, --modules, --dry-run and --help"
  private static let help = "see swift package new-module --help"

  /// Reads the words after the command's name.
  ///
  /// - Throws: A fault that names the word, if it isn't known, lacks its value or is one name too many.
  public init(_ words: [String]) throws(NewModuleOptionsError) {
    var names: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        names.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (parts[0], parts.count) {
      case ("--help", 1), ("-h", 1): showsHelp = true
      case ("--with-api", 1): withAPI = true
      case ("--layers", 1): withLayers = true
      case ("--dry-run", 1): isDry = true
      case ("--scheme", _): scheme = try Self.value(of: parts, &rest)
      case ("--modules", _): folder = try Self.value(of: parts, &rest)
      case ("--with-api", _), ("--layers", _), ("--dry-run", _), ("--help", _):
        throw NewModuleOptionsError("the option \(parts[0]) takes no value; write it alone")
      default:
        throw NewModuleOptionsError("the option \(parts[0]) is unknown; there are \(Self.known)")
      }
    }
    if showsHelp { return }
    guard let first = names.first else { throw NewModuleOptionsError("give one name; \(Self.help)") }
    guard names.count == 1 else {
      throw NewModuleOptionsError("give one name instead of \(names.joined(separator: ", ")); \(Self.help)")
    }
    name = first
  }

  private static func value(
    of parts: [String], _ rest: inout ArraySlice<String>
  ) throws(NewModuleOptionsError) -> String {
    let value = parts.count > 1 ? parts[1] : rest.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    guard let value, !value.isEmpty else {
      throw NewModuleOptionsError("the option \(parts[0]) needs a value; \(help)")
    }
    if parts.count == 1 { rest.removeFirst() }
    return value
  }
}
