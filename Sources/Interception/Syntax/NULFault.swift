/// The fault of a text that contains a null byte, at which C functions end it.
///
/// A path would lead to another file, and a passphrase would be a shorter one.
package struct NULFault: Error, LoggableError, Sendable, Hashable {
  /// What the text is, with the article: "The path of the file to send".
  package let name: String
}

extension NULFault: CustomStringConvertible {
  /// The name and the remedy, without the text, which may be secret.
  package var description: String { "\(name) contains a null byte; remove it." }
}

extension String {
  /// Whether C functions receive the text as a whole, because it contains no null byte.
  package var isWholeInC: Bool { !utf8.contains(0) }

  /// Checks that C functions receive the text as a whole.
  ///
  /// Every text from an app or a file is checked where it becomes a C string, before anything is done.
  ///
  /// - Parameter name: What the text is, as in ``NULFault/name``.
  package func checkWhole(as name: String) throws(NULFault) {
    guard isWholeInC else { throw NULFault(name: name) }
  }
}
