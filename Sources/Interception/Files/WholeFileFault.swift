/// The reason why a file can't be read or replaced, without its path.
package struct WholeFileFault: Error, LoggableError, Sendable, Hashable {
  /// A phrase that follows a colon.
  package let reason: String

  /// Creates a fault.
  package init(reason: String) { self.reason = reason }
}
