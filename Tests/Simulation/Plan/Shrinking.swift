import Interception

/// Makes a failing plan shorter, so that its story can be read.
package struct Shrinking {
  /// The shortest plan found.
  package private(set) var plan: Plan
  /// The invariant that it breaks.
  package let invariant: Invariant
  /// How many plans were run.
  package private(set) var runs = 0

  /// Shrinks a plan that breaks an invariant, by leaving out steps and simplifying calls as long as the same
  /// invariant is broken; nil if the plan breaks none.
  package init?(_ plan: Plan, limit: Int = 2_000) throws {
    guard let violation = try History(plan).violations.first else { return nil }
    self.plan = plan
    invariant = violation.invariant
    var hasChanged = true
    while hasChanged, runs < limit {
      hasChanged = try leaveOutSteps()
      if try simplifyCalls() { hasChanged = true }
    }
  }

  /// Leaves out runs of steps: halves first, single steps last.
  private mutating func leaveOutSteps() throws -> Bool {
    var hasChanged = false
    var width = max(plan.steps.count / 2, 1)
    while width >= 1 {
      var start = 0
      while start < plan.steps.count {
        var shorter = plan
        shorter.steps.removeSubrange(start..<min(start + width, plan.steps.count))
        if try adopt(shorter) { hasChanged = true } else { start += width }
      }
      width /= 2
    }
    return hasChanged
  }

  private mutating func simplifyCalls() throws -> Bool {
    var hasChanged = false
    for index in plan.steps.indices {
      guard case .call(let call) = plan.steps[index].action else { continue }
      for simpler in call.simpler {
        var candidate = plan
        candidate.steps[index].action = .call(simpler)
        if try adopt(candidate) {
          hasChanged = true
          break
        }
      }
    }
    return hasChanged
  }

  private mutating func adopt(_ candidate: Plan) throws -> Bool {
    runs += 1
    guard !candidate.steps.isEmpty,
      try History(candidate).violations.contains(where: { $0.invariant == invariant })
    else { return false }
    plan = candidate
    return true
  }
}

extension Call {
  /// Calls that differ from this one in one point, and have less of it.
  fileprivate var simpler: [Call] {
    func changed(_ change: (inout Call) -> Void) -> Call {
      var call = self
      change(&call)
      return call
    }
    var calls: [Call] = []
    if copies > 1 { calls.append(changed { $0.copies -= 1 }) }
    if limit != nil { calls.append(changed { $0.limit = nil }) }
    if cancelAfter != nil { calls.append(changed { $0.cancelAfter = nil }) }
    if timed != nil { calls.append(changed { $0.timed = nil }) }
    if language != nil { calls.append(changed { $0.language = nil }) }
    if isStreamed { calls.append(changed { $0.isStreamed = false }) }
    if mode != .useFresh { calls.append(changed { $0.mode = .useFresh }) }
    return calls
  }
}
