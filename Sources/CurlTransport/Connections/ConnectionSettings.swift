import CLibcurl

/// A ``ConnectionPolicy`` in libcurl's numbers, worked out once.
struct ConnectionSettings {
  // What is libcurl's default need not be said; nil stands for it.
  private let idle: Int?
  private let lifetime: Int?
  private let headStart: Int?
  private let probe: Int?
  /// Whether a connection may be too old for its next request although it rested but a moment.
  var areShortLived: Bool { lifetime != nil }

  init(_ policy: ConnectionPolicy) {
    idle = policy.idle.seconds == 118 ? nil : policy.idle.seconds
    lifetime = policy.lifetime?.seconds
    let headStart = min(policy.headStart.wholeMilliseconds, Int(Int32.max))
    self.headStart = headStart == 200 ? nil : headStart
    probe = policy.probe?.seconds
  }

  /// Sets how a connection is made and how long it is kept.
  func set(_ handle: EasyHandle) throws(CurlError) {
    if let idle { try handle.set(CURLOPT_MAXAGE_CONN, idle) }
    if let lifetime { try handle.set(CURLOPT_MAXLIFETIME_CONN, lifetime) }
    if let headStart { try handle.set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, headStart) }
    guard let probe else { return }
    try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
    guard probe != 60 else { return }
    try handle.set(CURLOPT_TCP_KEEPIDLE, probe)
    try handle.set(CURLOPT_TCP_KEEPINTVL, probe)
  }
}
