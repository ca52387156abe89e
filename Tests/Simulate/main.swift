import Foundation
import Simulation

#if canImport(Glibc)
import Glibc
#endif

/// The commands of the program, which `Scripts/simulate` starts.
enum Command {
  /// Runs the histories of consecutive seeds, and prints what was met and which seeds failed.
  ///
  /// With `sought` it ends as soon as a history breaks that invariant.
  static func run(from first: UInt64, count: UInt64, until sought: Invariant?) throws -> Bool {
    var outcomes: [String: Int] = [:]
    var (jobs, digest, failures) = (0, UInt64(0), 0)
    let begin = ContinuousClock.now
    for (number, seed) in (first..<(first + count)).enumerated() {
      let history = try History(Plan(seed: seed))
      jobs += history.jobs
      digest = digest &* 31 &+ history.digest
      outcomes.merge(history.outcomes, uniquingKeysWith: +)
      if let violation = history.violations.first {
        failures += 1
        if failures <= 10 { print("failed \(seed) \(violation)") }
      }
      if let sought, history.violations.contains(where: { $0.invariant == sought }) {
        print("found \(seed)")
        break
      }
      if (number + 1) % max(Int(count) / 10, 1_000) == 0 {
        let rate = Double(number + 1) / seconds(begin.duration(to: .now))
        print("progress \(number + 1) histories, \(Int(rate))/s, \(failures) failed")
        fflush(nil)
      }
    }
    for (name, number) in outcomes.sorted(by: { $0.key < $1.key }) { print("outcome \(number) \(name)") }
    print(
      "end histories=\(count) jobs=\(jobs) seconds=\(seconds(begin.duration(to: .now))) failed=\(failures) "
        + "digest=\(digest) descriptors=\(openDescriptors) kilobytes=\(peakKilobytes)")
    return failures == 0
  }

  /// Runs one history, makes it shorter if it fails, and prints its story.
  static func tell(_ seed: UInt64) throws -> Bool {
    let plan = Plan(seed: seed)
    guard let shrinking = try Shrinking(plan) else {
      let history = try History(plan, isTold: true)
      history.lines.forEach { print($0) }
      print("No invariant is broken; the digest is \(history.digest).")
      return true
    }
    let history = try History(shrinking.plan, isTold: true)
    let steps = shrinking.plan.steps.map { String($0.number) }.joined(separator: ", ")
    print(
      "Of \(plan.steps.count) steps \(shrinking.plan.steps.count) are left (\(steps)), after \(shrinking.runs) runs:"
    )
    history.lines.forEach { print($0) }
    history.violations.forEach { print($0) }
    return false
  }

  /// Runs a scenario in each order of jobs, and prints its stories.
  static func tell(_ scenario: Scenario) throws -> Bool {
    var isClean = true
    for plan in try scenario.plans() {
      let history = try History(plan, isTold: true)
      print("In the order \"\(plan.settings.order)\":")
      history.lines.forEach { print($0) }
      history.violations.forEach { print($0) }
      if !history.violations.isEmpty { isClean = false }
    }
    return isClean
  }

  /// The number of the process's open descriptors.
  private static var openDescriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  /// The most memory that the process has had.
  // `getrusage` would include what the parent process had when it started this one.
  private static var peakKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst().compactMap { UInt64($0) }
let scenario = words.dropFirst().first.flatMap { Scenario(rawValue: $0) }
let sought = numbers.dropFirst(2).first.flatMap { Invariant(rawValue: Int($0)) }
let isClean: Bool
switch (words.first, numbers.count, words.count) {
case ("run", 2, 3): isClean = try Command.run(from: numbers[0], count: numbers[1], until: nil)
case ("run", 3, 5) where words[3] == "--until" && sought != nil:
  isClean = try Command.run(from: numbers[0], count: numbers[1], until: sought)
case ("tell", 1, 2): isClean = try Command.tell(numbers[0])
case ("tell", 0, 2) where scenario != nil: isClean = try scenario.map { try Command.tell($0) } ?? false
default:
  print(
    "usage: simulate run FIRST-SEED COUNT [--until INVARIANT] | simulate tell SEED | simulate tell SCENARIO; "
      + "see Scripts/simulate")
  exit(64)
}
exit(isClean ? 0 : 1)
