/// Why a value is no saved navigation.
public enum NavigationSnapshotError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It was written by code that knows another form.
  case version(Int, known: Int)
  /// It has more than so many entries or stacks.
  case tooMany(String, limit: Int)
  /// A name or a URL has more than so many bytes.
  case tooLong(limit: Int)
  /// Two tabs have this name.
  case repeatedTab(String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .version(let version, let known):
      "The saved navigation has version \(version) and this code reads version \(known); start with none."
    case .tooMany(let what, let limit):
      "The saved navigation has more than \(limit) \(what); it was not written by this code, start with none."
    case .tooLong(let limit):
      "A text in the saved navigation is longer than \(limit) bytes; it was not written by this code, start with none."
    case .repeatedTab(let name):
      "The saved navigation has two tabs “\(name)”; it was not written by this code, start with none."
    }
  }
}
