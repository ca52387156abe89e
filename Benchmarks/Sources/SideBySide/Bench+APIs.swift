import Measuring

/// Measures loads of APIs whose base is measured by the same program.
extension Bench {
  /// Runs a program that measures a load and its base in turn, in every round, and compares the medians.
  func pairs(
    _ experiment: Experiment, _ values: () throws -> (ours: Double, peer: Double)
  ) -> [Outcome] {
    var (ours, peers) = (Samples(), Samples())
    do {
      for _ in 0..<rounds {
        let pair = try values()
        ours.add(pair.ours)
        peers.add(pair.peer)
      }
    } catch {
      return experiment.comparisons.map { Outcome($0.figure, .failed("\(error)")) }
    }
    return experiment.comparisons.map {
      Outcome($0.figure, .measured(ours: ours.median ?? .nan, peer: peers.median))
    }
  }

  /// Returns the microseconds of a call, the megabytes per second, or the milliseconds of a first request.
  func pair(_ load: PairedLoad) throws -> (ours: Double, peer: Double) {
    let requests =
      switch load {
      case .manager: isQuick ? 10_000 : 40_000
      case .json: isQuick ? 20 : 80
      case .firstByte: isQuick ? 10 : 40
      }
    let program =
      switch load {
      case .manager: programs.ours("manager", ["--warm-up", "1000", "--requests", "\(requests)"])
      case .json: programs.ours("json", ["--requests", "\(requests)"])
      case .firstByte: try programs.ours("connect", firstByteArguments + ["--requests", "\(requests)"])
      }
    let line = try result(of: program, requests: requests)
    guard let seconds = line.number("seconds"), seconds > 0, let base = line.number("base-seconds"), base > 0
    else { throw Trouble("a program printed no time") }
    switch load {
    case .manager: return (seconds / Double(requests) * 1e6, base / Double(requests) * 1e6)
    case .json:
      guard let bytes = line.number("bytes") else { throw Trouble("a program printed no bytes") }
      return (bytes / 1e6 / seconds, bytes / 1e6 / base)
    case .firstByte: return (seconds / Double(requests) * 1e3, base / Double(requests) * 1e3)
    }
  }
}
