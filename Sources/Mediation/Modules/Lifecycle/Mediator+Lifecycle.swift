extension Mediator {
  /// Tells the modules that asked for it of a life-cycle event, one after the other.
  ///
  /// A module is told after those it needs; of `background`, `memoryWarning` and `logout` before them. One
  /// that fails stops no other: failures are in the report and go to the observers. Events come one at a time
  /// in the order of the calls; an event that a listener itself delivers is delivered at once. Listeners run
  /// in tasks of their own, off the caller's actor, and all are told even if the caller is cancelled
  /// meanwhile.
  ///
  /// - Parameter limit: How long each listener may take. One that is late is cancelled, reported with
  ///   `ModuleError.late` and not waited for. Without a limit a listener that does not end holds up all that
  ///   come after it.
  @discardableResult
  public func deliver(_ event: LifecycleEvent, limit: Duration? = nil) async -> LifecycleReport {
    await deliveries.run {
      var entries: [LifecycleReport.Entry] = []
      for listener in listeners(for: event.kind) {
        let entry = await tell(listener, event, limit)
        observe(.delivered(event, entry))
        entries.append(entry)
      }
      if event == .memoryWarning {
        for target in registry.modules.targets where target.lifetime == .untilMemoryWarning {
          _ = release(target)
        }
      }
      return LifecycleReport(event: event, entries: entries)
    }
  }

  private func listeners(for kind: LifecycleEvent.Kind) -> [LifecycleListener] {
    let listeners = registry.modules.modules.flatMap(\.listeners).filter { $0.kind == kind }
    return kind.isReversed ? listeners.reversed() : listeners
  }

  private func tell(
    _ listener: LifecycleListener, _ event: LifecycleEvent, _ limit: Duration?
  ) async -> LifecycleReport.Entry {
    let module = listener.place.module
    let context = context(of: module, doing: "\(module)'s listener for \(event.kind.rawValue)")
    let (failure, ownTime) = await OwnTime.measure(clock) { () async -> (any Error)? in
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
    return LifecycleReport.Entry(module: module, place: listener.place, ownTime: ownTime, failure: failure)
  }
}
