import Foundation

/// The size of the machine that runs the benchmarks.
struct MachineSize: CustomStringConvertible {
  let cores: Int
  let model: String
  let gibibytes: Int

  static func here() -> MachineSize {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    return MachineSize(
      cores: ProcessInfo.processInfo.activeProcessorCount,
      model: model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "processor",
      gibibytes: Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded()))
  }

  var description: String { "\(cores) cores (\(model)), \(gibibytes) GiB" }
}
