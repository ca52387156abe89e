import Switchyard

extension EstateShell {
  /// Opens a link with which the system opened the app, and prints the outcome.
  ///
  /// The link reaches only routes exposed to such links. Links wait until `ready()` and then open in order.
  @discardableResult package func receive(_ link: String) async -> StepResult {
    await run("\(link)  — a link that opened the app") { mediator in
      try await mediator.receive(link, from: source(of: link))
      return nil
    }
  }

  /// Opens the links that waited, because the screens can be shown now.
  package func ready() { mediator.ready() }

  /// Makes links wait from now on, because the screens can't be shown any more.
  package func hold() { mediator.hold() }

  /// The source of such a link: the app's own scheme, or a universal link of one of its hosts.
  nonisolated func source(of link: String) -> LinkSource {
    guard let url = try? RouteURL(link), url.isWeb else { return .scheme("estate") }
    return .universal(host: url.host)
  }
}
