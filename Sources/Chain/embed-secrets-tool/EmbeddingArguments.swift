/// The parsed command line.
struct EmbeddingArguments: Sendable, Hashable {
  static let usage = """
    usage: embed-secrets-tool --list FILE --package FOLDER --home FOLDER --output FILE [--] PLANNED...
    """

  static let help = """
    \(usage)

    Writes Swift code with the secrets that a list names, each in shares that give it only together.

      --list FILE       a line NAME = PATH for each secret
      --package FOLDER  the folder of the package, for paths that begin with ../
      --home FOLDER     the home folder, for paths that begin with ~/
      --output FILE     the Swift file to write
      PLANNED           the files that the build watches for changes
      --help            show this help and exit

    Each fault is printed as `list:line: error: ...` on standard output, and no secret ever is.

    Exit codes: 0 written, 1 a list or a secret that is refused, 64 wrong usage, 66 a list that can't be read,
    73 an output that can't be written.
    """

  var list: String
  var package: String
  var home: String
  var output: String
  var planned: Set<String>

  /// Parses a command line without the program's name, or returns nil if it requests help.
  static func parse(_ words: some Sequence<String>) throws(UsageError) -> EmbeddingArguments? {
    var values: [String: String] = [:]
    var planned: Set<String> = []
    var rest = words.makeIterator()
    while let word = rest.next() {
      switch word {
      case "--help", "-h": return nil
      case "--list", "--package", "--home", "--output":
        guard let value = rest.next(), !value.isEmpty else {
          throw UsageError("\(word) needs a value after it")
        }
        values[word] = value
      case "--": while let file = rest.next() { planned.insert(file) }
      case _ where word.hasPrefix("-"): throw UsageError("unknown option \(word)")
      default: planned.insert(word)
      }
    }
    func value(_ option: String) throws(UsageError) -> String {
      guard let value = values[option] else { throw UsageError("\(option) is missing") }
      return value
    }
    return EmbeddingArguments(
      list: try value("--list"), package: try value("--package"), home: try value("--home"),
      output: try value("--output"), planned: planned)
  }
}

/// The reason that a command line is not valid.
struct UsageError: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
