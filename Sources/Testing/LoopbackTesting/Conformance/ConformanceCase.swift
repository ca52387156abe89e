#if LoopbackTesting
/// A requirement on dispatchers, as a named case that can be run, excluded and reported.
package struct ConformanceCase: Sendable {
  /// The unique name, such as `http2GoAway`.
  package let name: String
  /// The requirement as a sentence.
  package let title: String
  /// The abilities that the case needs.
  let needs: ConformanceNeeds
  let run: @Sendable (ConformanceContext) async throws -> Void

  init(
    _ name: String, _ title: String, needs: ConformanceNeeds = [],
    run: @escaping @Sendable (ConformanceContext) async throws -> Void
  ) {
    self.name = name
    self.title = title
    self.needs = needs
    self.run = run
  }

  /// All cases, in the order in which they run.
  package static let all: [ConformanceCase] =
    heads + requestBodies + answerBodies + limits + decoding + connecting + trust + breaking + timeouts
    + cancelling + concurrent + http2
}

extension ConformanceCase: CustomStringConvertible {
  /// The name and the title.
  package var description: String { "\(name): \(title)" }
}

#endif
