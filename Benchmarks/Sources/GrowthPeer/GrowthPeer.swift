import ArgumentParser

/// Each subcommand measures one size of one kind of load in a process of its own.
@main struct GrowthPeer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the loads that measure how time and memory grow with the number of things.",
    subcommands: [
      Connections.self, Origins.self, WaitingRequests.self, Responses.self, StoredResponses.self, Routes.self,
      Interceptors.self, Events.self, HashTable.self,
    ])
}

/// What a load prints when it ends: times in nanoseconds and memory in bytes, each per unit.
struct GrowthReport {
  private var values: [(name: String, value: Double)] = []

  /// Adds the processor time since `start`, per unit.
  mutating func add(_ name: String, since start: Double, by end: Double, units: Int) {
    values.append((name, (end - start) * 1e9 / Double(units)))
  }

  /// Adds an amount of memory, per unit.
  mutating func add(_ name: String, bytes: Int, units: Int) {
    values.append((name, Double(bytes) / Double(units)))
  }

  func print() {
    Swift.print(values.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
  }
}

/// A load that did not do what is measured.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
