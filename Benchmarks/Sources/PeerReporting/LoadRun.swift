/// Sends the requests of a load with as many senders as may be in flight, first unmeasured, then measured.
public enum LoadRun {
  /// Runs `send` until the tally it is given is empty, `options.inFlight` times at once.
  public static func run(
    _ options: LoadOptions, _ send: @escaping @Sendable (Tally) async -> Void
  ) async -> PeerReport {
    await run(requests: options.warmUp, inFlight: options.inFlight, send)
    return await run(requests: options.requests, inFlight: options.inFlight, send)
  }

  @concurrent @discardableResult private static func run(
    requests: Int, inFlight: Int, _ send: @escaping @Sendable (Tally) async -> Void
  ) async -> PeerReport {
    let tally = Tally(requests: requests)
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<min(inFlight, requests) { group.addTask { await send(tally) } }
    }
    return tally.report(seconds: (ContinuousClock.now - start) / .seconds(1))
  }
}
