import Foundation

/// Measures how the time of a check grows with the length of its input.
///
/// An input is repeated to a short and to a long text. A check in linear time takes 16 times as long for the
/// long one, and a check in quadratic time 256 times.
enum Growth {
  static let law = "The time is not quadratic in the length of the input."
  static let short = 2_048
  static let long = 32_768
  /// The maximum quotient of both times: four times that of linear time, and a fourth of that of quadratic
  /// time.
  static let steepest = 64.0
  /// The maximum time in seconds that is not compared, because no attack takes so little.
  static let negligible = 0.005
  /// The maximum number of times that each text is measured.
  static let rounds = 30

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

  /// Measures a check by the processor time of this thread, which no other thread uses.
  static func measure(_ target: FuzzTarget, _ input: [UInt8]) -> Measurement {
    measure(input, by: processorTime) { bytes in _ = try? target.check(bytes) }
  }

  /// Measures a check of an input by a clock that returns seconds.
  ///
  /// The result has the shortest time of each text, because an interrupt or a cold cache makes a measurement
  /// longer. The texts are measured again only while the check seems too steep.
  static func measure(_ input: [UInt8], by clock: () -> Double, _ check: ([UInt8]) -> Void) -> Measurement {
    func time(_ text: [UInt8]) -> Double {
      let start = clock()
      check(text)
      return clock() - start
    }
    let longText = repeated(input, to: long)
    let shortText = Array(longText.prefix(short))
    var best = Measurement(short: .infinity, long: .infinity)
    for _ in 0..<rounds {
      best.long = min(best.long, time(longText))
      if best.long <= negligible { return Measurement(short: min(best.short, best.long), long: best.long) }
      best.short = min(best.short, time(shortText))
      if !best.isTooSteep { break }
    }
    return best
  }

  private static func repeated(_ input: [UInt8], to length: Int) -> [UInt8] {
    guard !input.isEmpty else { return [] }
    // A debug build takes longer for a loop over short inputs than for most of the checks.
    var bytes = input
    while bytes.count < length { bytes += bytes }
    return Array(bytes.prefix(length))
  }

  /// The processor time that this thread has used, in seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
