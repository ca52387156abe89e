import Interception
import RequestSigning

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
