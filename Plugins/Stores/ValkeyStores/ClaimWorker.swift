import Interception
import NonceStores

/// Sends claims to the server, on a thread of its own.
final class ClaimWorker {
  private let queue: CallQueue<WaitingClaim>
  private let configuration: ValkeyConfiguration
  private let fault: ServerFault
  private let time: TimeSource
  private let random: @Sendable () -> UInt64
  private let tokenPrefix: String
  private var tokenCount: UInt64 = 0
  private var schedule: ReconnectSchedule
  private var session: ServerSession?

  init(
    _ queue: CallQueue<WaitingClaim>, _ configuration: ValkeyConfiguration, fault: ServerFault,
    time: TimeSource,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.queue = queue
    self.configuration = configuration
    self.fault = fault
    self.time = time
    self.random = random
    // Distinguishes the claims of this worker from those of all others.
    tokenPrefix = String(random(), radix: 36) + String(random(), radix: 36) + "-"
    schedule = ReconnectSchedule(configuration.reconnectDelays)
  }

  /// Handles claims until the queue is closed.
  func run() {
    while let entries = queue.next() {
      let now = time.now()
      var timely: [WaitingClaim] = []
      for entry in entries {
        if entry.deadline >= now {
          timely.append(entry)
        } else {
          entry.continuation.resume(
            returning: .unavailable(fault.timedOut(after: configuration.commandTimeout)))
        }
      }
      guard !timely.isEmpty else { continue }
      for (entry, verdict) in zip(timely, verdicts(for: timely.map(\.claim))) {
        entry.continuation.resume(returning: verdict)
      }
    }
  }

  /// Returns a verdict for each claim.
  private func verdicts(for claims: [NonceClaim]) -> [NonceVerdict] {
    do throws(NonceStoreError) {
      return try send(
        ClaimBatch(claims: claims.map { ($0, nextToken()) }, keyPrefix: configuration.keyPrefix))
    } catch {
      return claims.map { _ in .unavailable(error) }
    }
  }

  private func send(_ batch: ClaimBatch) throws(NonceStoreError) -> [NonceVerdict] {
    var batch = batch
    if let session, !session.isStale {
      do throws(NonceStoreError) {
        return try session.verdicts(of: batch)
      } catch {
        self.session = nil
        // The server closed the connection or was restarted, perhaps after it executed the batch: the batch
        // is sent once more, on a new connection.
        guard error.kind == .unreachable else { throw failed(error) }
        batch.isRepeated = true
      }
    }
    session = nil
    if let refusal = schedule.refusal(at: time.now()) { throw refusal }
    do throws(NonceStoreError) {
      let session = try ServerSession(configuration, fault: fault)
      let verdicts = try session.verdicts(of: batch)
      self.session = session
      schedule.recordSuccess()
      return verdicts
    } catch {
      throw failed(error)
    }
  }

  private func failed(_ error: NonceStoreError) -> NonceStoreError {
    let fraction = Double(random() >> 11) / Double(UInt64(1) << 53)
    schedule.recordFailure(error, at: time.now(), fraction: fraction)
    return error
  }

  private func nextToken() -> String {
    tokenCount &+= 1
    return tokenPrefix + String(tokenCount, radix: 36)
  }
}

/// A claim and the continuation of its caller.
struct WaitingClaim: Sendable {
  let claim: NonceClaim
  /// The time after which the claim is not sent any more.
  let deadline: Duration
  let continuation: CheckedContinuation<NonceVerdict, Never>
}

/// A connection after its handshake, and what is known of the server's nonces.
final class ServerSession {
  private let connection: ServerConnection
  private let configuration: ValkeyConfiguration
  private let fault: ServerFault
  private let runID: String

  /// Connects to the server and checks that it can remember nonces.
  init(_ configuration: ValkeyConfiguration, fault: ServerFault) throws(NonceStoreError) {
    self.configuration = configuration
    self.fault = fault
    (connection, runID) = try ServerConnection.opened(configuration, allowsEviction: false, fault: fault)
  }

  /// Whether the server has closed the idle connection.
  var isStale: Bool { connection.isStale }

  /// Sends a batch, and returns a verdict for each of its claims.
  func verdicts(of batch: ClaimBatch) throws(NonceStoreError) -> [NonceVerdict] {
    let results = try batch.results(of: exchange(batch.commands), by: fault)
    let current = try complete(results.marker, at: batch)
    let lookUps = batch.lookUps(after: results.verdicts)
    var verdicts = results.verdicts
    if lookUps.count > 0 { verdicts = ClaimBatch.completed(verdicts, with: try exchange(lookUps)) }
    return zip(batch.claims, verdicts).map { entry, verdict in
      ClaimBatch.verdict(verdict, of: entry.claim, since: current.since, by: fault)
    }
  }

  /// Returns the marker that was read, or stores and returns a new one if the server has lost its nonces.
  private func complete(
    _ read: NonceMarker?, at batch: ClaimBatch
  ) throws(NonceStoreError) -> NonceMarker {
    if let read, read.runID == runID { return read }
    let latest = batch.claims.map(\.claim.now.seconds).max() ?? 0
    let new = NonceMarker(runID: runID, now: latest)
    var commands = RESPCommands()
    commands.append("SET", ClaimBatch.markerKey(prefix: configuration.keyPrefix), new.text)
    switch try exchange(commands).first {
    case .status("OK"): return new
    case .error(let text): throw fault.error(for: text)
    default: throw fault.malformed
    }
  }

  private func exchange(_ commands: RESPCommands) throws(NonceStoreError) -> [RESPReply] {
    do throws(ServerConnection.Failure) {
      return try connection.exchange(commands, within: configuration.commandTimeout)
    } catch { throw fault.error(for: error, limit: configuration.commandTimeout) }
  }
}
