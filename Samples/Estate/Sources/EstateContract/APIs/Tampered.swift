import Interception

/// Whether a request's path is changed after signing, to show that the server detects it.
package enum Tampered: ContextKey {
  package static let defaultValue = false
}
