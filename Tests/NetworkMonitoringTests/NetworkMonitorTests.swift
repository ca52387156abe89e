import Interception
import NetworkMonitoring
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkMonitorTests {
  private let clock = TestClock()
  private let wifi = NetworkState(kind: .wifi)
  private let cellular = NetworkState(kind: .cellular)

  private func monitor(_ source: some NetworkSource) -> NetworkMonitor {
    NetworkMonitor(source: source, time: TimeSource(clock))
  }

  @Test("The state is unknown before the start, then that of the source, and unknown after the end")
  func lifetime() async throws {
    let source = ManualNetworkSource(wifi)
    let monitor = monitor(source)
    #expect(monitor.state == .unknown)
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == .unknown)
    try monitor.start()
    try monitor.start()
    #expect(await changes.next() == wifi)
    #expect(monitor.state == wifi)
    monitor.stop()
    #expect(await changes.next() == .unknown)
    try monitor.start()
    #expect(await changes.next() == wifi)
  }

  @Test("A change reaches every reader after a quiet second")
  func change() async throws {
    let source = ManualNetworkSource(wifi)
    let monitor = monitor(source)
    try monitor.start()
    var (first, second) = (monitor.changes.makeAsyncIterator(), monitor.changes.makeAsyncIterator())
    while await first.next() != wifi {}
    while await second.next() != wifi {}
    source.update(cellular)
    try await clock.waitForSleepers()
    #expect(monitor.state == wifi)
    clock.advance(by: .seconds(1))
    #expect(await first.next() == cellular)
    #expect(await second.next() == cellular)
  }

  /// A source whose first stream fails, after the monitor was stopped and started again meanwhile.
  private final class Reentrant: NetworkSource {
    let monitor = Mutex<NetworkMonitor?>(nil)
    let calls = Atomic(0)

    func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
      guard calls.add(1, ordering: .relaxed).newValue == 1 else {
        return AsyncStream { $0.yield(NetworkState(kind: .wifi)) }
      }
      let monitor = monitor.withLock { $0.take() }
      monitor?.stop()
      try monitor?.start()
      throw .system(call: "socket", reason: "Too many open files")
    }
  }

  @Test("The failure of a start doesn't end a later start, so a further one has no effect")
  func failureOfEarlierStart() async throws {
    let source = Reentrant()
    let monitor = monitor(source)
    source.monitor.withLock { $0 = monitor }
    #expect(throws: NetworkMonitorError.self) { try monitor.start() }
    try await waitUntil("the later start has reported") { monitor.state == wifi }
    try monitor.start()
    #expect(source.calls.load(ordering: .relaxed) == 2)
    monitor.stop()
  }

  @Test("A source that can't report throws at the start, and the state remains unknown")
  func unavailable() {
    struct Broken: NetworkSource {
      func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
        throw .system(call: "socket", reason: "Permission denied")
      }
    }
    let monitor = monitor(Broken())
    let error = #expect(throws: NetworkMonitorError.self) { try monitor.start() }
    #expect(error?.description.contains("socket failed: Permission denied") == true)
    #expect(monitor.state == .unknown)
  }

  /// A source whose streams end when the test says so, or which can't be read.
  private final class Unsteady: NetworkSource {
    let attempts = WaitableValue(0)
    let result: Mutex<Result<NetworkState, NetworkMonitorError>>
    let streams = Mutex<[AsyncStream<NetworkState>.Continuation]>([])

    init(_ state: NetworkState) { result = Mutex(.success(state)) }

    func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
      defer { attempts.update { $0 += 1 } }
      let state = try result.withLock { result throws(NetworkMonitorError) in try result.get() }
      let (stream, continuation) = AsyncStream.makeStream(of: NetworkState.self)
      streams.withLock { $0.append(continuation) }
      continuation.yield(state)
      return stream
    }

    func end() { for stream in streams.withLock({ $0 }) { stream.finish() } }
  }

  @Test(
    "When the source ends by itself, it is read again after a second, and a state that is equal is no change")
  func endedSource() async throws {
    let source = Unsteady(wifi)
    let monitor = monitor(source)
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == .unknown)
    try monitor.start()
    #expect(await changes.next() == wifi)
    source.end()
    try await clock.waitForSleepers()
    #expect(monitor.state == wifi)
    clock.advance(by: .seconds(1))
    _ = try await source.attempts.wait { $0 == 2 }
    source.result.withLock { $0 = .success(cellular) }
    source.end()
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    // Another state is debounced.
    _ = try await source.attempts.wait { $0 == 3 }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(await changes.next() == cellular)
  }

  @Test("While the source can't be read, the state is unknown, and it is tried again with a growing delay")
  func brokenSource() async throws {
    let source = Unsteady(wifi)
    let monitor = monitor(source)
    try monitor.start()
    var changes = monitor.changes.makeAsyncIterator()
    while await changes.next() != wifi {}
    source.result.withLock { $0 = .failure(.system(call: "socket", reason: "Too many open files")) }
    source.end()
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(await changes.next() == .unknown)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(source.attempts.value == 2)
    source.result.withLock { $0 = .success(cellular) }
    clock.advance(by: .seconds(1))
    #expect(await changes.next() == cellular)
    monitor.stop()
    #expect(monitor.state == .unknown)
  }

  @Test("Stopping or releasing a monitor ends its reader of the source and its streams")
  func release() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    struct Watched: NetworkSource {
      let end: AsyncStream<Void>.Continuation

      func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
        let (stream, continuation) = AsyncStream.makeStream(of: NetworkState.self)
        continuation.onTermination = { [end] _ in end.yield() }
        continuation.yield(NetworkState(kind: .wired))
        return stream
      }
    }
    var endings = ended.makeAsyncIterator()
    var released: NetworkMonitor? = monitor(Watched(end: end))
    try released?.start()
    var changes = try #require(released?.changes.makeAsyncIterator())
    released?.stop()
    #expect(await endings.next() != nil)
    try released?.start()
    released = nil
    #expect(await endings.next() != nil)
    while await changes.next() != nil {}
  }
}
