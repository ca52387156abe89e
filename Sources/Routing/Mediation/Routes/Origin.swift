/// The caller of a URL.
public enum Origin: Sendable, Hashable {
  /// Code in the app.
  ///
  /// The module is known if the call is made through that module's `RouteContext`.
  case native(module: String?)
  /// A source outside the app's code.
  case external(LinkSource)

  /// Whether the caller is outside the app's code.
  public var isExternal: Bool {
    if case .external = self { true } else { false }
  }
}
