/// The times per call of a load and of its base, which alternate in one process.
///
/// Both are affected alike by what else the machine does, and a disturbed block doesn't change the medians.
public struct PairedTimes: Sendable {
  private var loads = Samples()
  private var bases = Samples()
  private var differences = Samples()

  /// Creates an empty list.
  public init() {}

  /// Adds the seconds of one block of `count` calls of each.
  public mutating func add(load: Double, base: Double, count: Int) {
    loads.add(load / Double(count))
    bases.add(base / Double(count))
    differences.add((load - base) / Double(count))
  }

  /// The median of the load's seconds per call.
  public var load: Double { loads.median ?? .nan }
  /// The median of the base's seconds per call.
  public var base: Double { bases.median ?? .nan }
  /// The median of what the load takes more than its base, in seconds per call.
  public var difference: Double { differences.median ?? .nan }

  /// Returns the sizes of at most `blocks` blocks that have `count` calls together.
  public static func sizes(_ count: Int, blocks: Int = 40) -> [Int] {
    let size = max(1, (count + blocks - 1) / blocks)
    return stride(from: 0, to: count, by: size).map { min(size, count - $0) }
  }
}
