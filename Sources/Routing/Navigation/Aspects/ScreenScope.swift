public import Mediation

/// A set of screens, by module, route or a predicate.
public struct ScreenScope: Sendable {
  enum Rule: Sendable {
    case module(String)
    case route(ObjectIdentifier, name: String)
    case predicate(@Sendable (ScreenVisit) -> Bool)
  }

  let rule: Rule

  /// The screens of a module; a mediator without such a module is a fault.
  public static func module(_ name: String) -> ScreenScope { ScreenScope(rule: .module(name)) }

  /// The screens of a route; a mediator without such a route is a fault.
  public static func route<R: Route>(_ route: R.Type) -> ScreenScope {
    ScreenScope(rule: .route(ObjectIdentifier(route), name: String(describing: route)))
  }

  /// The screens of a native route.
  public static func route<R: NativeRoute>(_ route: R.Type) -> ScreenScope {
    ScreenScope(rule: .route(ObjectIdentifier(route), name: String(describing: route)))
  }

  /// The screens for which a predicate is true; it is called once for each screen.
  public static func `where`(_ predicate: @escaping @Sendable (ScreenVisit) -> Bool) -> ScreenScope {
    ScreenScope(rule: .predicate(predicate))
  }

  /// Returns whether a screen belongs to the scope.
  func contains(_ visit: ScreenVisit) -> Bool {
    switch rule {
    case .module(let name): visit.module == name
    case .route(let type, _): visit.type == type
    case .predicate(let predicate): predicate(visit)
    }
  }

  /// Whether both scopes name the same module or route.
  func certainlyEquals(_ other: ScreenScope) -> Bool {
    switch (rule, other.rule) {
    case (.module(let name), .module(let otherName)): name == otherName
    case (.route(let type, _), .route(let otherType, _)): type == otherType
    default: false
    }
  }
}

extension ScreenAspect {
  /// Returns the aspect limited to some screens; it has the same stage and name.
  ///
  /// ```swift
  /// let aspects = try ScreenAspects([
  ///   WideMargins().only(for: .module("Help")),
  ///   ScreenLog(log: logger).only(for: .where { !$0.isRestored }),
  /// ])
  /// ```
  ///
  /// A limit on a limited aspect applies in addition.
  public func only(for scope: ScreenScope) -> some ScreenAspect { LimitedAspect(base: self, scope: scope) }
}

/// An aspect with a limit, as the list of aspects sees it.
protocol LimitableAspect: ScreenAspect {
  /// The aspect without any limit.
  var unlimited: any ScreenAspect { get }
  /// All limits.
  var scopes: [ScreenScope] { get }
}

/// An aspect that is limited to some screens.
///
/// ``ScreenAspects`` takes it apart; its methods are for those that call it directly, such as tests.
private struct LimitedAspect<Base: ScreenAspect>: LimitableAspect {
  let base: Base
  let scope: ScreenScope

  var stage: AspectStage { base.stage }
  var name: String { base.name }
  var unlimited: any ScreenAspect { (base as? any LimitableAspect)?.unlimited ?? base }
  var scopes: [ScreenScope] { ((base as? any LimitableAspect)?.scopes ?? []) + [scope] }

  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    guard scope.contains(visit) else { return .show(screen) }
    return try await base.prepare(screen, for: visit)
  }

  func observe(_ event: ScreenEvent) {
    if scope.contains(event.visit) { base.observe(event) }
  }

  func cover(for visit: ScreenVisit) -> (any Screen)? {
    scope.contains(visit) ? base.cover(for: visit) : nil
  }
}
