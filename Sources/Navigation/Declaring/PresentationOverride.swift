public import Mediation

/// A caller's override of the presentation style that one screen declares.
struct PresentationOverride: Sendable {
  /// The override of the current task.
  @TaskLocal static var current: PresentationOverride?

  /// The screen that the override applies to; a detour or any other screen on the way keeps its own style.
  enum Target: Sendable, Hashable {
    case route(ObjectIdentifier)
    case url(String)
  }

  let target: Target
  let style: Presentation

  /// Returns the style of a screen: the override, if the current task has one for it, or else the declared
  /// style.
  static func style(of route: Any.Type?, at url: String?, declared: Presentation) -> Presentation {
    guard let requested = current else { return declared }
    let isMeant =
      switch requested.target {
      case .route(let id): route.map { ObjectIdentifier($0) == id } ?? false
      case .url(let text): text == url
      }
    return isMeant ? requested.style : declared
  }

  /// Runs a call with this override.
  func run<Output>(_ call: () async throws(RouteError) -> Output) async throws(RouteError) -> Output {
    let result = await Self.$current.withValue(self) { () async -> Result<Output, RouteError> in
      do throws(RouteError) {
        return .success(try await call())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension Mediator {
  /// Calls a route by value and overrides the presentation style that its screen declares.
  ///
  /// The style applies to that screen only: a login on the way is presented as declared. It has no effect on
  /// a route without a screen.
  @discardableResult
  public func call<R: Route>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationOverride(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Calls a native route and overrides the presentation style that its screen declares.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationOverride(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Opens a URL as code of the app and overrides the presentation style that its screen declares.
  ///
  /// The URL itself never chooses the style. If a guard redirects, the screen of the new target is presented
  /// as declared.
  public func open(_ url: String, as style: Presentation) async throws(RouteError) {
    try await PresentationOverride(target: .url(url), style: style).run { () async throws(RouteError) in
      try await open(url)
    }
  }
}

extension RouteContext {
  /// Calls a route by value and overrides the presentation style that its screen declares.
  @discardableResult
  public func call<R: Route>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationOverride(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Calls a native route and overrides the presentation style that its screen declares.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationOverride(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Opens a URL and overrides the presentation style that its screen declares.
  public func open(_ url: String, as style: Presentation) async throws(RouteError) {
    try await PresentationOverride(target: .url(url), style: style).run { () async throws(RouteError) in
      try await open(url)
    }
  }
}
