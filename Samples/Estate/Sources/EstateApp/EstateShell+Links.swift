import Mediation

extension EstateShell {
  /// Takes a link with which the system opened the app, and shows what came of it.
  ///
  /// It reaches only what is exposed to such links, and waits until `ready()`; several open in the order of
  /// their arrival.
  @discardableResult public func receive(_ link: String) async -> StepResult {
    await run("\(link)  — a link that opened the app") { mediator in
      try await mediator.receive(link, from: Self.source(of: link))
      return nil
    }
  }

  /// Says that the screens can be seen: links that waited are opened.
  public func ready() { mediator.ready() }

  /// Says that the screens can't be seen any more: links wait from now on.
  public func hold() { mediator.hold() }

  /// How the system hands over such a link: by the app's own scheme, or as a link of a host that the app
  /// answers.
  nonisolated private static func source(of link: String) -> LinkSource {
    guard link.hasPrefix("https://") else { return .scheme("estate") }
    return .universal(host: String(link.dropFirst("https://".count).prefix { !"/?#:".contains($0) }))
  }
}
