import Foundation

/// What the system says of a process.
struct ProcessFigures {
  let threads: Int
  let descriptors: Int
  /// The resident memory, and its peak.
  let kibibytes: Int
  let peakKibibytes: Int

  /// Reads the figures of a process; nil once it has ended, and on systems without `/proc`.
  init?(of id: Int32 = getpid()) {
    guard let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
    else { return nil }
    let values = Dictionary(
      status.split(separator: "\n").compactMap { line -> (Substring, Int)? in
        let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
        guard words.count >= 2, let value = Int(words[1]) else { return nil }
        return (words[0], value)
      }, uniquingKeysWith: { first, _ in first })
    threads = values["Threads"] ?? 0
    self.descriptors = descriptors.count
    kibibytes = values["VmRSS"] ?? 0
    peakKibibytes = values["VmHWM"] ?? 0
  }
}
