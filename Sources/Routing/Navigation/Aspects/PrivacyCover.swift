/// Hides screens while the app is in the background, when the system takes pictures of it.
///
/// The cover stands in for the screen from `LifecycleEvent.background` to `.foreground`, which the app
/// delivers to its mediator. The host is asked to render both times and calls nothing new.
///
/// ```swift
/// let cover = PrivacyCover { _ in Curtain() }.only(for: .module("Account"))
/// ```
public struct PrivacyCover: ScreenAspect {
  /// Privacy.
  public let stage = AspectStage.privacy
  private let make: @MainActor @Sendable (ScreenVisit) -> any Screen

  /// Creates a cover.
  ///
  /// - Parameter make: Returns the screen that is shown in the background instead.
  public init(_ make: @escaping @MainActor @Sendable (ScreenVisit) -> any Screen) { self.make = make }

  /// Returns the cover.
  public func cover(for visit: ScreenVisit) -> (any Screen)? { make(visit) }
}
