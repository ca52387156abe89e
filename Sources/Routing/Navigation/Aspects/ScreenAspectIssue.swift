/// All faults of a list of aspects that could not be created.
public struct ScreenAspectIssue: Error, Sendable, Hashable {
  /// One fault, with the names of the aspects involved.
  package enum Fault: Sendable, Hashable {
    /// An aspect is listed after one that it must precede.
    case misplaced(String, AspectStage, after: String, AspectStage)
    /// Several aspects with this name apply to the same screens; `count` is their number.
    case repeated(String, count: Int)
    /// The time limit of the decisions is not positive, so that no screen could be shown.
    case limit(Duration)
  }

  /// The faults, in the order of the list.
  package let faults: [Fault]
  /// The names of all aspects in the order of their stages.
  let order: [String]

  init(faults: [Fault], order: [String]) {
    self.faults = faults
    self.order = order
  }
}

extension ScreenAspectIssue: CustomStringConvertible {
  /// A line for each fault; if an aspect is misplaced, the right order of all aspects follows.
  public var description: String {
    let isMisplaced = faults.contains { if case .misplaced = $0 { true } else { false } }
    let lines = faults.map(\.description)
    return (isMisplaced ? lines + ["The right order: \(order.joined(separator: ", "))."] : lines)
      .joined(separator: "\n")
  }
}

extension ScreenAspectIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .misplaced(let name, let stage, after: let other, let otherStage):
      "Aspect \(name) (\(stage)) is listed after \(other) (\(otherStage)); move it before \(other)."
    case .repeated(let name, let count):
      "Aspect \(name) is listed \(count) times for the same screens; remove the others, give each its own "
        + "name, or limit each to screens of its own with only(for:)."
    case .limit(let limit):
      "The time limit of the aspects is \(limit), so that no aspect could decide; give a positive one."
    }
  }
}
