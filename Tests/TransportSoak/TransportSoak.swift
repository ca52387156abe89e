import Foundation
import LoopbackServing
import TransportSoaking

/// Runs a soak alone in its process; exits 1 when anything is wrong.
///
/// `transport-soak REQUESTS SEED` is one over HTTP/1.1 and HTTP/2, `transport-soak --http3 MINUTES SEED` one
/// over HTTP/3.
@main
struct TransportSoak {
  static func main() async throws {
    let report: SoakReport
    let words = Array(CommandLine.arguments.dropFirst())
    if words.count == 3, words[0] == "--http3", let minutes = Double(words[1]),
      (0...10_000).contains(minutes),
      let seed = UInt64(words[2])
    {
      let soak = HTTP3Soak(seed: seed, duration: .seconds(minutes * 60), isAlone: true)
      report = try await soak.run(progress: show)
    } else if words.count == 2, let requests = Int(words[0]), (0...100_000_000).contains(requests),
      let seed = UInt64(words[1])
    {
      let soak = Soak(seed: seed, requests: requests, hasHTTP2: NginxServer.isInstalled, isAlone: true)
      report = try await soak.run(progress: show)
    } else {
      let usage = "usage: transport-soak REQUESTS SEED, or transport-soak --http3 MINUTES SEED\n"
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
    for fault in report.faults { print("FAULT \(fault)") }
    print(report.isSound ? "PASS" : "FAIL")
    // A sanitizer that has something to say ends the process without writing what is held back.
    fflush(nil)
    exit(report.isSound ? 0 : 1)
  }

  @Sendable private static func show(_ line: String) {
    print(line)
    fflush(nil)
  }
}
