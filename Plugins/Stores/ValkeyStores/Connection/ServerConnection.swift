import CHiredis
import Interception
import NonceStores

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A connection to a server: the owner of hiredis's context, and the only code that uses it.
///
/// hiredis blocks, so a connection belongs to one thread. Its reads are bounded by a deadline and by a
/// number, because the time limit of a socket starts again with each byte.
@safe final class ServerConnection {
  /// The reason why an exchange ended without all replies.
  enum Failure: Error, Hashable {
    /// The server closed the connection, or it broke.
    case closed(String)
    /// The time limit was reached.
    case timedOut
    /// The server sent something that isn't RESP2, or too much.
    case malformed
  }

  /// The maximum number of reads for one exchange; each reads at most 16 KiB.
  private static let maximumReads = 4_096

  private let context: UnsafeMutablePointer<redisContext>

  /// Connects to a server.
  init(host: String, port: Int, connectTimeout: Duration, commandTimeout: Duration) throws(Failure) {
    guard let port = Int32(exactly: port), (1...65_535).contains(port) else {
      throw .closed("the port is out of range")
    }
    guard host.isWholeInC else { throw .closed("the host contains a null byte") }
    guard let context = unsafe redisConnectWithTimeout(host, port, Self.timeval(connectTimeout)) else {
      throw .closed("no memory is left")
    }
    guard unsafe context.pointee.err == 0 else {
      let reason = unsafe Self.reason(context)
      unsafe redisFree(context)
      throw .closed(reason)
    }
    // The time limit of writes; reads wait with a deadline.
    guard unsafe redisSetTimeout(context, Self.timeval(commandTimeout)) == REDIS_OK else {
      unsafe redisFree(context)
      throw .closed("the time limit can't be set")
    }
    unsafe self.context = context
  }

  deinit { unsafe redisFree(context) }

  /// Sends commands and returns their replies.
  ///
  /// After an error, the connection can't be used any more.
  func exchange(_ commands: RESPCommands, within limit: Duration) throws(Failure) -> [RESPReply] {
    // Real time, because poll measures it.
    let deadline = ContinuousClock.now + limit
    let isAppended = unsafe commands.bytes.withUnsafeBytes { bytes in
      let text = unsafe bytes.bindMemory(to: CChar.self).baseAddress
      return unsafe redisAppendFormattedCommand(context, text, bytes.count) == REDIS_OK
    }
    guard isAppended else { throw .closed("no memory is left") }
    var isSent: CInt = 0
    repeat {
      guard unsafe redisBufferWrite(context, &isSent) == REDIS_OK else { throw failure() }
      if isSent == 0, ContinuousClock.now >= deadline { throw .timedOut }
    } while isSent == 0
    var replies: [RESPReply] = []
    replies.reserveCapacity(commands.count)
    var reads = 0
    while replies.count < commands.count {
      if let reply = try nextReply() {
        replies.append(reply)
      } else {
        guard reads < Self.maximumReads else { throw .malformed }
        reads += 1
        try waitUntilReadable(by: deadline)
        guard unsafe redisBufferRead(context) == REDIS_OK else { throw failure() }
      }
    }
    return replies
  }

  /// Whether the server has closed the idle connection, or has sent something unasked.
  var isStale: Bool { unsafe switchyard_hiredis_wait(context.pointee.fd, 0) != 0 }

  /// Returns the next complete reply among the bytes that were read, or nil.
  private func nextReply() throws(Failure) -> RESPReply? {
    var memory: UnsafeMutableRawPointer?
    guard unsafe redisGetReplyFromReader(context, &memory) == REDIS_OK else { throw failure() }
    guard let memory = unsafe memory else { return nil }
    defer { unsafe freeReplyObject(memory) }
    return unsafe Self.reply(memory.assumingMemoryBound(to: redisReply.self).pointee)
  }

  private func waitUntilReadable(by deadline: ContinuousClock.Instant) throws(Failure) {
    while true {
      let (seconds, attoseconds) = ContinuousClock.now.duration(to: deadline).components
      guard seconds > 0 || attoseconds > 0 else { throw .timedOut }
      // Rounded up, so that it doesn't spin in the last millisecond.
      let milliseconds = min(seconds, 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
      let count = unsafe switchyard_hiredis_wait(context.pointee.fd, Int32(milliseconds))
      if count > 0 { return }
      guard count == 0 || errno == EINTR else { throw .closed("poll failed") }
    }
  }

  private func failure() -> Failure {
    switch unsafe context.pointee.err {
    case REDIS_ERR_PROTOCOL: .malformed
    case REDIS_ERR_IO where errno == EAGAIN: .timedOut
    default: .closed(unsafe Self.reason(context))
    }
  }

  private static func reply(_ reply: redisReply) -> RESPReply {
    switch unsafe reply.type {
    case REDIS_REPLY_STATUS: .status(unsafe text(reply))
    case REDIS_REPLY_ERROR: .error(unsafe text(reply))
    case REDIS_REPLY_STRING: .bytes(unsafe bytes(reply))
    case REDIS_REPLY_INTEGER: .integer(unsafe Int(reply.integer))
    case REDIS_REPLY_NIL: .null
    default: .unexpected
    }
  }

  private static func bytes(_ reply: redisReply) -> [UInt8] {
    guard let start = unsafe reply.str else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: reply.len))
  }

  private static func text(_ reply: redisReply) -> String {
    unsafe String(decoding: bytes(reply), as: UTF8.self)
  }

  /// The system's reason for a failure, which contains no data of the connection.
  private static func reason(_ context: UnsafeMutablePointer<redisContext>) -> String {
    unsafe withUnsafeBytes(of: context.pointee.errstr) { text in
      unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func timeval(_ duration: Duration) -> timeval {
    let (seconds, attoseconds) = max(duration, .milliseconds(1)).components
    var value = CHiredis.timeval()
    value.tv_sec = time_t(min(seconds, 86_400))
    value.tv_usec = suseconds_t(attoseconds / 1_000_000_000_000)
    return value
  }
}

extension ServerConnection {
  /// Connects to a server, and returns the connection after its handshake with the run id of the server.
  ///
  /// - Parameter allowsEviction: Whether the server may evict keys.
  static func opened(
    _ configuration: ValkeyConfiguration, allowsEviction: Bool, fault: ServerFault
  ) throws(NonceStoreError) -> (connection: ServerConnection, runID: String) {
    let connection: ServerConnection
    do throws(Failure) {
      connection = try ServerConnection(
        host: configuration.host, port: configuration.port, connectTimeout: configuration.connectTimeout,
        commandTimeout: configuration.commandTimeout)
    } catch { throw fault.error(for: error, limit: configuration.connectTimeout) }
    let handshake = Handshake(configuration, allowsEviction: allowsEviction)
    let replies: [RESPReply]
    do throws(Failure) {
      replies = try connection.exchange(handshake.commands, within: configuration.commandTimeout)
    } catch { throw fault.error(for: error, limit: configuration.commandTimeout) }
    return (connection, try handshake.runID(from: replies, by: fault))
  }
}

/// The first commands on a connection: credentials, the database, and questions about the server.
struct Handshake: Sendable {
  private let configuration: ValkeyConfiguration
  private let allowsEviction: Bool

  /// Creates a handshake.
  ///
  /// - Parameter allowsEviction: Whether the server may evict keys.
  init(_ configuration: ValkeyConfiguration, allowsEviction: Bool) {
    self.configuration = configuration
    self.allowsEviction = allowsEviction
  }

  /// The commands to send.
  var commands: RESPCommands {
    var commands = RESPCommands()
    if let password = configuration.password {
      if let username = configuration.username {
        commands.append("AUTH", username, password)
      } else {
        commands.append("AUTH", password)
      }
    }
    if configuration.database != 0 { commands.append("SELECT", String(configuration.database)) }
    // Several sections at once require Redis 7.
    commands.append("INFO", "server")
    commands.append("INFO", "memory")
    return commands
  }

  /// Checks the replies, and returns the run id of the server.
  func runID(from replies: [RESPReply], by fault: ServerFault) throws(NonceStoreError) -> String {
    for reply in replies {
      if case .error(let text) = reply { throw fault.error(for: text) }
    }
    guard case .bytes(let server)? = replies.dropLast().last, case .bytes(let memory)? = replies.last,
      replies.dropLast(2).allSatisfy({ $0 == .status("OK") }),
      let report = ServerReport(String(decoding: server + [0x0A] + memory, as: UTF8.self))
    else { throw fault.malformed }
    if let policy = report.evictionPolicy, !allowsEviction { throw fault.evicting(policy) }
    return report.runID
  }
}
