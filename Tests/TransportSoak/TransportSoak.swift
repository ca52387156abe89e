import Foundation
import LoopbackServing
import TransportSoaking

/// `transport-soak REQUESTS SEED`: runs a soak alone in its process; exits 1 when anything is wrong.
@main
struct TransportSoak {
  static func main() async throws {
    let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
    guard numbers.count == 2, let requests = numbers[0], let seed = numbers[1], requests <= 100_000_000 else {
      FileHandle.standardError.write(Data("usage: transport-soak REQUESTS SEED\n".utf8))
      exit(64)
    }
    let soak = Soak(
      seed: seed, requests: Int(requests), hasHTTP2: NginxServer.isInstalled, isAlone: true)
    let report = try await soak.run { line in
      print(line)
      fflush(nil)
    }
    for fault in report.faults { print("FAULT \(fault)") }
    let isSound = report.faults.isEmpty && report.answers == soak.requests && report.answeredTwice == 0
    print(isSound ? "PASS" : "FAIL")
    // A sanitizer that has something to say ends the process without writing what is held back.
    fflush(nil)
    exit(isSound ? 0 : 1)
  }
}
