import Switchyard
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkForwardingTests {
  @Test(
    "The state reaches reachability, and later changes the app; the end of monitoring is unknown",
    arguments: [true, false])
  func forwarding(hasDispatcher: Bool) async throws {
    let source = ManualNetworkSource(NetworkState(kind: .wifi))
    let clock = TestClock()
    let monitor = NetworkMonitor(source: source, time: TimeSource(clock))
    let reachability = ReachabilityState()
    let dispatcher = CurlDispatcher()
    let changes = WaitableValue<[NetworkKind]>([])
    let forwarding = Task {
      let onChange = { @Sendable (state: NetworkState) in changes.update { $0.append(state.kind) } }
      if hasDispatcher {
        await monitor.forwardChanges(to: reachability, dispatcher: dispatcher, onChange: onChange)
      } else {
        await monitor.forwardChanges(to: reachability, onChange: onChange)
      }
    }
    var statuses = reachability.changes.makeAsyncIterator()
    #expect(await statuses.next() == .unknown)
    try monitor.start()
    #expect(await statuses.next() == .online)
    for (kind, status) in [(NetworkKind.loopbackOnly, NetworkStatus.offline), (.cellular, .online)] {
      source.update(NetworkState(kind: kind))
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      #expect(await statuses.next() == status)
    }
    #expect(changes.value == [.loopbackOnly, .cellular])
    monitor.stop()
    #expect(await statuses.next() == .unknown)
    #expect(changes.value.count == 2)
    forwarding.cancel()
    await forwarding.value
    await dispatcher.shutdown()
  }
}
