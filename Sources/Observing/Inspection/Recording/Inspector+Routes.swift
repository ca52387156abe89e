public import Mediation

extension Inspector {
  /// Lets the page show a drawing of the app's routes.
  ///
  /// - Parameter draw: Returns the drawing as SVG; receives the patterns of the routes that were opened.
  public func showsRoutes(by draw: @escaping @Sendable (_ opened: Set<String>) -> String) {
    timeline.drawRoutes(by: draw)
  }
}

/// Notes what the mediator and the modules do.
extension Inspector: RouteObserver {
  /// Notes an event of a call to the mediator.
  public func observe(_ event: RouteEvent) {
    switch event {
    case .opened(let route, let origin, let opener):
      if let pattern = route.pattern { timeline.noteOpened("\(pattern)") }
      note(
        "\(route.name) opened" + (origin.isExternal ? " from outside" : ""),
        detail: [route.module, route.url.map { shown.url("\($0)") }, opener.map { "by \(shown.url($0))" }]
          .compactMap(\.self).joined(separator: ", "), about: .route)
    case .answered(let route): note("\(route.name) answered", about: .route, tone: .good)
    case .linkWaits(let url, _): note("A link waits", detail: shown.url(url), about: .route, tone: .warning)
    case .redirected(let from, let to, let rule, let version):
      note(
        "Redirected by rule \(rule) of table \(version)", detail: "\(shown.url(from)) to \(shown.url(to))",
        about: .route)
    case .redirectsChanged(let version):
      note(version.map { "Redirect table \($0) applies" } ?? "No redirect table applies", about: .route)
    case .verdict(let verdict, let name, let route):
      note("\(name): \(text(of: verdict))", detail: route.name, about: .guard, tone: tone(of: verdict))
    case .fellBack(let url, _, let error):
      note(
        "No route matches", detail: "\(shown.url(url)): \(text(of: error))", about: .route, tone: .warning)
    case .failed(let url, let name, _, let error):
      note(
        "\(name ?? url.map(shown.url) ?? "A route") failed", detail: text(of: error), about: .route,
        tone: .bad)
    }
  }

  /// Notes an event of a module.
  public func observe(_ event: ModuleEvent) {
    switch event {
    case .delivered(let event, let entry):
      note(
        "\(event.kind) in \(entry.module)", detail: entry.failure.map { _ in "failed" } ?? "",
        about: .lifecycle, tone: entry.failure == nil ? .plain : .bad)
    case .loaded(let name, let module, let ownTime):
      note("\(name) created", detail: "\(module), in \(Milliseconds.text(ownTime))", about: .module)
    case .loadFailed(let name, let module, let error, _):
      // The text of a foreign error may quote anything.
      note("\(name) not created", detail: "\(module): \(type(of: error))", about: .module, tone: .bad)
    case .released(let name): note("\(name) released", about: .module)
    }
  }

  private func text(of verdict: GuardVerdict) -> String {
    switch verdict {
    case .proceed: "proceed"
    case .redirect(let url): "redirect to \(shown.url(url))"
    case .reject(let reason): "reject, \(reason)"
    case .detour(let url): "detour by \(shown.url(url))"
    }
  }

  private func tone(of verdict: GuardVerdict) -> Tone {
    switch verdict {
    case .proceed: .good
    case .redirect, .detour: .plain
    case .reject: .warning
    }
  }

  /// An error's own text, which has no secret, unless it is that of the route's code.
  private func text(of error: RouteError) -> String {
    guard case .failed(let cause, let site) = error else { return "\(error)" }
    if let inner = cause as? RouteError { return text(of: inner) }
    return (site.map { "The code of \($0), failed with " } ?? "The route's code failed with ")
      + "\(type(of: cause))."
  }
}
