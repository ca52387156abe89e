import Foundation
import Measuring

/// Measures the cache on a disk.
extension Bench {
  /// Returns the microseconds of a hit of 10 KiB, without memory over the disk.
  func diskHit() throws -> Double {
    let requests = isQuick ? 20_000 : 100_000
    let line = try result(of: programs.store("hit", hitArguments(requests: requests)), requests: requests)
    guard let seconds = line.number("seconds"), seconds > 0 else {
      throw Trouble("a program printed no time")
    }
    return seconds / Double(requests) * 1e6
  }

  /// Returns a load of hits in a new directory.
  func hitArguments(requests: Int) -> [String] {
    let directory = folder.appendingPathComponent("responses-\(UUID().uuidString)").path
    return ["--directory", directory, "--requests", "\(requests)"]
  }

  /// Opens a store of 1 GB in a new process, and returns the milliseconds.
  func diskOpening() throws -> Double {
    let directory = folder.appendingPathComponent("gigabyte").path
    if !FileManager.default.fileExists(atPath: directory) {
      var filling = programs.store("open", ["--directory", directory, "--fill", "65000"])
      filling.limit = 900
      let line = try result(of: filling, requests: 1)
      guard let bytes = line.number("bytes"), bytes > 1e9 else {
        throw Trouble("the store has less than 1 GB")
      }
    }
    let line = try result(of: programs.store("open", ["--directory", directory]), requests: 1)
    guard let seconds = line.number("seconds") else { throw Trouble("a program printed no time") }
    return seconds * 1e3
  }

  /// Sends 10 GB of distinct responses, 1 GB if quick, and returns the greatest size of a level in MiB.
  func flood(_ level: StoreLevel) throws -> Double {
    let directory = folder.appendingPathComponent("flood-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let requests = isQuick ? 16_000 : 160_000
    var program = programs.store("flood", ["--directory", directory, "--requests", "\(requests)"])
    program.limit = 1_800
    let line = try result(of: program, requests: requests)
    guard let bytes = line.number(level == .disk ? "bytes" : "memory-bytes") else {
      throw Trouble("a program printed no size")
    }
    return bytes / 1_048_576
  }
}
