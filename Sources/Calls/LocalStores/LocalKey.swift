#if SQLite
/// The typed name of a value in a ``LocalStore``, with the value that it has before one is set.
///
/// ```swift
/// let theme = LocalKey("theme", default: "light")
/// let draft = LocalKey<String?>("draft", default: nil, written: .atBackground)
/// ```
public struct LocalKey<Value: Codable & Sendable>: Sendable {
  /// The name, unique in the store.
  package let name: String
  /// What is read before a value is set.
  package let defaultValue: Value
  /// When a value is written.
  package let writeTime: LocalWriteTime

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - name: The name, which stays the same in all versions of the app; not empty, without a null byte.
  ///   - defaultValue: What is read before a value is set, and after it was removed.
  ///   - writeTime: When a value is written.
  public init(_ name: String, default defaultValue: Value, written writeTime: LocalWriteTime = .now) {
    self.name = name
    self.defaultValue = defaultValue
    self.writeTime = writeTime
  }
}

/// When a value or an item is written to the file of a ``LocalStore``.
public enum LocalWriteTime: Sendable, Hashable {
  /// Before the call returns: what the app can't get again. It survives the end of the process and a loss of
  /// power.
  case now
  /// With others that wait: when the app calls `flush()` in the background, when the store is closed, or
  /// after the limits' delay. The end of the process before that loses it.
  case atBackground
}
#endif
