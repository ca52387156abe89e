import Foundation
import SwitchyardTesting

/// The file of a queue, whose accesses take virtual time, and which keeps what it had when the process died.
final class SimulatedFile: @unchecked Sendable {
  private unowned let world: World
  private let directory: String
  private let name: String
  private var life = 0
  private var pending: [@Sendable () -> Void] = []
  private var isWorking = false
  private var random: SeededRandom

  init(_ world: World, _ name: String) {
    self.world = world
    self.name = name
    // In memory, because what a loss of power loses is not simulated.
    directory = "/dev/shm/switchyard-simulation-\(getpid())"
    random = SeededRandom(seed: world.plan.seed ^ UInt64(name.utf8.count) << 32)
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    remove()
  }

  /// The path of this life's file.
  var path: String { "\(directory)/\(name)-\(life).sqlite" }

  /// Runs an access after those before it.
  func run(_ work: @escaping @Sendable () -> Void) {
    pending.append(work)
    guard !isWorking else { return }
    isWorking = true
    wait()
  }

  private func wait() {
    world.scheduler.at(world.scheduler.now + .microseconds(Int.random(in: 50...4_000, using: &random))) {
      [self] in
      guard !pending.isEmpty else {
        isWorking = false
        return
      }
      pending.removeFirst()()
      if pending.isEmpty { isWorking = false } else { wait() }
    }
  }

  /// Leaves the file to the dying process, whose accesses have no effect any more, and takes a copy of what
  /// it has stored.
  func kill() {
    let former = path
    life += 1
    for suffix in ["", "-wal"] {
      try? FileManager.default.copyItem(atPath: former + suffix, toPath: path + suffix)
    }
    let left = pending
    pending = []
    for work in left { work() }
  }

  /// Deletes all files of the history.
  func remove() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for file in names where file.hasPrefix("\(name)-") {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(file)")
    }
  }
}
