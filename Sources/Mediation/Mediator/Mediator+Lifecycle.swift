extension Mediator {
  /// Delivers a life-cycle event to the modules that listen for it, one after the other.
  ///
  /// A module receives the event after the modules it needs, or before them for `background`, `memoryWarning`
  /// and `logout`. A listener that fails does not stop the others: failures are in the report and are passed
  /// to the observers. Events are delivered one at a time in the order of the calls, except that an event
  /// delivered by a listener is delivered at once. Listeners run in separate tasks, off the caller's actor,
  /// and all of them run even if the caller is cancelled.
  ///
  /// - Parameter limit: The maximum time for each listener. A listener that exceeds it is cancelled, reported
  ///   with `ModuleError.late` and no longer awaited. Without a limit, a listener that never returns blocks
  ///   all later ones.
  @discardableResult
  public func deliver(_ event: LifecycleEvent, limit: Duration? = nil) async -> LifecycleEvent.Report {
    await deliveries.run {
      var entries: [LifecycleEvent.Report.Entry] = []
      for listener in listeners(for: event.kind) {
        let entry = await deliver(event, to: listener, limit)
        observe(.delivered(event, entry))
        entries.append(entry)
      }
      if event == .memoryWarning {
        for object in registry.modules.objects where object.lifetime == .untilMemoryWarning {
          _ = release(object)
        }
      }
      return LifecycleEvent.Report(event: event, entries: entries)
    }
  }

  private func listeners(for kind: LifecycleEvent.Kind) -> [LifecycleListener] {
    let listeners = registry.modules.modules.flatMap(\.listeners).filter { $0.kind == kind }
    return kind.isReversed ? listeners.reversed() : listeners
  }

  private func deliver(
    _ event: LifecycleEvent, to listener: LifecycleListener, _ limit: Duration?
  ) async -> LifecycleEvent.Report.Entry {
    let module = listener.place.module
    let (failure, ownTime) = await OwnTime.measure(clock) { ownTime async -> (any Error)? in
      let context = context(of: module, doing: "\(module)'s listener for \(event.kind.rawValue)", ownTime)
      let work = Task {
        guard let limit else {
          try await listener.run(event, context)
          return
        }
        try await DeadlineRace<Void>().run {
          try await listener.run(event, context)
        } against: { [clock] in
          try await clock.sleep(for: limit)
          throw ModuleError.late(module: module, limit: limit)
        }
      }
      switch await work.result {
      case .success: return nil
      case .failure(let error): return error
      }
    }
    return LifecycleEvent.Report.Entry(
      module: module, place: listener.place, ownTime: ownTime, failure: failure)
  }
}
