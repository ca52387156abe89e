/// Reads how many instructions of user code a program took out of what a profiler printed.
public enum InstructionReading {
  /// Out of `perf stat -x, -e instructions:u`; nil where the machine does not count.
  public static func perfStat(_ output: String) -> Double? {
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count > 2, fields[2].hasPrefix("instructions") else { continue }
      return Double(fields[0])
    }
    return nil
  }

  /// Out of what callgrind says at its end.
  public static func callgrind(_ output: String) -> Double? {
    for line in output.split(separator: "\n") {
      guard let range = line.firstRange(of: "Collected :") else { continue }
      return line[range.upperBound...].split(separator: " ").first.flatMap { Double($0) }
    }
    return nil
  }
}
