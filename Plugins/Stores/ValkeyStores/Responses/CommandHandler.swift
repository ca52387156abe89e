import NonceStores

/// Sends the commands of calls one after another.
struct CommandHandler: CallHandler {
  /// The replies, and the run id of the server that sent them.
  struct Reply: Sendable {
    let replies: [RESPReply]
    let runID: String
  }

  // A cache may evict, so any server is suitable.
  static var allowsEviction: Bool { true }
  static var batchSize: Int { 1 }

  func replies(to calls: [RESPCommands], over link: ServerLink) throws(NonceStoreError) -> [Reply] {
    // All commands may be executed twice.
    try link.perform { session, _ throws(NonceStoreError) in
      try calls.map { commands throws(NonceStoreError) in
        Reply(replies: try session.exchange(commands), runID: session.runID)
      }
    }
  }
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
