/// Who asks for a URL.
public enum Origin: Sendable, Hashable {
  /// Code of the app; the module is known when the call is made through that module's `RouteContext`.
  case native(module: String?)
  /// Something outside the app's code.
  case external(LinkSource)

  /// Whether the caller is outside the app's code.
  public var isExternal: Bool {
    if case .external = self { true } else { false }
  }
}
