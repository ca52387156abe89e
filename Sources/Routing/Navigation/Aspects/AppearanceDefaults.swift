/// Sets what screens leave open, such as colors and margins, before they are shown.
///
/// It applies to screens of one type, which is normally a protocol that the app's screens conform to.
///
/// ```swift
/// let defaults = AppearanceDefaults(for: (any TintedScreen).self) { screen in
///   if screen.tint == nil { screen.tint = "teal" }
/// }
/// ```
public struct AppearanceDefaults: ScreenAspect {
  /// Appearance.
  public let stage = AspectStage.appearance
  /// The name, with the type of the screens.
  public let name: String
  private let apply: @MainActor @Sendable (any Screen) -> any Screen

  /// Creates defaults.
  ///
  /// - Parameters:
  ///   - type: The type of the screens; others stay as they are.
  ///   - apply: Changes a screen.
  public init<Styled>(
    for type: Styled.Type, _ apply: @escaping @MainActor @Sendable (inout Styled) -> Void
  ) {
    name = "AppearanceDefaults of \(type)"
    self.apply = { screen in
      guard var styled = screen as? Styled else { return screen }
      apply(&styled)
      return styled as? any Screen ?? screen
    }
  }

  /// Applies the defaults.
  public func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    .show(apply(screen))
  }
}
