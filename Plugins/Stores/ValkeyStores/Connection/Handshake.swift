import RequestSigning

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
