extension Mediator {
  /// Returns a context for a module's code that runs outside a call, while it loads something or handles a
  /// life-cycle event.
  func context(of module: String, doing what: String, _ ownTime: OwnTime) -> RouteContext {
    RouteContext(
      mediator: self, module: module, origin: .native(module: module), opener: nil, url: nil,
      wantsResult: true, here: what, ownTime: ownTime)
  }

  func observe(_ event: ModuleEvent) {
    for observer in observers { observer.observe(event) }
  }
}
