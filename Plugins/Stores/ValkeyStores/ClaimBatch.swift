import Interception
import NonceStores

/// Sends the claims that wait at the same time together.
struct ClaimHandler: CallHandler {
  static var allowsEviction: Bool { false }
  static var batchSize: Int { 256 }

  private let keyPrefix: String
  private let tokenPrefix: String
  private var tokenCount: UInt64 = 0

  init(keyPrefix: String, random: () -> UInt64) {
    self.keyPrefix = keyPrefix
    // Distinguishes the claims of this store from those of all others.
    tokenPrefix = String(random(), radix: 36) + String(random(), radix: 36) + "-"
  }

  mutating func replies(
    to calls: [NonceClaim], over link: ServerLink
  ) throws(NonceStoreError) -> [NonceVerdict] {
    let batch = ClaimBatch(claims: calls.map { ($0, nextToken()) }, keyPrefix: keyPrefix)
    return try link.perform { session, isRepeated throws(NonceStoreError) in
      var batch = batch
      batch.isRepeated = isRepeated
      return try batch.verdicts(from: session)
    }
  }

  private mutating func nextToken() -> String {
    tokenCount &+= 1
    return tokenPrefix + String(tokenCount, radix: 36)
  }
}

/// Claims that are sent to the server together, and the meaning of its replies.
///
/// `SET` with `NX` stores a key only if it doesn't exist, so of concurrent claims only one succeeds. The
/// marker is read after all claims: if it is unchanged, the server had all its nonces when it executed them.
struct ClaimBatch: Sendable {
  /// The claims, each with a value that no other claim has.
  let claims: [(claim: NonceClaim, token: String)]
  let keyPrefix: String
  /// Whether the server may have executed the batch before, on a connection that broke; a claim that finds
  /// its own token has succeeded then.
  var isRepeated = false

  /// The key of the marker; keys of nonces end in 32 hexadecimal digits, so none is equal to it.
  static func markerKey(prefix: String) -> String { prefix + "since" }

  /// The commands to send.
  var commands: RESPCommands {
    var commands = RESPCommands()
    for (claim, token) in claims {
      let key = key(of: claim)
      commands.append("SET", key, token, "NX", "PX", String(Self.lifetime(of: claim)))
      if isRepeated { commands.append("GET", key) }
    }
    commands.append("GET", Self.markerKey(prefix: keyPrefix))
    return commands
  }

  /// The commands that look up the claims whose keys a full server could not store.
  ///
  /// A full server refuses `SET` also for a key that exists.
  func lookUps(after verdicts: [NonceVerdict]) -> RESPCommands {
    var commands = RESPCommands()
    for (entry, verdict) in zip(claims, verdicts) where verdict.isFull {
      commands.append("GET", key(of: entry.claim))
    }
    return commands
  }

  /// Returns the verdicts with `known` for each looked up claim that has a key.
  static func completed(_ verdicts: [NonceVerdict], with replies: [RESPReply]) -> [NonceVerdict] {
    var replies = replies[...]
    return verdicts.map { verdict in
      guard verdict.isFull, case .bytes? = replies.popFirst() else { return verdict }
      return .known
    }
  }

  private func key(of claim: NonceClaim) -> String { "\(keyPrefix)\(claim.keyID):\(claim.nonce)" }

  /// The replies, interpreted.
  struct Results: Sendable, Hashable {
    /// A verdict for each claim, which doesn't take the marker into account.
    var verdicts: [NonceVerdict]
    /// The marker; nil if there is none.
    var marker: NonceMarker?
  }

  /// Interprets the replies to the commands.
  ///
  /// - Throws: `NonceStoreError` if the marker can't be read.
  func results(of replies: [RESPReply], by fault: ServerFault) throws(NonceStoreError) -> Results {
    let width = isRepeated ? 2 : 1
    guard replies.count == claims.count * width + 1, let last = replies.last else { throw fault.malformed }
    var verdicts: [NonceVerdict] = []
    verdicts.reserveCapacity(claims.count)
    for (index, (_, token)) in claims.enumerated() {
      let stored = isRepeated ? replies[index * width + 1] : .null
      let isOwn = stored == .bytes(Array(token.utf8))
      switch replies[index * width] {
      case .status("OK"): verdicts.append(.claimed)
      case .null: verdicts.append(isOwn ? .claimed : .known)
      case .error(let text): verdicts.append(.unavailable(fault.error(for: text)))
      default: verdicts.append(.unavailable(fault.malformed))
      }
    }
    switch last {
    case .bytes(let bytes): return Results(verdicts: verdicts, marker: NonceMarker(bytes))
    case .null: return Results(verdicts: verdicts, marker: nil)
    case .error(let text): throw fault.error(for: text)
    default: throw fault.malformed
    }
  }

  /// Returns the verdict of a claim on a server whose nonces are complete since a second.
  static func verdict(
    _ verdict: NonceVerdict, of claim: NonceClaim, since: Int64, by fault: ServerFault
  ) -> NonceVerdict {
    guard verdict == .claimed, claim.earliestUse < WallTime(secondsSince1970: since) else { return verdict }
    return .unavailable(fault.forgotten)
  }

  /// The milliseconds for which a claim is stored, at least one.
  static func lifetime(of claim: NonceClaim) -> Int64 {
    let (seconds, attoseconds) = claim.now.duration(to: claim.expiry).components
    // The bound is far beyond any window, and prevents an overflow.
    return max(1, min(seconds, 1 << 40) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}

extension ClaimBatch {
  /// Sends the batch, and returns a verdict for each of its claims.
  func verdicts(from session: ServerSession) throws(NonceStoreError) -> [NonceVerdict] {
    let results = try results(of: session.exchange(commands), by: session.fault)
    let current = try complete(results.marker, on: session)
    let lookUps = lookUps(after: results.verdicts)
    var verdicts = results.verdicts
    if lookUps.count > 0 { verdicts = Self.completed(verdicts, with: try session.exchange(lookUps)) }
    return zip(claims, verdicts).map { entry, verdict in
      Self.verdict(verdict, of: entry.claim, since: current.since, by: session.fault)
    }
  }

  /// Returns the marker that was read, or stores and returns a new one if the server has lost its nonces.
  private func complete(
    _ read: NonceMarker?, on session: ServerSession
  ) throws(NonceStoreError) -> NonceMarker {
    if let read, read.runID == session.runID { return read }
    let latest = claims.map(\.claim.now.seconds).max() ?? 0
    let new = NonceMarker(runID: session.runID, now: latest)
    var commands = RESPCommands()
    commands.append("SET", Self.markerKey(prefix: keyPrefix), new.text)
    switch try session.exchange(commands).first {
    case .status("OK"): return new
    case .error(let text): throw session.fault.error(for: text)
    default: throw session.fault.malformed
    }
  }
}

extension NonceVerdict {
  /// Whether the server had no space for the nonce.
  fileprivate var isFull: Bool {
    if case .unavailable(let error) = self { error.kind == .full } else { false }
  }
}

/// A value on the server from which its clients see whether it still has all nonces: the run id of the
/// process that created it, and the time of creation.
///
/// A server that was restarted has another run id, and one that was emptied has no marker. In both cases, a
/// client creates a new one, and nonces are complete only since then. A server that has read nonces from disk
/// counts as restarted, because the last ones before a crash may be missing.
struct NonceMarker: Sendable, Hashable {
  /// The run id of the server's process.
  let runID: String
  /// The second since which nonces are complete.
  let since: Int64

  /// Creates the marker of a server at a client's time, rounded up.
  init(runID: String, now: Int64) {
    self.runID = runID
    since = now + 1
  }

  /// Parses a marker's text; nil for any other text.
  init?(_ bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let since = Int64(parts[1]),
      "\(parts[0]) \(since)".utf8.elementsEqual(bytes)
    else { return nil }
    runID = String(parts[0])
    self.since = since
  }

  /// The text that is stored.
  var text: String { "\(runID) \(since)" }
}
