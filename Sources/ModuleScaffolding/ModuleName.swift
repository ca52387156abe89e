/// The name of a business module that is about to be made.
public struct ModuleName: Sendable, Hashable, CustomStringConvertible {
  /// Why a text can't be a module's name.
  public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is no name of a module and of types at once.
    case notAnIdentifier(String)
    /// Swift or a module of the system has the name.
    case system(String)
    /// It ends as the names of the targets that belong to a module.
    case reservedEnding(String, ending: String)
    /// A target or product has a name that the module's targets need; letters' case does not tell them apart.
    case taken(String, by: String)

    /// What is wrong, and what to choose.
    public var description: String {
      switch self {
      case .notAnIdentifier(let text):
        "'\(text)' is no module's name; begin with a capital letter A to Z and go on with letters and digits, as in Offers"
      case .system(let text):
        "'\(text)' is the name of a module of Swift or the system; choose another one"
      case .reservedEnding(let text, let ending):
        "'\(text)' ends in \(ending), as the targets beside a module do; give the module's name alone"
      case .taken(let text, let other):
        "'\(text)' is taken: the package knows '\(other)' already; choose another name"
      }
    }
  }

  /// The name: `Offers`.
  public let text: String

  /// Checks a name.
  ///
  /// - Parameter taken: The names of all targets and products that the package knows.
  public init(_ text: String, taken: some Sequence<String>) throws(Fault) {
    let isIdentifier = text.utf8.enumerated().allSatisfy { position, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): position > 0
      default: false
      }
    }
    guard isIdentifier, !text.isEmpty, text.utf8.count <= 64 else { throw .notAnIdentifier(text) }
    for ending in ["Routes", "Tests", "Module"] where text.hasSuffix(ending) {
      throw .reservedEnding(text, ending: ending)
    }
    if SystemModules.names.contains(where: { $0.lowercased() == text.lowercased() }) { throw .system(text) }
    let needed = [text, "\(text)Routes", "\(text)Tests"].map { $0.lowercased() }
    if let other = taken.first(where: { needed.contains($0.lowercased()) }) { throw .taken(text, by: other) }
    self.text = text
  }

  /// The name.
  public var description: String { text }

  /// The name as the host of a URL: `MyOffers` gives `my-offers`.
  var host: String {
    var host = ""
    var previous: Character = "A"
    for character in text {
      if character.isUppercase, !previous.isUppercase { host += "-" }
      host += character.lowercased()
      previous = character
    }
    return host
  }

  /// The target with the module's typed routes.
  public var contract: String { "\(text)Routes" }
  /// The target with the module's tests.
  public var tests: String { "\(text)Tests" }
}
