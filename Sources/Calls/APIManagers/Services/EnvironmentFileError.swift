import Interception

/// The reason that the file of an ``EnvironmentSwitch`` could not be read or written.
package struct EnvironmentFileError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The file, what happened, and the remedy.
  package let description: String

  init(_ description: String) { self.description = description }
}
