/// The failure of the `openssl` command.
package struct OpenSSLCommandError: Error, CustomStringConvertible {
  /// The problem and its remedy.
  package let description: String

  init(_ sentence: String) { description = sentence }
}
