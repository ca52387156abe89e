import Interception
import NonceStores

/// Sends the commands of calls to the server one after another, on a thread of its own.
final class CommandWorker {
  private let queue: CallQueue<CommandCall>
  private let configuration: ValkeyConfiguration
  private let fault: ServerFault
  private let time: TimeSource
  private let random: @Sendable () -> UInt64
  private var schedule: ReconnectSchedule
  private var session: (connection: ServerConnection, runID: String)?

  init(
    _ queue: CallQueue<CommandCall>, _ configuration: ValkeyConfiguration, fault: ServerFault,
    time: TimeSource, random: @escaping @Sendable () -> UInt64
  ) {
    self.queue = queue
    self.configuration = configuration
    self.fault = fault
    self.time = time
    self.random = random
    schedule = ReconnectSchedule(configuration.reconnectDelays)
  }

  /// Handles calls until the queue is closed.
  func run() {
    while let calls = queue.next() {
      for call in calls { call.continuation.resume(returning: result(of: call)) }
    }
  }

  private func result(of call: CommandCall) -> Result<CommandCall.Reply, NonceStoreError> {
    guard call.deadline >= time.now() else {
      return .failure(fault.timedOut(after: configuration.commandTimeout))
    }
    do throws(NonceStoreError) {
      return .success(try send(call.commands))
    } catch {
      return .failure(error)
    }
  }

  private func send(_ commands: RESPCommands) throws(NonceStoreError) -> CommandCall.Reply {
    if let session, !session.connection.isStale {
      do throws(NonceStoreError) {
        return try exchange(commands, session)
      } catch {
        self.session = nil
        // The server closed the connection or was restarted. All commands may be executed twice.
        guard error.kind == .unreachable else { throw failed(error) }
      }
    }
    session = nil
    if let refusal = schedule.refusal(at: time.now()) { throw refusal }
    do throws(NonceStoreError) {
      // A cache may evict, so any server is suitable.
      let session = try ServerConnection.opened(configuration, allowsEviction: true, fault: fault)
      let reply = try exchange(commands, session)
      self.session = session
      schedule.recordSuccess()
      return reply
    } catch {
      throw failed(error)
    }
  }

  private func exchange(
    _ commands: RESPCommands, _ session: (connection: ServerConnection, runID: String)
  ) throws(NonceStoreError) -> CommandCall.Reply {
    do throws(ServerConnection.Failure) {
      let replies = try session.connection.exchange(commands, within: configuration.commandTimeout)
      return CommandCall.Reply(replies: replies, runID: session.runID)
    } catch { throw fault.error(for: error, limit: configuration.commandTimeout) }
  }

  private func failed(_ error: NonceStoreError) -> NonceStoreError {
    let fraction = Double(random() >> 11) / Double(UInt64(1) << 53)
    schedule.recordFailure(error, at: time.now(), fraction: fraction)
    return error
  }
}

/// Commands, and the continuation of their caller.
struct CommandCall: Sendable {
  /// The replies, and the run id of the server that sent them.
  struct Reply: Sendable {
    let replies: [RESPReply]
    let runID: String
  }

  let commands: RESPCommands
  /// The time after which the commands are not sent any more.
  let deadline: Duration
  let continuation: CheckedContinuation<Result<Reply, NonceStoreError>, Never>
}

/// The removals that could not be sent to the server, which are repeated before the next command.
struct PendingRemovals: Sendable {
  /// The maximum number of keys, beyond which everything is removed.
  static let maximumCount = 256

  private var marks: [String: UInt64] = [:]
  private var mark: UInt64 = 0

  /// Adds keys to delete; `all` replaces them if there are too many.
  mutating func add(_ names: [String], all: String) {
    mark += 1
    for name in names { marks[name] = mark }
    if marks.count > Self.maximumCount { marks = [all: mark] }
  }

  /// The keys to delete, and a mark for ``confirm(_:upTo:)``.
  var batch: (names: [String], mark: UInt64) { (marks.keys.sorted(), mark) }

  /// Records that keys were deleted, except for those that were added again since the mark.
  mutating func confirm(_ names: [String], upTo mark: UInt64) {
    for name in names where marks[name].map({ $0 <= mark }) ?? false { marks[name] = nil }
  }
}
