/// All faults of a pipeline that could not be built.
public struct PipelineIssue: Error, LoggableError, Sendable, Hashable {
  /// One fault, with the names of the interceptors involved.
  package enum Fault: Sendable, Hashable {
    /// An interceptor is listed after one that it must precede.
    case misplaced(String, Stage, after: String, Stage)
    /// An interceptor type that may occur once is registered `count` times.
    case repeated(String, count: Int)
    /// An interceptor requires another stage, and no interceptor of that stage is registered.
    case missingStage(Stage, neededBy: String)
    /// An interceptor requires capabilities that the dispatcher doesn't have.
    case missingCapability(DispatcherCapabilities, neededBy: String, dispatcher: String)
    /// An interceptor of the wire stage doesn't promise to call `next` exactly once.
    case wireCallsNextFreely(String)
    /// An interceptor is limited to an authority that no request has, such as a pattern.
    case malformedAuthority(String, ofLimit: String)
    /// A text among the pipeline's credential fields, in lower case, is no field name.
    case malformedCredentialField(String)
  }

  /// The faults, in the order of registration; a misplaced interceptor has one for each interceptor that it
  /// must precede and is listed after.
  package let faults: [Fault]
  /// The names of all interceptors in the order of their stages; empty if none is misplaced.
  let order: [String]
  /// What to do about interceptors that are registered more than once, by their names, if more is known of
  /// the list than that.
  private var repetitionRemedies: [String: String] = [:]

  init(faults: [Fault], order: [String] = []) {
    self.faults = faults
    self.order = order
  }

  /// Returns the same faults with remedies for repeated interceptors, by their names.
  package func remedyingRepetitions(_ remedies: [String: String]) -> PipelineIssue {
    var issue = self
    issue.repetitionRemedies.merge(remedies) { _, new in new }
    return issue
  }
}

extension PipelineIssue: CustomStringConvertible {
  /// A line per interceptor at fault, with the names involved and the remedy.
  ///
  /// If one is misplaced, the right order of all interceptors follows. Faults of equal interceptors that read
  /// the same share a line.
  public var description: String {
    var lines: [String] = []
    var rest = faults[...]
    while let fault = rest.popFirst() {
      guard case .misplaced(let name, let stage, let first, let firstStage) = fault else {
        let line = text(of: fault)
        if !lines.contains(line) { lines.append(line) }
        continue
      }
      // All faults of an interceptor follow each other. Where the first other one is named again, those of a
      // second interceptor of the same name begin.
      var others = ["\(first) (\(firstStage))"]
      while case .misplaced(let again, stage, let other, let otherStage)? = rest.first, again == name,
        others[0] != "\(other) (\(otherStage))"
      {
        others.append("\(other) (\(otherStage))")
        rest.removeFirst()
      }
      let list =
        others.count == 1
        ? others[0] : "\(others.dropLast().joined(separator: ", ")) and \(others[others.count - 1])"
      let line = "\(name) (\(stage)) is listed after \(list); move it before \(first)."
      if !lines.contains(line) { lines.append(line) }
    }
    if !order.isEmpty { lines.append("The right order: \(order.joined(separator: ", ")).") }
    return lines.joined(separator: "\n")
  }

  private func text(of fault: Fault) -> String {
    guard case .repeated(let name, let count) = fault, let remedy = repetitionRemedies[name] else {
      return fault.description
    }
    return Fault.text(ofRepeated: name, count: count, remedy: remedy)
  }
}

extension PipelineIssue.Fault {
  fileprivate static func text(ofRepeated name: String, count: Int, remedy: String) -> String {
    "\(name) is registered \(count) times but may be registered only once; \(remedy), or limit each to requests "
      + "of its own with only(for:)."
  }
}

extension PipelineIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .misplaced(let name, let stage, after: let other, let otherStage):
      "\(name) (\(stage)) is listed after \(other) (\(otherStage)); move it before \(other)."
    case .repeated(let name, let count):
      Self.text(ofRepeated: name, count: count, remedy: "remove the others")
    case .missingStage(let stage, let name):
      "\(name) requires an interceptor of stage \(stage), and none is registered; add one, or remove \(name)."
    case .missingCapability(let capabilities, let name, let dispatcher):
      "\(name) requires the capability \(capabilities), which the dispatcher \(dispatcher) doesn't have; "
        + "use another dispatcher, or remove \(name)."
    case .wireCallsNextFreely(let name):
      "\(name) has the stage \(Stage.wire) but doesn't call next exactly once; "
        + "declare callsNext: .exactlyOnce, or move it to an outer stage."
    case .malformedAuthority(let text, ofLimit: let name):
      "\(name) is limited to the authority \"\(text)\", which no request has; write one host as in URLs, such as "
        + "api.example or api.example:8443, or use .where for several."
    case .malformedCredentialField(let text):
      "The credential field \"\(text)\" is no field name, so no request's field would be protected by it; write "
        + "the name alone, such as X-Shop-Key."
    }
  }
}
