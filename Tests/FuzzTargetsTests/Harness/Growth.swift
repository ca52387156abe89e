import Foundation

/// Measures how the time of a check grows with the length of its input.
///
/// An input is repeated to a short and to a long text. Of a check in linear time the long one takes four
/// times as long, of one in quadratic time sixteen times.
enum Growth {
  static let law = "The time is not quadratic in the length of the input."
  static let short = 4_096
  static let long = 16_384
  /// The maximum quotient of both times.
  static let steepest = 10.0
  /// A shorter time is not compared: it is that of noise, and no attack.
  static let negligible = 0.002

  struct Measurement: Comparable, CustomStringConvertible {
    static let none = Measurement(short: 1, long: 0)

    /// The processor time of the short text, in seconds.
    var short: Double
    /// The processor time of the long text, in seconds.
    var long: Double

    var quotient: Double { long / Swift.max(short, 1e-9) }
    var isTooSteep: Bool { long > Growth.negligible && quotient > Growth.steepest }

    var description: String {
      let times = [short, long].map { String(format: "%.2f", $0 * 1_000) }
      return "\(Growth.short) bytes take \(times[0]) ms, \(Growth.long) bytes \(times[1]) ms."
    }

    static func < (left: Measurement, right: Measurement) -> Bool { left.long < right.long }
  }

  /// Returns what is repeated of an input: all of it, and each kind of its punctuation together with what
  /// precedes it for the first time.
  static func stretches(of input: [UInt8]) -> [[UInt8]] {
    [input]
      + Set(
        input.filter { $0 < 0x30 || (0x3A...0x40).contains($0) || (0x5B...0x60).contains($0) || $0 > 0x7A }
      )
      .sorted().prefix(16).map { [$0] }
  }

  /// Measures a check; again while it seems too steep, because another program can have disturbed it.
  static func measure(_ target: FuzzTarget, _ input: [UInt8]) -> Measurement {
    measure(input) { bytes in _ = try? target.check(bytes) }
  }

  static func measure(_ input: [UInt8], _ check: ([UInt8]) -> Void) -> Measurement {
    let texts = [repeated(input, to: short), repeated(input, to: long)]
    var best = Measurement(short: .infinity, long: .infinity)
    for round in 0..<30 {
      best.long = min(best.long, time { check(texts[1]) })
      if round == 0, best.long <= negligible { return Measurement(short: best.long, long: best.long) }
      best.short = min(best.short, time { check(texts[0]) })
      if !best.isTooSteep { break }
    }
    return best
  }

  private static func repeated(_ input: [UInt8], to length: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < length, !input.isEmpty { bytes += input.prefix(length - bytes.count) }
    return bytes
  }

  /// Returns the processor time of this thread that a closure takes, in seconds.
  private static func time(_ work: () -> Void) -> Double {
    let start = now()
    work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
