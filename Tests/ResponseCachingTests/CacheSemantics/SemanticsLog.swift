import HTTPTypes
import Interception

/// What the server saw of a test, compared with what it should have seen.
struct SemanticsLog {
  let visits: [SemanticsOrigin.Visit]

  /// Compares; a step that is answered by the cache has no visit.
  func check(_ steps: [SemanticsStep], _ responses: [Response]) throws(SemanticsFailure) {
    var next = 0
    for (index, step) in steps.enumerated() where step.source != .cached {
      let visit = visits.indices.contains(next) ? visits[next] : nil
      next += 1
      try checkSource(step, visit, index + 1)
      try checkRequest(step, visit, index + 1)
      for (name, value) in visit?.sent ?? [] {
        // Dates are the server's own affair, and what sets cookies a browser doesn't show.
        guard !["date", "set-cookie", "set-cookie2"].contains(name.lowercased()) else { continue }
        let received = responses[index].head.headerFields[.named(name)]
        try SemanticsOutcome.check(
          received == value, isPreparation: true,
          "response \(index + 1) has \(name): \(received ?? "nothing"), not \(value)")
      }
    }
  }

  private func checkSource(
    _ step: SemanticsStep, _ visit: SemanticsOrigin.Visit?, _ number: Int
  ) throws(SemanticsFailure) {
    let isPreparation = step.isPreparation(.source)
    let validator: HTTPField.Name
    switch step.source {
    case .notCached:
      try SemanticsOutcome.check(
        visit?.number == number, isPreparation: isPreparation,
        "request \(number) did not reach the server in its turn")
      return
    case .validatedByTag: validator = .ifNoneMatch
    case .validatedByDate: validator = .ifModifiedSince
    case .cached, nil: return
    }
    try SemanticsOutcome.check(
      visit?.fields.contains(validator) ?? false, isPreparation: isPreparation,
      "request \(number) reached the server without \(validator)")
  }

  private func checkRequest(
    _ step: SemanticsStep, _ visit: SemanticsOrigin.Visit?, _ number: Int
  ) throws(SemanticsFailure) {
    for expectation in step.expectedRequestFields {
      try SemanticsOutcome.check(
        visit.map { expectation.holds(in: $0.fields, at: nil) } ?? false,
        isPreparation: step.isPreparation(.requestFields),
        "request \(number): \(expectation) in \(visit.map { "\($0.fields)" } ?? "nothing that was sent")")
    }
    for expectation in step.missingRequestFields {
      try SemanticsOutcome.check(
        visit.map { !expectation.holds(in: $0.fields, at: nil) } ?? false,
        isPreparation: step.isPreparation(.missingRequestFields), "request \(number): no \(expectation)")
    }
    guard let method = step.expectedMethod else { return }
    try SemanticsOutcome.check(
      visit?.method == method, isPreparation: step.isPreparation(.method),
      "request \(number) has the method \(visit?.method ?? "none"), not \(method)")
  }
}
