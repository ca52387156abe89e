import Interception

/// The outcomes of one wave.
struct SoakTally: Sendable {
  private let first: Int
  private var answers: [UInt8]
  private var outcomes: [String: Int] = [:]
  private var faults: [String] = []

  init(_ range: Range<Int>) {
    first = range.lowerBound
    answers = Array(repeating: 0, count: range.count)
  }

  mutating func note(_ number: Int, _ outcome: SoakCall.Outcome, fault: String?) {
    answers[number - first] += 1
    if case .whole(_, _, let version?) = outcome { outcomes[version.rawValue, default: 0] += 1 }
    let name =
      switch outcome {
      case .whole: "whole"
      case .letGo: "let_go"
      case .failed(let error): error.label
      }
    outcomes[name, default: 0] += 1
    if let fault { faults.append(fault) }
  }

  func add(to report: inout SoakReport) {
    report.requests += answers.count
    report.answers += answers.count { $0 > 0 }
    report.answeredTwice += answers.count { $0 > 1 }
    report.outcomes.merge(outcomes) { $0 + $1 }
    for fault in faults { report.add(fault) }
  }
}
