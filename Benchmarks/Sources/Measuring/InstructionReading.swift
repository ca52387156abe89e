/// Parses the number of user-code instructions from a profiler's output.
public enum InstructionReading {
  /// Parses the output of `perf stat -x, -e instructions:u`; nil if the machine doesn't count.
  public static func perfStat(_ output: String) -> Double? {
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count > 2, fields[2].hasPrefix("instructions") else { continue }
      return Double(fields[0])
    }
    return nil
  }

  /// Parses the summary printed by callgrind.
  public static func callgrind(_ output: String) -> Double? {
    for line in output.split(separator: "\n") {
      guard let range = line.firstRange(of: "Collected :") else { continue }
      return line[range.upperBound...].split(separator: " ").first.flatMap { Double($0) }
    }
    return nil
  }
}
