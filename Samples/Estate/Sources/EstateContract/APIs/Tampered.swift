public import Interception

/// Whether a request's path is changed after signing, to show that the server detects it.
public enum Tampered: ContextKey {
  /// Requests are not changed.
  public static let defaultValue = false
}
