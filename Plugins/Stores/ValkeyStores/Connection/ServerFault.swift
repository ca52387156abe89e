import NonceStores

/// Turns failures of a server into errors that name the server and a remedy.
struct ServerFault: Sendable {
  /// The address of the server.
  let server: String
  /// The commands that the server's user needs.
  var commands = "SET, GET, SELECT and INFO"
  /// The calls that wait for the server.
  var calls = "claims"

  /// Returns the error for an error reply.
  ///
  /// Only its code is quoted, because the text of a reply may repeat what was sent.
  func error(for reply: String) -> NonceStoreError {
    let code = String(reply.prefix { $0.isASCII && ($0.isUppercase || $0 == "_") }.prefix(32))
    let kind: NonceStoreError.Kind
    let remedy: String
    switch code {
    case "OOM": (kind, remedy) = (.full, "raise its maxmemory")
    case "NOAUTH", "WRONGPASS":
      (kind, remedy) = (.refused, "check the user name and password of the configuration")
    case "NOPERM":
      (kind, remedy) = (
        .refused, "allow the user the commands \(commands) on keys with the prefix"
      )
    case "READONLY": (kind, remedy) = (.refused, "use the address of the primary instead of a replica")
    case "MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN":
      (kind, remedy) = (.refused, "use a server that is not part of a cluster")
    case "LOADING", "MASTERDOWN", "BUSY", "TRYAGAIN":
      (kind, remedy) = (.unreachable, "wait until it is ready")
    case "MISCONF": (kind, remedy) = (.refused, "repair its persistence; its log has the reason")
    default:
      (kind, remedy) = (.refused, "check its log, and the database and credentials of the configuration")
    }
    return NonceStoreError(
      kind, "\(server) replied with the error \(code.isEmpty ? "ERR" : code); \(remedy).")
  }

  /// The error for a connection that can't be opened, or that was closed by the server.
  func unreachable(_ reason: String) -> NonceStoreError {
    NonceStoreError(
      .unreachable,
      "\(server) is not reachable (\(reason)); check that it runs and that the address is right.")
  }

  /// Returns the error for an exchange that failed.
  func error(for failure: ServerConnection.Failure, limit: Duration) -> NonceStoreError {
    switch failure {
    case .closed(let reason): unreachable(reason)
    case .timedOut: timedOut(after: limit)
    case .malformed: malformed
    }
  }

  /// The error for a missing reply.
  func timedOut(after limit: Duration) -> NonceStoreError {
    NonceStoreError(
      .timedOut,
      "\(server) did not reply within \(limit); check its load and the network, or raise the limit.")
  }

  /// The error for a reply that isn't RESP2, or that the command can't have.
  var malformed: NonceStoreError {
    NonceStoreError(
      .malformed, "\(server) sent a malformed reply; check that a Valkey or Redis server has this address.")
  }

  /// The error for a server that may evict nonces.
  func evicting(_ policy: String) -> NonceStoreError {
    NonceStoreError(
      .unsuitable,
      "\(server) evicts keys when its memory is full (\(policy)), so nonces could be lost; "
        + "set its maxmemory-policy to noeviction.")
  }

  /// The error for nonces that were lost.
  var forgotten: NonceStoreError {
    NonceStoreError(
      .forgotten,
      "\(server) was started or emptied after the request could have been accepted, so earlier nonces are "
        + "unknown; wait one window.")
  }

  /// The error for a queue that is full.
  func overloaded(_ limit: Int) -> NonceStoreError {
    NonceStoreError(
      .overloaded, "\(limit) \(calls) already wait for \(server); check its load, or raise the maximum.")
  }
}

/// The facts about a server that decide whether it can remember nonces, from the reply to `INFO`.
struct ServerReport: Sendable, Hashable {
  /// Identifies the running process of the server; it differs after each start.
  let runID: String
  /// The policy by which keys are evicted; nil if the server's memory is unlimited or keys are not evicted.
  let evictionPolicy: String?

  /// Parses the sections `server` and `memory`; nil if they have no run id, or one that isn't plain.
  init?(_ text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...]
    }
    guard let runID = values["run_id"], (1...64).contains(runID.utf8.count),
      runID.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.runID = String(runID)
    let policy = values["maxmemory_policy"].map(String.init) ?? "noeviction"
    let isLimited = values["maxmemory"].map { $0 != "0" } ?? false
    evictionPolicy = isLimited && policy != "noeviction" ? String(policy.prefix(32)) : nil
  }
}
