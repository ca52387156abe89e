import Mediation

extension EstateShell {
  /// Delivers a life-cycle event to the modules, as the system would, and prints what they did.
  @discardableResult func deliver(_ event: LifecycleEvent) async -> StepResult {
    await run("\(event.kind.rawValue)  — a life-cycle event") { mediator in
      let report = await mediator.deliver(event, limit: .seconds(5))
      if let failure = report.failures.first?.failure { throw failure }
      return nil
    }
  }

  /// Informs the modules that the app is no longer visible.
  public func enterBackground() async { await deliver(.background) }
}
