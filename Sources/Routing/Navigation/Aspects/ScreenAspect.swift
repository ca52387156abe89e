/// Configures and observes screens from outside; the modules that make the screens do not know of it.
///
/// An aspect is to screens what an interceptor is to requests. The app lists its aspects once, in
/// ``ScreenAspects``, and the navigator calls them for every screen that they apply to:
///
/// 1. Before a screen is shown, ``prepare(_:for:)`` decorates it, replaces it or vetoes it.
/// 2. While it is open, ``observe(_:)`` receives its life-cycle events.
/// 3. While the app is in the background, ``cover(for:)`` may stand in for it.
///
/// Use an aspect for what concerns the screens of several modules: statistics, a banner, a cover, defaults
/// of the appearance. Use a `RouteGuard` for a condition of opening a route, which also protects actions and
/// runs before the screen is made, a `RouteObserver` to record calls, and the screen itself for what it alone
/// does.
///
/// ```swift
/// struct ScreenLog: ScreenAspect {
///   let stage = AspectStage.observation
///   let log: Logger
///
///   func observe(_ event: ScreenEvent) {
///     log.info("\(event.visit.route ?? "a screen") \(event.kind), \(event.timeOnScreen) on screen")
///   }
/// }
/// ```
///
/// An aspect does not navigate: while it is asked about a screen it can show no other one, and while it
/// observes an event it can perform no command. Both throw a ``NavigationError`` that names the aspect. A
/// task that it starts can do so afterwards.
public protocol ScreenAspect: Sendable {
  /// The place among the aspects.
  var stage: AspectStage { get }
  /// The name in errors and faults; the name of the type by default.
  var name: String { get }
  /// Decides about a screen that is about to be shown; shows it unchanged by default.
  ///
  /// Called once for each screen of a route or a fallback, after the route's code has made it, and before it
  /// is shown, restored or placed below a screen that a link opens. A screen that
  /// ``Navigator/show(_:named:url:style:)`` shows is not prepared, because that call does not wait.
  ///
  /// - Parameters:
  ///   - screen: The screen as the earlier aspects left it.
  ///   - visit: What is known of the screen, and where the user comes from.
  /// - Throws: Any error; the screen is not shown, and its caller receives ``ScreenAspectError``.
  @MainActor func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict
  /// Receives the life-cycle events of a screen; does nothing by default.
  @MainActor func observe(_ event: ScreenEvent)
  /// Returns the screen to show instead while the app is in the background; nil by default.
  ///
  /// If several aspects return one, that of the last stage is shown.
  @MainActor func cover(for visit: ScreenVisit) -> (any Screen)?
}

extension ScreenAspect {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
  /// Shows the screen unchanged.
  @MainActor public func prepare(
    _ screen: any Screen, for visit: ScreenVisit
  ) async throws -> ScreenVerdict { .show(screen) }
  /// Does nothing.
  @MainActor public func observe(_ event: ScreenEvent) {}
  /// Nil.
  @MainActor public func cover(for visit: ScreenVisit) -> (any Screen)? { nil }
}

/// The decision of an aspect about a screen.
public enum ScreenVerdict: Sendable {
  /// Show this screen: the given one, one that decorates it, or another one.
  case show(any Screen)
  /// Show none, for this reason, which the caller receives in `ScreenAspectError.vetoed`.
  case veto(any Error)
}
