import NonceStores

/// Collects the results that differ from the expected ones.
struct NonceStoreViolations {
  let rule: String
  private(set) var sentences: [String] = []

  init(rule: String) { self.rule = rule }

  mutating func expect<Value: Equatable>(_ expected: Value, _ actual: Value) {
    if actual != expected { sentences.append("\(rule): expected \(expected), got \(actual)") }
  }

  mutating func expect(_ expected: NonceVerdict, _ actual: NonceVerdict) {
    if actual != expected { sentences.append("\(rule): expected \(expected), got \(actual)") }
  }
}
