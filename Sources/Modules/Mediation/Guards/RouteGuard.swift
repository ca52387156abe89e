/// A condition for opening routes: logged in, of age, feature enabled.
///
/// Use a guard if several routes share a condition or if the user must do something first. Use `exposure` to
/// restrict the callers, and the route's own code for a condition of that route alone. A guard that throws
/// refuses the call.
public protocol RouteGuard: Sendable {
  /// The guard's name in errors and events, unique in a mediator.
  var id: String { get }
  /// Guards with a higher priority run first, those with equal priority by id; 0 by default.
  var priority: Int { get }
  /// The maximum time for a decision; nil by default, which means no limit.
  ///
  /// A detour that the guard requests does not count. A guard that exceeds the deadline is cancelled and no
  /// longer awaited, and the call ends in `RouteError.overdue`.
  var deadline: Duration? { get }
  /// Decides about a route that matches, is exposed to the caller and has valid parameters.
  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict
}

extension RouteGuard {
  /// 0.
  public var priority: Int { 0 }
  /// No deadline.
  public var deadline: Duration? { nil }
}

extension [any RouteGuard] {
  /// The guards in the order in which they run.
  var ordered: [any RouteGuard] {
    sorted { ($1.priority, $0.id) < ($0.priority, $1.id) }
  }
}

/// The decision of a guard about a call.
public enum GuardVerdict: Sendable, Hashable {
  /// Continue.
  case proceed
  /// Open this URL instead, for the same caller with the same permissions.
  case redirect(String)
  /// Refuse the call for this reason, which the caller receives.
  case reject(String)
  /// Open this URL first, whose route must return `Bool`, and continue if the result is true.
  ///
  /// Concurrent calls that need the same detour share it.
  case detour(String)
}

/// The facts about a route that is about to be opened, for guards and observers.
public struct RouteSummary: Sendable {
  let route: RegisteredRoute
  let place: CallPlace
  /// The pattern of the URL; nil for a native route.
  let matched: RoutePattern?

  /// The URL of the call, or the URL that the typed route writes; nil if it has none.
  public var url: String? { place.url?.text }
  private var input: RouteInput? {
    guard let matched, let url = place.url else { return nil }
    return RouteInput(url, matching: matched)
  }

  /// The name of the route's type.
  public var name: String { route.name }
  /// The module that declares the route.
  public var module: String { route.module }
  /// The route's pattern; nil for a native route.
  public var pattern: RoutePattern? { route.pattern }
  /// The text of each parameter by placeholder; the first segment of a tail; empty for a native route.
  ///
  /// The first value of a repeated query field; `values(of:)` returns all of them.
  public var parameters: [String: String] { input?.firstTexts() ?? [:] }
  /// The callers that may reach the route by a URL; nil for a native route.
  public var exposure: Exposure? { route.exposure }
  /// The name of the route's output type.
  public var output: String { route.declaration.output }

  /// Returns the texts of a placeholder: all values of a repeated query field, or all segments of a tail.
  ///
  /// Empty if the URL has no value for it.
  public func values(of name: String) -> [String] { (try? input?.all(name)) ?? [] }
}

extension RouteSummary: Hashable {
  /// Whether both are the same route of the same mediator at the same URL.
  public static func == (left: RouteSummary, right: RouteSummary) -> Bool {
    left.route === right.route && left.url == right.url && left.matched == right.matched
  }

  /// Hashes the route's identity and the URL.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(route))
    hasher.combine(url)
  }
}
