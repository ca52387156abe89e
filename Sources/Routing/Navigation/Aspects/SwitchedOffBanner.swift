/// Adds a banner to the screens of a module that is switched off, with a sentence for the user.
///
/// The module does not know of it. Its switch is read when a screen is opened; screens that are open stay as
/// they are. To refuse a module's routes instead, use a `RouteGuard`.
///
/// ```swift
/// let banner = SwitchedOffBanner { module in
///   module == "Mortgage" ? "Loans can't be calculated at the moment." : nil
/// } decorating: { screen, sentence in
///   BannerScreen(screen, sentence)
/// }
/// ```
public struct SwitchedOffBanner: ScreenAspect {
  /// Decoration.
  public let stage = AspectStage.decoration
  private let sentence: @Sendable (String) async -> String?
  private let decorate: @MainActor @Sendable (any Screen, String) -> any Screen

  /// Creates a banner.
  ///
  /// - Parameters:
  ///   - sentence: Returns what the banner of a module's screens says; nil if the module is switched on.
  ///   - decorate: Returns a screen that shows the given one with the sentence, in a form that the app's host
  ///     renders.
  public init(
    _ sentence: @escaping @Sendable (_ module: String) async -> String?,
    decorating decorate: @escaping @MainActor @Sendable (any Screen, String) -> any Screen
  ) {
    self.sentence = sentence
    self.decorate = decorate
  }

  /// Adds the banner, if the screen's module is switched off.
  public func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    guard let module = visit.module, let sentence = await sentence(module) else { return .show(screen) }
    return .show(decorate(screen, sentence))
  }
}
