extension NavigationSnapshot {
  /// The reason that a value is not a valid navigation snapshot.
  public enum FormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The snapshot was written in another version of the format.
    case version(Int, known: Int)
    /// The snapshot exceeds the maximum number of entries or stacks.
    case tooMany(String, limit: Int)
    /// A name or a URL exceeds the maximum number of bytes.
    case tooLong(limit: Int)
    /// Two tabs have this name.
    case repeatedTab(String)

    /// The problem and its remedy.
    public var description: String {
      switch self {
      case .version(let version, let known):
        "The saved navigation has version \(version) and this code reads version \(known); discard it."
      case .tooMany(let what, let limit):
        "The saved navigation has more than \(limit) \(what); it was not written by this code; discard it."
      case .tooLong(let limit):
        "A text in the saved navigation is longer than \(limit) bytes; it was not written by this code; discard it."
      case .repeatedTab(let name):
        "The saved navigation has two tabs named \"\(name)\"; it was not written by this code; discard it."
      }
    }
  }
}
