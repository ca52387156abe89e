/// One promise of a dispatcher, as a named case that can be run, excluded and reported.
///
/// The cases are constants, so `excluding: [.http2GoAway: "…"]` is checked by the compiler.
public struct ConformanceCase: Sendable {
  /// The name, as in code; unique.
  public let name: String
  /// The promise, as a sentence.
  public let title: String
  /// What it needs.
  public let needs: ConformanceNeeds
  let run: @Sendable (ConformanceBench) async throws -> Void

  init(
    _ name: String, _ title: String, needs: ConformanceNeeds = [],
    run: @escaping @Sendable (ConformanceBench) async throws -> Void
  ) {
    self.name = name
    self.title = title
    self.needs = needs
    self.run = run
  }

  /// All cases, in the order in which they run.
  public static let all: [ConformanceCase] =
    heads + requestBodies + answerBodies + limits + decoding + connecting + trust + breaking + timeouts
    + cancelling + concurrent + http2
}

extension ConformanceCase: Hashable {
  /// Whether two cases have the same name.
  public static func == (left: ConformanceCase, right: ConformanceCase) -> Bool { left.name == right.name }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ConformanceCase: CustomStringConvertible {
  /// Name and sentence.
  public var description: String { "\(name): \(title)" }
}
