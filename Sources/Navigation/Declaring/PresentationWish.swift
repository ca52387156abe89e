public import Mediation

/// How the code that calls wants one screen to enter, in place of its declaration.
struct PresentationWish: Sendable {
  /// The wish of the task that runs.
  @TaskLocal static var current: PresentationWish?

  /// Which screen is meant: a detour or another screen on the way keeps its own style.
  enum Target: Sendable, Hashable {
    case route(ObjectIdentifier)
    case url(String)
  }

  let target: Target
  let style: Presentation

  /// The style of a screen that was declared with another.
  static func style(of route: Any.Type?, at url: String?, declared: Presentation) -> Presentation {
    guard let wish = current else { return declared }
    let isMeant =
      switch wish.target {
      case .route(let id): route.map { ObjectIdentifier($0) == id } ?? false
      case .url(let text): text == url
      }
    return isMeant ? wish.style : declared
  }

  /// Runs a call with the wish.
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
  /// Calls a route by value and chooses how its screen enters, whatever its declaration says.
  ///
  /// The style is for that screen alone: a login on the way enters as declared. A route without a screen
  /// takes no notice.
  @discardableResult
  public func call<R: Route>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationWish(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Calls a native route and chooses how its screen enters, whatever its declaration says.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationWish(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Opens a URL as code of the app and chooses how its screen enters, whatever its declaration says.
  ///
  /// The URL itself can never choose. If guards redirect, the screen that is shown in its place enters as
  /// declared.
  public func open(_ url: String, as style: Presentation) async throws(RouteError) {
    try await PresentationWish(target: .url(url), style: style).run { () async throws(RouteError) in
      try await open(url)
    }
  }
}

extension RouteContext {
  /// Calls a route by value and chooses how its screen enters, whatever its declaration says.
  @discardableResult
  public func call<R: Route>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationWish(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Calls a native route and chooses how its screen enters, whatever its declaration says.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await PresentationWish(target: .route(ObjectIdentifier(R.self)), style: style).run {
      () async throws(RouteError) in try await call(route)
    }
  }

  /// Opens a URL and chooses how its screen enters, whatever its declaration says.
  public func open(_ url: String, as style: Presentation) async throws(RouteError) {
    try await PresentationWish(target: .url(url), style: style).run { () async throws(RouteError) in
      try await open(url)
    }
  }
}
