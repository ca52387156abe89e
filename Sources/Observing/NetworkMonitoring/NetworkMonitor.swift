public import Interception
import Synchronization

/// Reports the kind of network and its changes.
///
/// Use it to tell an app's reachability, dispatcher and DNS bypass about a change, so that requests don't
/// wait for connections of the former network. Don't use it to decide whether a server can be reached; only a
/// request can tell.
///
/// ```swift
/// let monitor = NetworkMonitor()
/// try monitor.start()
/// for await state in monitor.changes {
///   print("The network is \(state.kind).")
/// }
/// ```
///
/// Changes are debounced: a state is reported when nothing has changed for a second, or after five seconds if
/// the network never becomes quiet. If the source ends, for example at an error of the system, it is read
/// again after a second, later after up to a minute; the state is unknown if that fails.
public final class NetworkMonitor: Sendable {
  private let run: MonitorRun
  private let running = Mutex(StartedWork<Task<Void, Never>>())
  private let source: any NetworkSource

  /// Creates a monitor, which does nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - source: What reports the states; the system by default.
  ///   - debounce: The time without a further change before a state is reported; 1 s.
  ///   - time: The clock for that time.
  public init(
    source: any NetworkSource = SystemNetworkSource(), debounce: Duration = .seconds(1),
    time: TimeSource = .system
  ) {
    self.source = source
    run = MonitorRun(debounce: debounce, time: time)
  }

  deinit { running.withLock { $0.end() }?.work?.cancel() }

  /// The state that was reported last; ``NetworkState/unknown`` before the start and after the end.
  public var state: NetworkState { run.streams.latest ?? .unknown }

  /// The current state and every later one, until the monitor is released.
  ///
  /// Each access returns a separate stream. A slow reader misses intermediate states and receives the latest
  /// one.
  public var changes: AsyncStream<NetworkState> { run.streams.values() }

  /// Starts to monitor; has no effect if the monitor was started before and not stopped.
  ///
  /// - Throws: ``NetworkMonitorError`` if the network can't be monitored; the state remains unknown.
  public func start() throws(NetworkMonitorError) {
    guard let number = running.withLock({ $0.begin() }) else { return }
    let states: AsyncStream<NetworkState>
    do throws(NetworkMonitorError) { states = try source.states() } catch {
      running.withLock { $0.fail(number) }
      throw error
    }
    running.withLock { running in
      // Stopped meanwhile.
      guard running.isCurrent(number) else { return }
      let runNumber = run.begin()
      let task = Task { [run, source] in await run.follow(states, of: source, as: runNumber) }
      _ = running.install(task, of: number)
    }
  }

  /// Stops to monitor and releases what the source uses; the state becomes unknown.
  public func stop() {
    running.withLock { running in
      running.end()?.work?.cancel()
      run.end()
    }
    run.streams.deliver()
  }
}
