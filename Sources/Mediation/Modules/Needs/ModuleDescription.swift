/// One module in plain values, for drawings, documents and tests.
public struct ModuleDescription: Sendable, Hashable, Codable {
  /// Something that the module needs.
  public struct Need: Sendable, Hashable, Codable {
    /// The need in words, as `service Weather`.
    public let name: String
    /// The module that gives it; nil if the app does, by its environment.
    public let module: String?
  }

  /// The module's name.
  public let name: String
  /// What it needs, in the order in which it says so.
  public let needs: [Need]
  /// The names of the services it provides.
  public let services: [String]
  /// The names of its targets.
  public let targets: [String]
  /// The life-cycle events it asks for, sorted.
  public let events: [String]
}

extension Mediator {
  /// Every module in plain values, in launching order.
  public var modules: [ModuleDescription] {
    registry.modules.modules.map { module in
      ModuleDescription(
        name: module.name, needs: module.needs, services: module.services.map(\.name),
        targets: module.targets.map(\.name),
        events: Set(module.listeners.map(\.kind.rawValue)).sorted())
    }
  }

  /// How long each module took to declare itself, in launching order.
  public var declaringTimes: [(module: String, time: Duration)] {
    registry.modules.modules.map { ($0.name, $0.declaringTime) }
  }
}
