/// The calls of an archive that a command line names.
public struct CallSelection: Sendable {
  private let numbers: [Int]
  private let pattern: String?
  private let onlyFailures: Bool

  /// Creates a selection; a call must fulfil all that is named.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of calls; empty for any.
  ///   - pattern: A regular expression that the first URL of a call contains.
  ///   - onlyFailures: Whether only calls are chosen that failed, and were not cancelled.
  public init(numbers: [Int], pattern: String?, onlyFailures: Bool) {
    (self.numbers, self.pattern, self.onlyFailures) = (numbers, pattern, onlyFailures)
  }

  /// Returns the calls that are listed, which may be none.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage`` for a number or an expression that is none.
  public func listed(_ calls: [RecordedCall]) throws(ToolFailure) -> [RecordedCall] {
    for number in numbers where !calls.contains(where: { $0.number == number }) {
      let range = calls.isEmpty ? "none" : "\(calls[0].number) to \(calls[calls.count - 1].number)"
      throw ToolFailure(.usage, "There is no call \(number); the recording has \(range). See --list.")
    }
    var expression: Regex<AnyRegexOutput>?
    if let pattern {
      do { expression = try Regex(pattern) } catch {
        throw ToolFailure(.usage, "\"\(Printable.text(pattern))\" is no regular expression; correct --url.")
      }
    }
    return calls.filter { call in
      (numbers.isEmpty || numbers.contains(call.number))
        && (expression.map { call.url.firstMatch(of: $0) != nil } ?? true)
        && (!onlyFailures || call.isFailure && !call.isCancelled)
    }
  }

  /// Returns the calls of which tests are written, at least one.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage`` if none is chosen, or if nothing chooses among
  ///   several.
  public func chosen(_ calls: [RecordedCall]) throws(ToolFailure) -> [RecordedCall] {
    let chosen = try listed(calls)
    guard !chosen.isEmpty else {
      throw ToolFailure(.usage, calls.isEmpty ? "The recording has no call." : "No call matches. See --list.")
    }
    guard chosen.count == 1 || !numbers.isEmpty || pattern != nil || onlyFailures else {
      throw ToolFailure(
        .usage,
        "The recording has \(chosen.count) calls; name some with --call, --url or --failed. See --list.")
    }
    return chosen
  }
}
