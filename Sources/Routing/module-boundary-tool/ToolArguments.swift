import ImportScanning

/// The parsed command line.
struct ToolArguments: Sendable, Hashable {
  static let usage = """
    usage: module-boundary-tool --module NAME --stamp FILE [--forbid NAME[=CONTRACT]]... [--] FILE...
    """

  static let help = """
    \(usage)

    Fails if a Swift source file of a business module imports a module that it may not import.

      --module NAME             the business module that the files belong to
      --stamp FILE              the Swift file to write if no file breaks the rule; left unchanged if it
                                already has the contents
      --forbid NAME[=CONTRACT]  a module that may not be imported, and the target with its typed routes
                                if there is one; can be repeated
      --help                    show this help and exit

    Each forbidden import is printed as `path:line:column: error: ...` on standard output.

    Exit codes: 0 clean, 1 a forbidden import, 64 wrong usage, 66 a source file that can't be read,
    73 a stamp that can't be written.
    """

  var rule: BoundaryRule
  var stamp: String
  var sources: [String]

  /// Parses a command line without the program's name, or returns nil if it requests help.
  static func parse(_ words: some Sequence<String>) throws(UsageError) -> ToolArguments? {
    var (module, stamp): (String?, String?)
    var forbidden: [ForbiddenModule] = []
    var sources: [String] = []
    var rest = words.makeIterator()

    func value(of option: String) throws(UsageError) -> String {
      guard let value = rest.next(), !value.isEmpty else { throw .missingValue(option) }
      return value
    }

    while let word = rest.next() {
      switch word {
      case "--help", "-h": return nil
      case "--module": module = try value(of: word)
      case "--stamp": stamp = try value(of: word)
      case "--forbid": forbidden.append(try forbiddenModule(value(of: word)))
      case "--": while let source = rest.next() { sources.append(source) }
      case _ where word.hasPrefix("-"): throw .unknownOption(word)
      default: sources.append(word)
      }
    }
    guard let module else { throw .missingOption("--module") }
    guard let stamp else { throw .missingOption("--stamp") }
    guard !sources.isEmpty else { throw .noSources }
    let rule = BoundaryRule(module: module, forbidden: forbidden)
    return ToolArguments(rule: rule, stamp: stamp, sources: sources)
  }

  private static func forbiddenModule(_ text: String) throws(UsageError) -> ForbiddenModule {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains("") else { throw .malformedModule(text) }
    return ForbiddenModule(name: parts[0], contract: parts.count == 2 ? parts[1] : nil)
  }
}

/// The reason that a command line is not valid.
enum UsageError: Error, Hashable, CustomStringConvertible {
  case missingOption(String)
  case missingValue(String)
  case unknownOption(String)
  case malformedModule(String)
  case noSources

  var description: String {
    switch self {
    case .missingOption(let option): "\(option) is missing"
    case .missingValue(let option): "\(option) needs a value after it"
    case .unknownOption(let option): "unknown option \(option); write -- before a file of that name"
    case .malformedModule(let text): "--forbid \(text): expected NAME or NAME=CONTRACT"
    case .noSources: "no source file is given"
    }
  }
}
