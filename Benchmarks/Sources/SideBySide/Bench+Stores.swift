import Foundation
import Measuring

/// Measures the cache on a disk.
extension Bench {
  /// Returns the microseconds of a hit of 10 KiB, without memory over the disk.
  func diskHit() throws -> Double { try 1e6 / diskRate(tasks: 1) }

  /// Returns the hits per second of tasks that run at the same time.
  func diskRate(tasks: Int) throws -> Double {
    let requests = isQuick ? 20_000 : 100_000
    let line = try result(
      of: programs.store("hit", hitArguments(requests: requests) + ["--at-once", "\(tasks)"]),
      requests: requests)
    return try Double(requests) / seconds(line)
  }

  /// Returns the microseconds in which a C program reads head and body of a hit from the same database.
  func diskSelect() throws -> Double {
    let arguments = hitArguments(requests: 1_000)
    if !FileManager.default.fileExists(atPath: arguments[1]) {
      _ = try result(of: programs.store("hit", arguments), requests: 1_000)
    }
    let requests = isQuick ? 20_000 : 100_000
    let line = try result(
      of: programs.library(
        "select", ["--file", arguments[1] + "/responses.sqlite", "--requests", "\(requests)"]),
      requests: requests)
    return try seconds(line) / Double(requests) * 1e6
  }

  /// Returns the milliseconds that one of a hundred hits exceeds while others are stored.
  func diskBurst() throws -> Double {
    let requests = isQuick ? 20_000 : 100_000
    let arguments = hitArguments(requests: requests, in: "burst-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(atPath: arguments[1]) }
    let line = try result(of: programs.store("burst", arguments), requests: requests)
    guard let slow = line.number("slow-seconds") else { throw Trouble("a program printed no time") }
    return slow * 1e3
  }

  private func seconds(_ line: ResultLine) throws -> Double {
    guard let seconds = line.number("seconds"), seconds > 0 else {
      throw Trouble("a program printed no time")
    }
    return seconds
  }

  /// Returns a load of hits in a directory, which the first one fills.
  func hitArguments(requests: Int, in name: String = "hits") -> [String] {
    let directory = folder.appendingPathComponent(name).path
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
