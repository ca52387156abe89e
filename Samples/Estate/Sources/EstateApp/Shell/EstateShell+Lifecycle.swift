import EstateNetwork
import Switchyard

extension EstateShell {
  /// Delivers a life-cycle event to the modules, as the system would, and prints what they did.
  ///
  /// In the background nothing is shown; when the app is visible again, its host shows the current state.
  @discardableResult func deliver(_ event: LifecycleEvent) async -> StepResult {
    let result = await run("\(event.kind)  — a life-cycle event") { mediator in
      let report = await mediator.deliver(event, limit: .seconds(5))
      if let failure = report.failures.first?.failure { throw failure }
      return nil
    }
    deployments.follow(event)
    switch event {
    case .background:
      navigator.detach()
      // The system may end an app in the background at any time.
      await journal?.flush()
      await keepWaitingData()
    case .foreground: navigator.attach(host)
    default: break
    }
    return result
  }

  /// Informs the modules that the app has started, so that they use what was chosen before.
  ///
  /// What can't be read is printed; the app runs without it.
  package func launch() async {
    for failure in await mediator.deliver(.launch, limit: .seconds(5)).failures.compactMap(\.failure) {
      say("  ! The settings are not those of the last run: \(failure)")
    }
  }

  package func enterBackground() async { await deliver(.background) }
}
