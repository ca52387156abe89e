#if SQLite
/// A change of a ``LocalStore``, as the readers of its changes receive it.
public enum LocalChange: Sendable, Hashable {
  /// The value of a key was set or removed.
  case value(key: String)
  /// Items of a collection were put or removed.
  case items(collection: String)
  /// Items of a collection were removed, because the store needed room.
  case evicted(collection: String, count: Int)
  /// Changes that wait could not be written, for example because the disk is full. They still wait.
  case unwritten(reason: String)
}
#endif
