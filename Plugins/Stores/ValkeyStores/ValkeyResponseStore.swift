public import HTTPTypes
public import Interception
import NonceStores
public import ResponseCaching
import Synchronization

/// Stores responses on a Valkey or Redis server, which the servers of a fleet share.
///
/// Use it for servers that call the same APIs, so that one fetch serves all. An app keeps its responses in a
/// `MemoryStore`. A lookup takes one round trip, or two for a response with tags, and storing takes two, on
/// one connection with a thread of its own. Sensitive responses, which are kept in memory only, are declined.
/// Each response expires by itself (`PX`) when it has been stale for `Limits(staleFor:)`.
///
/// ```swift
/// let store = ValkeyResponseStore(ValkeyConfiguration(host: "10.0.0.7")) { failure in
///   print("shared cache: \(failure)")
/// }
/// let cache = CachingInterceptor(store: store)
/// ```
///
/// A failure of the server is a miss: a lookup returns nothing and storing declines, at the latest after the
/// time limits of the configuration. A removal that fails is repeated before this store's next command, so
/// that this process never gets a removed response; the other servers of the fleet may until then.
///
/// Responses are removed in constant time, however many there are: those of an account, a service, an API, a
/// tag or a target belong to a group with a random token on the server, and count only while the group has
/// the same token. ``remove(_:)`` deletes the token; the responses themselves expire later. Everything is a
/// miss after a restart of the server, because removals could be lost with it. A response that one server of
/// the fleet requested before a removal by another one, and stores after it, is not removed: each server only
/// knows its own requests. The server may evict keys, for example with the policy `allkeys-lru`.
///
/// The names of keys contain hashes only, but responses are stored in clear text, and hiredis 0.14 has no
/// TLS: use a private network. The clocks of the fleet must agree. The server's user needs the commands
/// `GET`, `SET`, `PSETEX`, `PEXPIRE`, `DEL` and `INFO`, and `SELECT` for a database other than 0.
public final class ValkeyResponseStore: ResponseStore {
  /// The limits of a store.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of a response in bytes, as counted by `StoredResponse.size`; 1 MiB.
    package var responseBytes: Int
    /// How long a response is kept after it became stale, for revalidation; 1 h.
    package var staleFor: Duration
    /// The maximum time for which a response is kept; 7 days.
    package var lifetime: Duration

    /// Creates limits; negative values are treated as zero.
    ///
    /// - Parameters:
    ///   - responseBytes: The maximum size of a response in bytes, as counted by `StoredResponse.size`; 1
    ///     MiB.
    ///   - staleFor: How long a response is kept after it became stale, for revalidation; 1 h.
    ///   - lifetime: The maximum time for which a response is kept; 7 days.
    public init(
      responseBytes: Int = 1 << 20, staleFor: Duration = .seconds(3_600),
      lifetime: Duration = .seconds(604_800)
    ) {
      self.responseBytes = max(0, responseBytes)
      self.staleFor = max(.zero, staleFor)
      self.lifetime = max(.zero, lifetime)
    }
  }

  private let keys: ResponseKeys
  private let limits: Limits
  private let fault: ServerFault
  private let calls: ServerCalls<CommandHandler>
  private let pending = Mutex(PendingRemovals())
  private let random: @Sendable () -> UInt64
  private let onFailure: @Sendable (ValkeyResponseFailure) -> Void

  /// Creates a store, which connects with the first call.
  ///
  /// - Parameters:
  ///   - configuration: The server. Its `keyPrefix` is not used.
  ///   - keyPrefix: The beginning of the names of all keys. Stores with the same prefix and database share
  ///     their responses.
  ///   - limits: The limits of a response.
  ///   - time: The clock for the delays between attempts to connect.
  ///   - onFailure: Called for each call that fails, in the task of its caller.
  public convenience init(
    _ configuration: ValkeyConfiguration, keyPrefix: String = "switchyard:cache:", limits: Limits = Limits(),
    time: TimeSource = .system, onFailure: @escaping @Sendable (ValkeyResponseFailure) -> Void = { _ in }
  ) {
    self.init(
      configuration, keyPrefix: keyPrefix, limits: limits, time: time,
      random: { UInt64.random(in: .min ... .max) }, onFailure: onFailure)
  }

  init(
    _ configuration: ValkeyConfiguration, keyPrefix: String, limits: Limits, time: TimeSource,
    random: @escaping @Sendable () -> UInt64, onFailure: @escaping @Sendable (ValkeyResponseFailure) -> Void
  ) {
    keys = ResponseKeys(prefix: keyPrefix)
    self.limits = limits
    fault = ServerFault(
      server: "The response store at \(configuration)",
      commands: "GET, SET, PSETEX, PEXPIRE, DEL, SELECT and INFO", calls: "calls")
    calls = ServerCalls(
      CommandHandler(), of: "response store", configuration, fault: fault, time: time, random: random)
    self.random = random
    self.onFailure = onFailure
  }

  /// Returns the response stored for a key and these request header fields; nil also if the server fails.
  public func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    let lookup = ResponseLookup(key: key, keys: keys)
    let deadline = calls.deadline
    guard let reply = await send(lookup.commands, by: deadline),
      let found = ResponseLookup.newest(
        of: lookup.variants(in: reply.replies, runID: reply.runID, requestFields: requestFields))
    else { return nil }
    var tags = CommandHandler.Reply(replies: [], runID: reply.runID)
    if !found.response.tags.isEmpty {
      guard let read = await send(lookup.tagCommands(of: found.response.tags), by: deadline) else {
        return nil
      }
      tags = read
    }
    guard ResponseEntry.generation(runID: tags.runID, tokens: tags.replies) == found.tagGeneration else {
      return nil
    }
    return found.response
  }

  /// Stores a response in place of those for the same request; returns false if it is too large or older than
  /// one of them, or if the server fails.
  ///
  /// Two servers that store at the same moment don't see each other's response; the later one is kept.
  public func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool
  {
    guard let write = ResponseWrite(response, limits, keys: keys, at: now) else {
      await delete(keys.slots(of: response.key))
      return false
    }
    let deadline = calls.deadline
    let token = String(random(), radix: 36) + "-" + String(random(), radix: 36)
    if let read = await send(write.preparation(token: token), by: deadline) {
      switch write.commit(after: read.replies, runID: read.runID, requestFields: requestFields) {
      case .decline: return false
      case .store(let commands): if await send(commands, by: deadline) != nil { return true }
      case nil: break
      }
    }
    // What the response should have replaced is out of date. The server may also execute the commands after
    // their time limit, which the new token of the target makes void.
    postpone([keys.target(response.key.subject.target)])
    return false
  }

  /// Removes the selected responses.
  ///
  /// One request is removed with all others of its target. A group counts as one response, since the server
  /// does not count its responses.
  /// - Returns: The number of responses and groups that the server had; 0 if it failed, in which case the
  ///   removal is repeated before the next command.
  @discardableResult public func remove(_ selection: CacheSelection) async -> Int {
    await delete(keys.removed(by: selection))
  }

  @discardableResult private func delete(_ names: [String]) async -> Int {
    var commands = RESPCommands()
    commands.append(["DEL"] + names)
    guard let reply = await send(commands, by: calls.deadline),
      case .integer(let count)? = reply.replies.first
    else {
      postpone(names)
      return 0
    }
    return count
  }

  private func postpone(_ names: [String]) { pending.withLock { $0.add(names, all: keys.all) } }

  /// Sends commands after the removals that failed before; returns nil if anything fails.
  private func send(_ commands: RESPCommands, by deadline: Duration) async -> CommandHandler.Reply? {
    let (removed, mark) = pending.withLock { $0.batch }
    var all = RESPCommands()
    if !removed.isEmpty { all.append(["DEL"] + removed) }
    all.append(contentsOf: commands)
    switch await calls.result(of: all, by: deadline) {
    case .failure(let error):
      onFailure(ValkeyResponseFailure(error))
      return nil
    case .success(let reply):
      if case .integer? = reply.replies.first, !removed.isEmpty {
        pending.withLock { $0.confirm(removed, upTo: mark) }
      }
      for case .error(let text) in reply.replies {
        onFailure(ValkeyResponseFailure(fault.error(for: text)))
        return nil
      }
      return CommandHandler.Reply(
        replies: Array(reply.replies.suffix(commands.count)), runID: reply.runID)
    }
  }
}
