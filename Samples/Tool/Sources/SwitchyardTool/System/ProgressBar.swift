import Interception
import ToolCommands

/// The progress of a transfer on a terminal.
enum ProgressBar {
  /// Runs a transfer, and draws its progress if standard error is a terminal.
  static func show<Outcome>(
    _ transfer: (_ meter: TransferMeter?) async throws -> Outcome
  ) async throws -> Outcome {
    guard Terminal.error.isTerminal else { return try await transfer(nil) }
    let meter = TransferMeter()
    async let drawing: Void = draw(meter)
    do {
      let outcome = try await transfer(meter)
      await drawing
      return outcome
    } catch {
      meter.finish()
      await drawing
      throw error
    }
  }

  /// Draws the progress until the meter is finished, at most ten times per second.
  private static func draw(_ meter: TransferMeter) async {
    let terminal = Terminal.error
    let clock = ContinuousClock()
    let start = clock.now
    var first: Int64?
    var last: ContinuousClock.Instant?
    for await progress in meter.updates() {
      let resumed = first ?? progress.bytes
      first = resumed
      guard last.map({ $0.duration(to: clock.now) >= .milliseconds(100) }) ?? true else { continue }
      last = clock.now
      let line = ProgressLine(
        bytes: progress.bytes, total: progress.total, resumedFrom: resumed,
        elapsed: start.duration(to: clock.now))
      try? terminal.write(Array("\r\u{1B}[K\(line.text(terminal.ink, width: terminal.width - 1))".utf8))
    }
    try? terminal.write(Array("\r\u{1B}[K".utf8))
  }
}
