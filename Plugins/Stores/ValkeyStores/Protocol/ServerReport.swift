import RequestSigning

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
