import Foundation
import Glibc

/// The facts about the machine that runs the benchmarks, on which the figures depend.
struct Machine: CustomStringConvertible {
  let cores: Int
  let model: String
  let gibibytes: Int
  /// The versions of the system, of libcurl and of the compiler.
  let versions: [String]

  static func here() -> Machine {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    return Machine(
      cores: ProcessInfo.processInfo.activeProcessorCount,
      model: model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "processor",
      gibibytes: Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded()),
      versions: [
        output("uname", "-sr"), output("pkg-config", "--modversion", "libcurl").map { "libcurl \($0)" },
        output("swift", "--version").flatMap(compiler),
      ].compactMap { $0 })
  }

  var description: String {
    (["\(cores) cores (\(model))", "\(gibibytes) GiB"] + versions).joined(separator: ", ")
  }

  /// Returns why a process can't open that many descriptors; nil if it can.
  static func shortage(ofDescriptors descriptors: Int) -> String? {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur < descriptors else { return nil }
    return "a process may open \(limit.rlim_cur) files here, and \(descriptors) are needed"
  }

  /// Returns "Swift" and the version from what the compiler prints.
  private static func compiler(_ text: String) -> String? {
    text.firstMatch(of: /Swift version ([^ ]+)/).map { "Swift \($0.1)" }
  }

  private static func output(_ name: String, _ arguments: String...) -> String? {
    guard let path = Program.find(name) else { return nil }
    let text = try? Program(path: path, arguments: arguments).run().output
    return text?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
