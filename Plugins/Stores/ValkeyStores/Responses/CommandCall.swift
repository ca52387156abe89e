import RequestSigning

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
