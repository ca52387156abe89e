#if SQLite

/// Why the file of an activity log, of a queue of mutations or of a local store can't be used.
///
/// Cases are added in major versions only.
public enum QueueFileFault: Sendable, Hashable {
  /// Another log, queue or store, of this process or of another one, has the file open.
  case occupied
  /// The disk, the user's quota or the file's maximum size is exhausted; what was stored before is kept.
  case full
  /// The file was found damaged while it was in use; the next start sets it aside.
  case damaged
  /// The file belongs to another program, user or account, or to a newer version of this library or of the
  /// app's schema; or it is a link, by which another file would be written.
  case foreign
  /// The file or its folder can't be written.
  case notWritable
  /// The file was deleted or replaced while it was open.
  case replaced
  /// The log, queue or store was closed.
  case closed
  /// Any other failure of the file.
  case unusable
}
#endif
