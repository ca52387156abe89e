import HTTPTypes
import Interception

/// The requests that reached the server during a test, with checks against the expected ones.
struct SemanticsLog {
  let visits: [SemanticsOrigin.Visit]

  /// Checks the visits; a step served from the cache has none.
  func check(_ steps: [SemanticsStep], _ responses: [Response]) throws(SemanticsFailure) {
    var next = 0
    for (index, step) in steps.enumerated() where step.source != .cached {
      let visit = visits.indices.contains(next) ? visits[next] : nil
      next += 1
      try checkSource(step, visit, index + 1)
      try checkRequest(step, visit, index + 1)
      for (name, value) in visit?.sent ?? [] {
        // Dates are set by the server itself, and browsers don't expose cookie fields.
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
        "request \(number) did not reach the server in order")
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
        "request \(number): \(expectation) in \(visit.map { "\($0.fields)" } ?? "no request")")
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
