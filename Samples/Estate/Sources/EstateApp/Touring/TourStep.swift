import Switchyard

struct TourStep: Sendable {
  let title: String
  let expected: StepResult
  /// The minimum number of answers from the cache.
  let hits: Int
  let action: @Sendable (Mediator) async throws -> String?

  init(
    _ title: String, expecting expected: StepResult = .done, hits: Int = 0,
    _ action: @escaping @Sendable (Mediator) async throws -> String?
  ) {
    self.title = title
    self.expected = expected
    self.hits = hits
    self.action = action
  }

  static func open(
    _ url: String, _ why: String, expecting expected: StepResult = .done, hits: Int = 0
  ) -> TourStep {
    TourStep("\(url)  — \(why)", expecting: expected, hits: hits) { mediator in
      let answer = try await mediator.open(url, returning: (any Sendable).self)
      return answer is Void ? nil : "\(answer)"
    }
  }
}
