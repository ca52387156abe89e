/// The words of a `verify-modules` command, read without I/O.
public struct VerificationOptions: Sendable, Hashable {
  /// The names of the folders that hold business modules; empty for the usual one.
  public private(set) var folders: [String] = []
  /// Whether the layers inside the modules are checked.
  public private(set) var checksLayers = false
  /// The only way in which the modules may take loads; nil if all are permitted.
  public private(set) var handOver: HandOver?
  /// Whether only the violations are printed.
  public private(set) var isQuiet = false
  /// Whether the help is shown instead.
  public private(set) var showsHelp = false

  private static let help = "see swift package verify-modules --help"

  /// Reads the words after the command's name.
  ///
  /// - Throws: A fault that names the word, if it isn't known, lacks its value or contradicts another one.
  public init(_ words: [String]) throws(VerificationOptionsError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (parts.first, parts.count) {
      case ("--help", 1), ("-h", 1): showsHelp = true
      case ("--layers", 1): checksLayers = true
      case ("--quiet", 1): isQuiet = true
      case ("--modules", _): folders.append(try Self.value(of: parts, &rest))
      case ("--hand-over", _): try permit(try Self.value(of: parts, &rest))
      case ("--help", _), ("--layers", _), ("--quiet", _):
        throw VerificationOptionsError("the option \(parts[0]) takes no value; write it alone")
      default: throw VerificationOptionsError("unknown argument \(word); \(Self.help)")
      }
    }
  }

  private mutating func permit(_ word: String) throws(VerificationOptionsError) {
    guard let way = HandOver(rawValue: word) else {
      throw VerificationOptionsError(
        "--hand-over \(word) is unknown; there are \(HandOver.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    guard handOver == nil || handOver == way else {
      throw VerificationOptionsError("--hand-over permits one way; choose one of the two")
    }
    handOver = way
  }

  private static func value(
    of parts: [String], _ rest: inout ArraySlice<String>
  ) throws(VerificationOptionsError) -> String {
    let value = parts.count > 1 ? parts[1] : rest.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    guard let value, !value.isEmpty else {
      throw VerificationOptionsError("the option \(parts[0]) needs a value; \(help)")
    }
    if parts.count == 1 { rest.removeFirst() }
    return value
  }
}

/// Why the words of a `verify-modules` command can't be read.
public struct VerificationOptionsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The word at fault, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
