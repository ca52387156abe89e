/// A set of indices below 64, which one glance answers.
struct StepSet: Sendable {
  private let bits: UInt64

  static let empty = StepSet([])

  /// Makes a set; it is empty where an index is 64 or more.
  init(_ indices: [Int]) {
    bits = indices.contains { $0 >= UInt64.bitWidth } ? 0 : indices.reduce(0) { $0 | 1 << UInt64($1) }
  }

  /// Whether an index is in the set; an index of 64 or more never is.
  func contains(_ index: Int) -> Bool {
    index < UInt64.bitWidth && bits &>> UInt64(truncatingIfNeeded: index) & 1 == 1
  }
}
