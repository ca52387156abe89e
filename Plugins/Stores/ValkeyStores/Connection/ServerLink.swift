import Interception
import NonceStores

/// The connection of a store's thread: opened by the first exchange, and again after it broke, with growing
/// delays between attempts that fail.
final class ServerLink {
  private let configuration: ValkeyConfiguration
  private let fault: ServerFault
  private let allowsEviction: Bool
  private let time: TimeSource
  private let random: @Sendable () -> UInt64
  private var schedule: ReconnectSchedule
  private var session: ServerSession?

  /// Creates a link without a connection.
  ///
  /// - Parameter allowsEviction: Whether the server may evict keys.
  init(
    _ configuration: ValkeyConfiguration, allowsEviction: Bool, fault: ServerFault, time: TimeSource,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.configuration = configuration
    self.fault = fault
    self.allowsEviction = allowsEviction
    self.time = time
    self.random = random
    schedule = ReconnectSchedule(configuration.reconnectDelays)
  }

  /// Returns the result of exchanges with the server.
  ///
  /// If the server has closed the connection or was restarted, perhaps after it executed the commands, they
  /// are sent once more, on a new connection.
  ///
  /// - Parameter exchange: Sends the commands; `isRepeated` says whether the server may have executed them.
  func perform<Reply>(
    _ exchange: (_ session: ServerSession, _ isRepeated: Bool) throws(NonceStoreError) -> Reply
  ) throws(NonceStoreError) -> Reply {
    var isRepeated = false
    if let session, !session.isStale {
      do throws(NonceStoreError) {
        return try exchange(session, false)
      } catch {
        self.session = nil
        guard error.kind == .unreachable else { throw failed(error) }
        isRepeated = true
      }
    }
    session = nil
    if let refusal = schedule.refusal(at: time.now()) { throw refusal }
    do throws(NonceStoreError) {
      let session = try ServerSession(configuration, allowsEviction: allowsEviction, fault: fault)
      let reply = try exchange(session, isRepeated)
      self.session = session
      schedule.recordSuccess()
      return reply
    } catch {
      throw failed(error)
    }
  }

  private func failed(_ error: NonceStoreError) -> NonceStoreError {
    let fraction = Double(random() >> 11) / Double(UInt64(1) << 53)
    schedule.recordFailure(error, at: time.now(), fraction: fraction)
    return error
  }
}

/// A connection after its handshake.
struct ServerSession {
  private let connection: ServerConnection
  private let configuration: ValkeyConfiguration
  let fault: ServerFault
  /// The run id of the server.
  let runID: String

  /// Connects to the server, and checks that it is suitable.
  init(
    _ configuration: ValkeyConfiguration, allowsEviction: Bool, fault: ServerFault
  ) throws(NonceStoreError) {
    self.configuration = configuration
    self.fault = fault
    (connection, runID) = try ServerConnection.opened(
      configuration, allowsEviction: allowsEviction, fault: fault)
  }

  /// Whether the server has closed the idle connection.
  var isStale: Bool { connection.isStale }

  /// Sends commands and returns their replies.
  func exchange(_ commands: RESPCommands) throws(NonceStoreError) -> [RESPReply] {
    do throws(ServerConnection.Failure) {
      return try connection.exchange(commands, within: configuration.commandTimeout)
    } catch { throw fault.error(for: error, limit: configuration.commandTimeout) }
  }
}

/// Decides when to connect again after failures.
struct ReconnectSchedule: Sendable {
  private let delays: ClosedRange<Duration>
  private var failures = 0
  private var pause: (until: Duration, error: NonceStoreError)?

  /// Creates a schedule; see `reconnectDelays`.
  init(_ delays: ClosedRange<Duration>) { self.delays = delays }

  /// Returns the error of the last attempt if it is too early for another one.
  func refusal(at now: Duration) -> NonceStoreError? {
    guard let pause, now < pause.until else { return nil }
    return pause.error
  }

  /// Records that connecting or a command failed.
  ///
  /// - Parameter fraction: A random number from 0 to 1; the delay is shortened by up to half, so that the
  ///   servers of a fleet don't reconnect together.
  mutating func recordFailure(_ error: NonceStoreError, at now: Duration, fraction: Double) {
    var delay = delays.lowerBound
    for _ in 0..<failures where delay < delays.upperBound { delay = min(delay * 2, delays.upperBound) }
    failures += 1
    pause = (now + delay * (1 - min(max(fraction, 0), 1) / 2), error)
  }

  /// Records that a command succeeded.
  mutating func recordSuccess() {
    guard failures > 0 else { return }
    failures = 0
    pause = nil
  }
}
