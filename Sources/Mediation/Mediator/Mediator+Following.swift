extension Mediator {
  /// Follows redirects and guards to the route and runs it; returns nil if the route was shown.
  ///
  /// - Parameter expected: The type that the caller expects; nil if it does not use the result.
  func follow(
    _ first: Destination, _ caller: Caller, expecting expected: (any Any.Type)?
  ) async throws(RouteError) -> (any Sendable)? {
    // A call uses the rules it began with, even if they change meanwhile.
    let rules = redirector?.snapshot()
    var destination = first
    var caller = caller
    var trail: [String] = []
    while true {
      let target: RouteTarget
      do throws(RouteError) {
        if let rules, let redirect = try redirect(destination, by: rules, for: caller.origin) {
          trail.append(redirect.from)
          if trail.count > Self.maximumRedirects { throw .redirectLoop(trail + [redirect.to]) }
          observe(
            .redirected(from: redirect.from, to: redirect.to, rule: redirect.rule, version: rules.version))
          destination = .url(redirect.to)
          caller.attachment = nil
          continue
        }
        target = try find(destination, caller)
      } catch {
        guard let text = destination.text else {
          throw failure(error, nil, destination.name, caller.origin)
        }
        return try await fallBack(text, asked: trail.first ?? text, error, caller)
      }
      let route = target.route
      do {
        if trail.count > Self.maximumRedirects { throw RouteError.redirectLoop(trail + [target.label]) }
        if let expected, !route.declaration.returns(expected) {
          throw RouteError.resultMismatch(
            expected: String(describing: expected), got: route.declaration.output)
        }
        if let url = try await runGuards(target, caller) {
          trail.append(target.label)
          destination = .url(url)
          caller.attachment = nil
          continue
        }
        return try await run(target, caller)
      } catch {
        throw failure(Self.routeError(error), target.text, route.name, caller.origin)
      }
    }
  }

  private func find(_ destination: Destination, _ caller: Caller) throws(RouteError) -> RouteTarget {
    switch destination {
    case .target(let known): return known
    case .url(let text):
      // Checked before the parameters are read, so that their faults reveal nothing about unlisted routes.
      if let allowed = caller.allowed, (try? RouteURL(text)) != nil {
        guard let match = lookUp(text) else { throw .notFound(url: text) }
        if !allowed.contains(match.registered.declaration.type) {
          throw .forbidden(url: text, origin: caller.origin)
        }
      }
      return try locate(text, caller.origin)
    }
  }

  /// Runs the guards, and returns the URL to redirect to, or nil to continue.
  private func runGuards(_ target: RouteTarget, _ caller: Caller) async throws -> String? {
    if target.route.guards.isEmpty {
      try Task.checkCancellation()
      return nil
    }
    // A guard is code of the app, so the URLs that it opens do not get the rights of the target's module.
    let context = context(target, caller, module: nil)
    let summary = target.summary
    for candidate in target.route.guards {
      try Task.checkCancellation()
      let verdict = try await decision(of: candidate, on: summary, context)
      observe(.verdict(verdict, by: candidate.id, summary))
      switch verdict {
      case .proceed: continue
      case .redirect(let url): return url
      case .reject(let reason): throw RouteError.rejected(by: candidate.id, reason: reason)
      case .detour(let url): try await detour(url, for: candidate.id, target, caller)
      }
    }
    try Task.checkCancellation()
    return nil
  }

  private func detour(
    _ url: String, for guardID: String, _ target: RouteTarget, _ caller: Caller
  ) async throws(RouteError) {
    let detour = Caller(
      origin: .native(module: nil), opener: target.label, wantsResult: true, ownTime: caller.ownTime)
    let answer: Bool
    do throws(RouteError) {
      answer = try await detours.join(url) { await self.answer(url, detour) }
    } catch {
      switch error {
      case .cancelled, .redirectLoop: throw error
      case .dismissed:
        throw .rejected(by: guardID, reason: "the user left \(RouteURL.shown(url)) without an answer.")
      default: throw .rejected(by: guardID, reason: "\(RouteURL.shown(url)) failed. \(error)")
      }
    }
    if !answer { throw .rejected(by: guardID, reason: "\(RouteURL.shown(url)) returned false.") }
  }

  private func answer(_ url: String, _ caller: Caller) async -> Result<Bool, RouteError> {
    do throws(RouteError) {
      return .success(try await open(url, returning: Bool.self, caller: caller))
    } catch {
      return .failure(error)
    }
  }

  private func run(_ target: RouteTarget, _ caller: Caller) async throws -> (any Sendable)? {
    observe(.opened(target.summary, origin: caller.origin, opener: caller.opener))
    defer { caller.progress?.end() }
    let answer: (any Sendable)?
    do {
      let context = context(target, caller, module: target.route.module)
      // Time spent in another module's route does not count towards the module that handles a life-cycle
      // event.
      answer = try await OwnTime.exclude(from: caller.ownTime, clock) {
        try await target.route.declaration.run(target.value, context)
      }
    } catch {
      throw Self.bodyError(error)
    }
    observe(.answered(target.summary))
    return answer
  }

  private func context(_ target: RouteTarget, _ caller: Caller, module: String?) -> RouteContext {
    RouteContext(
      mediator: self, module: module, origin: caller.origin, opener: caller.opener, url: target.input?.url,
      wantsResult: caller.wantsResult, here: target.label, progress: caller.progress,
      allowed: caller.allowed, attachment: caller.attachment)
  }

  /// Runs the fallbacks for a URL that no route matches, or throws.
  ///
  /// - Parameter asked: The URL before redirects; errors for an external caller mention no other URL.
  func fallBack(
    _ text: String, asked: String, _ error: RouteError, _ caller: Caller
  ) async throws(RouteError) -> (any Sendable)? {
    if caller.allowed != nil {
      _ = failure(error, text, nil, caller.origin)
      throw error.isLackOfAnswer ? .notFound(url: asked) : error
    }
    guard let head = try? URLHead(text) else { throw failure(error, text, nil, caller.origin) }
    var answer = error
    var isUnreadable = false
    switch error {
    case .notFound where caller.origin.isExternal, .forbidden where caller.origin.isExternal:
      answer = .notFound(url: asked)
    case .notFound: break
    // A URL that does not conform to the profile may still be a page of the web site.
    case .malformedURL where head.isWeb: isUnreadable = true
    default: throw failure(error, text, nil, caller.origin)
    }
    let unrouted = UnroutedURL(
      text: text, url: try? RouteURL(text, head: head), scheme: head.scheme, host: head.host, error: answer)
    var chain = registry.fallbacks(for: unrouted, from: caller.origin).map {
      ($0.fallback, String?.some($0.module))
    }
    if head.isWeb, let web { chain.append((web, nil)) }
    if !isUnreadable, let notFound { chain.append((notFound, nil)) }
    if !chain.isEmpty { observe(.fellBack(url: text, origin: caller.origin, error)) }
    for (fallback, module) in chain {
      let context = RouteContext(
        mediator: self, module: module, origin: caller.origin, opener: caller.opener,
        url: unrouted.url, wantsResult: caller.wantsResult, here: text, attachment: caller.attachment)
      do {
        return try await fallback.run(unrouted, context)
      } catch is RouteFallback.DeclinedError {
        continue
      } catch {
        throw failure(Self.bodyError(error), text, nil, caller.origin)
      }
    }
    observe(.failed(url: text, name: nil, origin: caller.origin, error))
    throw answer
  }

  /// Converts an error of a route's code; errors of calls that the code made count as its own failures.
  private static func bodyError(_ error: any Error) -> RouteError {
    switch error {
    case RouteError.dismissed: .dismissed
    case RouteError.cancelled, is CancellationError: .cancelled
    default: .failed(error)
    }
  }

  private static func routeError(_ error: any Error) -> RouteError {
    if let error = error as? RouteError { return error }
    return error is CancellationError ? .cancelled : .failed(error)
  }
}

extension Mediator {
  /// Returns a guard's verdict; throws `overdue` if the guard exceeds its deadline.
  func decision(
    of candidate: any RouteGuard, on target: RouteSummary, _ context: RouteContext
  ) async throws -> GuardVerdict {
    guard let limit = candidate.deadline else { return try await candidate.check(target, context) }
    let race = DeadlineRace<GuardVerdict>()
    return try await race.run {
      try await candidate.check(target, context)
    } against: { [clock] in
      try await clock.sleep(for: limit)
      throw RouteError.overdue(by: candidate.id, limit: limit)
    }
  }
}

/// Where a call goes next: a URL, or a route that is known already.
enum Destination {
  case url(String)
  case target(RouteTarget)

  /// The URL of the destination, if it has one.
  var text: String? {
    switch self {
    case .url(let text): text
    case .target(let target): target.text
    }
  }

  /// The name of the route, if it is known.
  var name: String? {
    if case .target(let target) = self { target.route.name } else { nil }
  }
}

/// The route found for a call, with its parameters.
struct RouteTarget: Sendable {
  let route: RegisteredRoute
  let value: any Sendable
  /// The URL of the call; nil if it has none.
  let text: String?
  /// The parameters in the URL.
  let input: RouteInput?

  var summary: RouteSummary { RouteSummary(route: route, url: text, input: input) }

  /// The target's name in a trail.
  var label: String { text ?? route.name }
}
