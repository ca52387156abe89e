// The path of an opened URL, from top to bottom: read it, follow redirects to a route, check who may open it,
// read its parameters, ask the guards, run the route, or else the fallbacks. A call by value joins it at
// `follow`.

extension Mediator {
  /// Opens a URL from within the app without waiting for a result.
  public func open(_ url: String) async throws(RouteError) {
    let caller = Caller.app(wantsResult: false)
    _ = try await follow(.text(url), caller, expecting: nil)
  }

  /// Opens a URL from within the app and returns the result as the expected type.
  ///
  /// The type is the route's `Output`, a superclass or an optional of it, or `any Sendable` for any result.
  ///
  /// - Throws: `RouteError.resultMismatch` if the route returns another type; neither guards nor the
  ///   route's code then run.
  public func open<T: Sendable>(_ url: String, returning type: T.Type) async throws(RouteError) -> T {
    try await follow(.text(url), .app(wantsResult: true), returning: type)
  }

  /// Opens a URL from within the app and returns the result, or a default if no route returns the expected
  /// type.
  ///
  /// Use it where the app can do without the module that answers. `fallback` is evaluated only in that case.
  ///
  /// - Throws: Any error except `notFound`, `forbidden` and `resultMismatch`: a refusal or a failure does not
  ///   mean that the route is missing.
  public func open<T: Sendable>(
    _ url: String, returning type: T.Type, else fallback: @autoclosure () -> T
  ) async throws(RouteError) -> T {
    let caller = Caller.app(wantsResult: true)
    return try await follow(.text(url), caller, returning: type, else: fallback)
  }

  /// Runs a call and returns the result, or a default if no route returns the expected type.
  func follow<T: Sendable>(
    _ destination: Destination, _ caller: Caller, returning type: T.Type, else fallback: () -> T
  ) async throws(RouteError) -> T {
    do throws(RouteError) {
      return try await follow(destination, caller, returning: type)
    } catch {
      guard error.isLackOfAnswer else { throw error }
      return fallback()
    }
  }

  /// Runs a call and returns the result as the expected type.
  func follow<T: Sendable>(
    _ destination: Destination, _ caller: Caller, returning type: T.Type
  ) async throws(RouteError) -> T {
    let answer = try await follow(destination, caller, expecting: type)
    if let answer {
      if let value = answer as? T { return value }
    } else if let nothing = () as? T {
      return nothing
    }
    // Routes of the table were compared before they ran. What is left are fallbacks, routes that were only
    // shown, and values of a superclass.
    let got = answer.map { String(describing: Swift.type(of: $0)) } ?? "nothing, because it was only shown"
    throw failure(
      .resultMismatch(expected: String(describing: T.self), got: got), destination.text, destination.name,
      caller.origin)
  }

  /// Follows redirects and guards to the route and runs it; returns nil if the route was shown.
  ///
  /// - Parameter expected: The type that the caller expects; nil if it does not use the result.
  func follow(
    _ destination: Destination, _ caller: Caller, expecting expected: (any Any.Type)?
  ) async throws(RouteError) -> (any Sendable)? {
    var call = CallState(destination, caller, rules: redirector?.snapshot())
    while true {
      let target: RouteTarget
      do throws(RouteError) {
        target = try locate(&call, isOpening: true)
      } catch {
        return try await fallBack(call, error)
      }
      let route = target.route
      do {
        if call.trail.count > Self.maximumRedirects {
          throw RouteError.redirectLoop(call.trail + [target.place.label])
        }
        if let expected, !route.declaration.returns(expected) {
          throw RouteError.resultMismatch(
            expected: String(describing: expected), got: route.declaration.output)
        }
        if let url = try await runGuards(target, call.caller) {
          call.redirect(to: url, from: target.place.label)
          continue
        }
        return try await run(target, call.caller)
      } catch {
        throw failure(Self.routeError(error), target.place.url?.text, route.name, caller.origin)
      }
    }
  }

  /// Reads the URL of a call and follows the redirector's rules to the route that the caller may open.
  ///
  /// A URL is scanned once: its `RouteURL` is what rules and routes are matched against.
  ///
  /// - Parameter isOpening: Whether redirects are reported to the observers.
  func locate(_ call: inout CallState, isOpening: Bool) throws(RouteError) -> RouteTarget {
    while true {
      let url: RouteURL
      var known: RouteTarget?
      switch call.destination {
      case .text(let text): url = try read(text, from: nil, &call)
      case .link(let text, let source): url = try read(text, from: source, &call)
      case .url(let read): url = read
      case .target(let target):
        guard let rules = call.rules else { return target }
        guard let written = target.place.url else {
          if let pattern = target.route.pattern, rules.disables(pattern) {
            throw .notFound(url: target.place.label)
          }
          return target
        }
        url = written
        known = target
      }
      let match = registry.match(url)
      // A redirect cannot open a route to a caller that its exposure excludes.
      let mayMove = known != nil || match?.route.admits(call.caller.origin) != false
      guard mayMove, let rules = call.rules, let move = try rules.redirect(url, matching: match?.pattern)
      else {
        if let known { return known }
        return try target(of: url, match, call.caller)
      }
      if call.trail.count >= Self.maximumRedirects {
        throw .redirectLoop(call.trail + [url.text, move.url])
      }
      if isOpening {
        observe(.redirected(from: url.text, to: move.url, rule: move.rule, version: rules.version))
      }
      call.redirect(to: move.url, from: url.text)
    }
  }

  /// Reads a URL by the profile.
  ///
  /// - Parameter source: The source that must be able to send the URL; nil for code of the app.
  private func read(
    _ text: String, from source: LinkSource?, _ call: inout CallState
  ) throws(RouteError) -> RouteURL {
    let url: RouteURL
    do {
      url = try RouteURL(text)
    } catch {
      guard let head = try? URLHead(text) else { throw .malformedURL(error) }
      if source?.fits(scheme: head.scheme, host: head.host) == false {
        throw .forbidden(url: text, origin: call.caller.origin)
      }
      // A foreign web URL goes to the web page as it is; its path need not conform to the profile.
      throw head.isWeb && !registry.hosts.contains(head.host) ? .notFound(url: text) : .malformedURL(error)
    }
    call.destination = .url(url)
    if source?.fits(scheme: url.scheme, host: url.host) == false {
      throw .forbidden(url: text, origin: call.caller.origin)
    }
    return url
  }

  /// Checks that the caller may open the route that a URL matches, and reads its parameters.
  private func target(
    of url: RouteURL, _ match: RouteRegistry.Match?, _ caller: Caller
  ) throws(RouteError) -> RouteTarget {
    guard let match else {
      if caller.allowed != nil || url.isWeb && !registry.hosts.contains(url.host) {
        throw .notFound(url: url.text)
      }
      throw miss(url, caller.origin)
    }
    // Before the parameters are read, so that their faults reveal nothing about routes of others.
    if caller.allowed?.contains(match.route.declaration.type) == false || !match.route.admits(caller.origin) {
      throw .forbidden(url: url.text, origin: caller.origin)
    }
    let input = RouteInput(url: url, pattern: match.pattern, isFromOutside: caller.origin.isExternal)
    do throws(RouteError) {
      try input.checkFields()
      return RouteTarget(
        route: match.route, value: try match.route.declaration.decode(input), place: .url(url),
        pattern: match.pattern)
    } catch {
      throw error.at(match.site(calledFrom: caller.origin))
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

  private func run(_ target: RouteTarget, _ caller: Caller) async throws -> (any Sendable)? {
    observe(.opened(target.summary, origin: caller.origin, opener: caller.opener?.label))
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
      throw Self.bodyError(error).at(target.route.site(calledFrom: caller.origin))
    }
    observe(.answered(target.summary))
    return answer
  }

  private func context(_ target: RouteTarget, _ caller: Caller, module: String?) -> RouteContext {
    RouteContext(
      mediator: self, module: module, origin: caller.origin, place: target.place, caller: caller.opener,
      wantsResult: caller.wantsResult, progress: caller.progress, allowed: caller.allowed,
      attachment: caller.attachment, preparation: caller.preparation)
  }

  /// Runs the fallbacks for a URL that no route matches, or throws.
  ///
  /// Errors for an external caller mention no URL that the call was redirected to.
  private func fallBack(_ call: CallState, _ error: RouteError) async throws(RouteError) -> (any Sendable)? {
    let caller = call.caller
    guard let text = call.destination.text else {
      throw failure(error, nil, call.destination.name, caller.origin)
    }
    let asked = call.trail.first ?? text
    if caller.allowed != nil {
      _ = failure(error, text, nil, caller.origin)
      throw error.isLackOfAnswer ? .notFound(url: asked) : error
    }
    guard let unread = UnroutedURL(text, call.destination.url, error) else {
      throw failure(error, text, nil, caller.origin)
    }
    var unrouted = unread
    var isUnreadable = false
    switch error {
    case .notFound where caller.origin.isExternal, .forbidden where caller.origin.isExternal:
      unrouted.error = .notFound(url: asked, unexposed: unexposed(call))
    case .notFound: break
    // A URL that does not conform to the profile may still be a page of the web site.
    case .malformedURL where unrouted.isWeb: isUnreadable = true
    default: throw failure(error, text, nil, caller.origin)
    }
    var chain = registry.fallbacks(for: unrouted, from: caller.origin).map {
      ($0.fallback, String?.some($0.module))
    }
    if unrouted.isWeb, let web { chain.append((web, nil)) }
    if !isUnreadable, let notFound { chain.append((notFound, nil)) }
    if !chain.isEmpty { observe(.fellBack(url: text, origin: caller.origin, error)) }
    for (fallback, module) in chain {
      let context = RouteContext(
        mediator: self, module: module, origin: caller.origin,
        place: unrouted.url.map { .url($0) } ?? .name(text), caller: caller.opener,
        wantsResult: caller.wantsResult, attachment: caller.attachment, preparation: caller.preparation)
      do {
        return try await fallback.run(unrouted, context)
      } catch is RouteFallback.DeclinedError {
        continue
      } catch {
        throw failure(Self.bodyError(error), text, nil, caller.origin)
      }
    }
    observe(.failed(url: text, name: nil, origin: caller.origin, error))
    throw unrouted.error
  }

  /// Returns the route that a call from outside would have opened if it were exposed to it, in debug builds
  /// only.
  ///
  /// Nil if the call was redirected, because errors for an outside caller mention no other URL.
  private func unexposed(_ call: CallState) -> RouteError.Site? {
    #if DEBUG
    let origin = call.caller.origin
    guard call.trail.isEmpty, let url = call.destination.url, let match = registry.match(url),
      !match.route.admits(origin)
    else { return nil }
    return match.site(calledFrom: origin)
    #else
    return nil
    #endif
  }

  /// Reports an error to the observers and returns it.
  package func failure(
    _ error: RouteError, _ url: @autoclosure () -> String?, _ name: String?, _ origin: Origin
  ) -> RouteError {
    observe(.failed(url: url(), name: name, origin: origin, error))
    return error
  }

  /// Converts an error of a route's code; errors of calls that the code made count as its own failures.
  private static func bodyError(_ error: any Error) -> RouteError {
    switch error {
    case RouteError.dismissed: .dismissed
    case RouteError.linkSuperseded(let url): .linkSuperseded(waitingFor: url)
    case RouteError.cancelled, is CancellationError: .cancelled
    default: .failed(error)
    }
  }

  private static func routeError(_ error: any Error) -> RouteError {
    if let error = error as? RouteError { return error }
    return error is CancellationError ? .cancelled : .failed(error)
  }
}
