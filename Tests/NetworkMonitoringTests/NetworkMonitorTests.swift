import Interception
import NetworkMonitoring
import SwitchyardTesting
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
    await clock.waitForSleepers()
    #expect(monitor.state == wifi)
    clock.advance(by: .seconds(1))
    #expect(await first.next() == cellular)
    #expect(await second.next() == cellular)
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

  @Test("When the source ends by itself, the state becomes unknown")
  func endedSource() async throws {
    struct Short: NetworkSource {
      func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
        let (stream, continuation) = AsyncStream.makeStream(of: NetworkState.self)
        continuation.yield(NetworkState(kind: .wired))
        continuation.finish()
        return stream
      }
    }
    let monitor = monitor(Short())
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == .unknown)
    try monitor.start()
    while let state = await changes.next(), state != .unknown {}
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
