/// The outcomes of a run in the format of JUnit, which CI systems read.
package struct JUnitReport: Sendable {
  /// A file of requests.
  package struct Suite: Sendable {
    package let name: String
    package var cases: [Case]

    package init(name: String, cases: [Case] = []) { (self.name, self.cases) = (name, cases) }
  }

  /// A request.
  package struct Case: Sendable {
    package enum Outcome: Sendable, Hashable {
      case passed
      /// Assertions that failed, as texts.
      case failed(String)
      /// No response was received.
      case error(String)
      case skipped
    }

    let name: String
    let outcome: Outcome
    let duration: Duration

    package init(name: String, outcome: Outcome, duration: Duration = .zero) {
      (self.name, self.outcome, self.duration) = (name, outcome, duration)
    }
  }

  private let suites: [Suite]

  package init(_ suites: [Suite]) { self.suites = suites }

  /// Returns the report without the secrets in its names and texts.
  package func hidingSecrets(by scrubber: SecretScrubber) -> JUnitReport {
    JUnitReport(
      suites.map { suite in
        Suite(
          name: scrubber.text(suite.name),
          cases: suite.cases.map { item in
            let outcome: Case.Outcome =
              switch item.outcome {
              case .failed(let text): .failed(scrubber.text(text))
              case .error(let text): .error(scrubber.text(text))
              case .passed, .skipped: item.outcome
              }
            return Case(name: scrubber.text(item.name), outcome: outcome, duration: item.duration)
          })
      })
  }

  /// The document.
  package var text: String {
    let all = suites.flatMap(\.cases)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(Self.counts(all))>\n"
    for suite in suites {
      text += "  <testsuite name=\"\(XMLText.escaped(suite.name))\" \(Self.counts(suite.cases))>\n"
      for item in suite.cases { text += Self.element(item, in: suite) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func element(_ item: Case, in suite: Suite) -> String {
    let names = "name=\"\(XMLText.escaped(item.name))\" classname=\"\(XMLText.escaped(suite.name))\""
    let start = "    <testcase \(names) time=\"\(seconds(item.duration))\""
    switch item.outcome {
    case .passed: return start + "/>\n"
    case .skipped: return start + "><skipped/></testcase>\n"
    case .failed(let text): return start + ">\(problem("failure", text))</testcase>\n"
    case .error(let text): return start + ">\(problem("error", text))</testcase>\n"
    }
  }

  private static func problem(_ kind: String, _ text: String) -> String {
    let first = text.split(separator: "\n").first.map(String.init) ?? ""
    return "<\(kind) message=\"\(XMLText.escaped(first))\">\(XMLText.escaped(text))</\(kind)>"
  }

  private static func counts(_ cases: [Case]) -> String {
    var (failures, errors, skipped) = (0, 0, 0)
    for item in cases {
      switch item.outcome {
      case .failed: failures += 1
      case .error: errors += 1
      case .skipped: skipped += 1
      case .passed: break
      }
    }
    let time = seconds(cases.reduce(.zero) { $0 + $1.duration })
    return
      "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(time)\""
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds).\(CalendarFields.digits(Int(attoseconds / 1_000_000_000_000_000), 3))"
  }
}
