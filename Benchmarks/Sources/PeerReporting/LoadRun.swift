/// Sends the requests of a load with one sender per request in flight, first unmeasured, then measured.
public enum LoadRun {
  /// Runs `options.inFlight` concurrent senders until the tally passed to `send` is empty.
  ///
  /// - Parameter executor: The executor of the senders; nil for Swift's global executor.
  public static func run(
    _ options: LoadOptions, on executor: (any TaskExecutor)? = nil,
    _ send: @escaping @Sendable (Tally) async -> Void
  ) async -> PeerReport {
    await run(requests: options.warmUp, inFlight: options.inFlight, on: executor, send)
    return await run(requests: options.requests, inFlight: options.inFlight, on: executor, send)
  }

  @concurrent @discardableResult private static func run(
    requests: Int, inFlight: Int, on executor: (any TaskExecutor)?,
    _ send: @escaping @Sendable (Tally) async -> Void
  ) async -> PeerReport {
    let tally = Tally(requests: requests)
    let (start, used) = (ContinuousClock.now, ProcessorUse.now())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<min(inFlight, requests) {
        // Even a preference for no executor would be looked up at every hop.
        if let executor {
          group.addTask(executorPreference: executor) { await send(tally) }
        } else {
          group.addTask { await send(tally) }
        }
      }
    }
    var report = tally.report(seconds: (ContinuousClock.now - start) / .seconds(1))
    report.use = ProcessorUse.now() - used
    return report
  }
}
