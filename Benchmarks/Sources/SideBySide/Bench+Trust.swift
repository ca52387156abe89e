import Measuring

/// Measures signatures, digests, codings and nonces.
extension Bench {
  /// Returns the megabytes per second of hashing or compressing bodies of 1 MiB.
  func body(_ peer: Peer, _ work: String) throws -> Double {
    if peer == .openSSL { return try openSSLDigest() }
    let requests = work == "digest" ? (isQuick ? 300 : 1_000) : (isQuick ? 10 : 40)
    let arguments = ["--requests", "\(requests)"]
    let program =
      peer == .cLibrary
      ? programs.library("coding", ["--coding", work] + arguments)
      : programs.ours("body", ["--work", work] + arguments)
    let line = try result(of: program, requests: requests)
    guard let seconds = line.number("seconds"), seconds > 0, let bytes = line.number("bytes") else {
      throw Trouble("\(peer.rawValue) printed no time")
    }
    return bytes / 1e6 / seconds
  }

  /// Returns the rate of `openssl speed` for the same digest and length.
  private func openSSLDigest() throws -> Double {
    guard let openssl = Program.find("openssl") else { throw Trouble("openssl is not installed") }
    let ending = try Program(
      path: openssl, arguments: ["speed", "-seconds", "1", "-bytes", "1048576", "-mr", "-evp", "sha256"]
    ).run()
    let rate = ending.output.split(separator: "\n").first { $0.hasPrefix("+F:") }?
      .split(separator: ":").last.flatMap { Double($0) }
    guard let rate else { throw Trouble("openssl speed printed no rate") }
    return rate / 1e6
  }

  /// Returns the microseconds of a round trip that claims a nonce.
  func nonces(_ peer: Peer, _ server: LocalServer) throws -> Double {
    let requests = isQuick ? 3_000 : 20_000
    let arguments = ["--port", "\(server.port)", "--warm-up", "500", "--requests", "\(requests)"]
    let program =
      peer == .cLibrary ? programs.library("nonces", arguments) : programs.ours("nonces", arguments)
    guard let seconds = try result(of: program, requests: requests).number("seconds") else {
      throw Trouble("\(peer.rawValue) printed no time")
    }
    return seconds / Double(requests) * 1e6
  }
}
